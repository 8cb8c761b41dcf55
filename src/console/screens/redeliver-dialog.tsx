import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ConfirmDialog, DialogWindow } from '../parts/dialog.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

type Delivery = Schemas['WebhookDelivery']
type Refused = { readonly delivery: Delivery; readonly sentence: string }
type Sending = { readonly done: number; readonly refused: readonly Refused[] }

type RedeliverProps = {
  readonly deliveries: readonly Delivery[]
  readonly onClose: () => void
}

const unsent: Sending = { done: 0, refused: [] }

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
      open
      onOpenChange={(open) => open || send.isPending || onClose()}
      isPending={send.isPending}
      onConfirm={() => send.mutate()}
    >
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
  const refused: Refused[] = []
  for (const [index, delivery] of deliveries.entries()) {
    signal.throwIfAborted()
    try {
      await client.webhookDeliveries.redeliver({ id: delivery.id })
    } catch (error) {
      if (!(error instanceof ShippingLedgerError)) throw error
      refused.push({ delivery, sentence: sentenceOf(error) })
    }
    tell({ done: index + 1, refused: [...refused] })
  }
}

type ProgressProps = { readonly sending: Sending; readonly of: number }

function Progress({ sending, of }: ProgressProps) {
  return (
    <p role="status">
      <progress max={of} value={sending.done} aria-label="Sent" /> {sending.done} of {of}
    </p>
  )
}

function Sent({ sending, of, onClose }: ProgressProps & { readonly onClose: () => void }) {
  const { refused } = sending
  return (
    <DialogWindow title="Sent again" open onOpenChange={(open) => open || onClose()}>
      <p role="status">
        {of - refused.length} of {of} are on their way again.
      </p>
      {refused.length > 0 && (
        <div className="refusal">
          <p>Refused: {refused.length}</p>
          <ul>
            {refused.map(({ delivery, sentence }) => (
              <li key={delivery.id}>
                <code>{delivery.id}</code> {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </DialogWindow>
  )
}
