import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ConfirmDialog, DialogWindow } from '../parts/dialog.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { countedByState } from './delivery-columns.tsx'

type Delivery = Schemas['WebhookDelivery']
type Failed = {
  readonly delivery: Delivery
  readonly sentence: string
  /** No answer came, so it may have been sent. */
  readonly isUnknown: boolean
}
type Sending = { readonly asked: number; readonly failed: readonly Failed[] }

type RedeliverProps = {
  readonly deliveries: readonly Delivery[]
  readonly onClose: () => void
}

const unsent: Sending = { asked: 0, failed: [] }

/** Asks, sends one after the other, and says which were refused and why. */
export function RedeliverDialog({ deliveries, onClose }: RedeliverProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [sending, setSending] = useState(unsent)
  // Who leaves, by signing out too, sends no more.
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const send = useMutation({
    mutationFn: () => {
      const stopped = new AbortController()
      stop.current = stopped
      return redeliver(client, deliveries, { signal: stopped.signal, tell: setSending })
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['deliveries'] }),
        queries.invalidateQueries({ queryKey: ['delivery'] }),
      ]),
  })
  if (send.isSuccess) return <Sent sending={sending} of={deliveries.length} onClose={onClose} />
  const count = deliveries.length === 1 ? 'this delivery' : `${deliveries.length} deliveries`
  return (
    <ConfirmDialog
      title={`Send ${count} again?`}
      does={`Send ${deliveries.length} again`}
      onLeave={onClose}
      onStop={() => stop.current?.abort()}
      isPending={send.isPending}
      onConfirm={() => send.mutate()}
    >
      <p>Now: {countedByState(deliveries)}.</p>
      <p>
        The receiver gets the original bytes with the original id and a new timestamp, at once and
        then down the same ladder. Who deduplicates by the id loses nothing.
      </p>
      {send.isPending && <Progress sending={sending} of={deliveries.length} />}
    </ConfirmDialog>
  )
}

/** One after the other: it is bounded by what was chosen, and a receiver is not flooded by it. */
async function redeliver(
  client: Client,
  deliveries: readonly Delivery[],
  { signal, tell }: { readonly signal: AbortSignal; tell(sending: Sending): void },
): Promise<void> {
  const failed: Failed[] = []
  for (const [index, delivery] of deliveries.entries()) {
    if (signal.aborted) return
    try {
      await client.webhookDeliveries.redeliver({ id: delivery.id })
    } catch (error) {
      if (!(error instanceof ShippingLedgerError)) throw error
      const isUnknown = error.outcome === 'unknown'
      failed.push({ delivery, sentence: sentenceOf(error), isUnknown })
    }
    tell({ asked: index + 1, failed: [...failed] })
  }
}

type ProgressProps = { readonly sending: Sending; readonly of: number }

function Progress({ sending, of }: ProgressProps) {
  const { asked } = sending
  return (
    <p role="status">
      <progress max={of} value={asked} aria-label="Sent" /> Sent {asked} of {of}
    </p>
  )
}

function Sent({ sending, of, onClose }: ProgressProps & { readonly onClose: () => void }) {
  const { asked, failed } = sending
  const rest = of - asked
  return (
    <DialogWindow title="Sent again" open onOpenChange={(open) => open || onClose()}>
      <p role="status">
        {asked - failed.length} of {of} are on their way again.
        {rest > 0 && ` Stopped before the other ${rest}.`}
      </p>
      <Failures word="Refused" failed={failed.filter(({ isUnknown }) => !isUnknown)} />
      <Failures
        word="Not known"
        failed={failed.filter(({ isUnknown }) => isUnknown)}
        then="They may be on their way: look at their attempts before they are sent once more."
      />
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </DialogWindow>
  )
}

type FailuresProps = {
  readonly word: string
  readonly failed: readonly Failed[]
  readonly then?: string
}

function Failures({ word, failed, then }: FailuresProps) {
  if (failed.length === 0) return null
  return (
    <div className="refusal">
      <p>
        {word}: {failed.length}
      </p>
      <ul>
        {failed.map(({ delivery, sentence }) => (
          <li key={delivery.id}>
            <code>{delivery.id}</code> {sentence}
          </li>
        ))}
      </ul>
      {then !== undefined && <p>{then}</p>}
    </div>
  )
}
