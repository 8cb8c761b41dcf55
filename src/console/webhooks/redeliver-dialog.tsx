import { Button, Progress as ProgressBar } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { sentenceOf } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { countedByState } from './delivery-columns.tsx'
import { enableEndpoint } from './endpoint-dialog.ts'

type Delivery = Schemas['WebhookDelivery']
type Failed = {
  readonly delivery: Delivery
  readonly sentence: string
  /** The response was lost, so it may have been sent. */
  readonly isUnknown: boolean
  /** The endpoint must be enabled first. */
  readonly isDisabled: boolean
}
type Sending = { readonly asked: number; readonly failed: readonly Failed[] }

type RedeliverProps = {
  readonly deliveries: readonly Delivery[]
  readonly onClose: () => void
}

/** The deliveries to send. With `enables`, their endpoints are enabled first. */
type Round = { readonly deliveries: readonly Delivery[]; readonly enables: boolean }

const unsent: Sending = { asked: 0, failed: [] }

/** Asks for confirmation, sends one delivery after the other, and reports the refused ones. */
export function RedeliverDialog({ deliveries: chosen, onClose }: RedeliverProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [sending, setSending] = useState(unsent)
  const [deliveries, setDeliveries] = useState(chosen)
  // Leaving the dialog or signing out stops the sending.
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const send = useMutation({
    mutationFn: (round: Round) => {
      const stopped = new AbortController()
      stop.current = stopped
      setDeliveries(round.deliveries)
      setSending(unsent)
      return redeliver(client, round, { signal: stopped.signal, tell: setSending })
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['deliveries'] }),
        queries.invalidateQueries({ queryKey: ['delivery'] }),
        queries.invalidateQueries({ queryKey: ['endpoint'] }),
      ]),
  })
  if (send.isSuccess) {
    return (
      <Sent
        sending={sending}
        of={deliveries.length}
        onEnable={(refused) => send.mutate({ deliveries: refused, enables: true })}
        onClose={onClose}
      />
    )
  }
  const count = deliveries.length === 1 ? 'this delivery' : `${deliveries.length} deliveries`
  return (
    <ConfirmDialog
      title={`Send ${count} again?`}
      does={`Send ${deliveries.length} again`}
      onLeave={onClose}
      onStop={() => stop.current?.abort()}
      isPending={send.isPending}
      onConfirm={() => send.mutate({ deliveries, enables: false })}
    >
      <p>Now: {countedByState(deliveries)}.</p>
      <p>
        The receiver gets the original bytes with the original id and a new timestamp, at once. If
        that fails, the same retry schedule follows. Deduplicate by <code>id</code> and no event is
        lost or counted twice.
      </p>
      {send.isPending && <Progress sending={sending} of={deliveries.length} />}
    </ConfirmDialog>
  )
}

/** Sends one after the other, so that the receiver is not flooded. */
async function redeliver(
  client: Client,
  { deliveries, enables }: Round,
  { signal, tell }: { readonly signal: AbortSignal; tell(sending: Sending): void },
): Promise<void> {
  const failed: Failed[] = []
  const enabled = new Set<string>()
  for (const [index, delivery] of deliveries.entries()) {
    if (signal.aborted) return
    const { id, endpoint_id: endpointId } = delivery
    try {
      if (enables && !enabled.has(endpointId)) await enableEndpoint(client, endpointId)
      enabled.add(endpointId)
      await client.webhookDeliveries.redeliver({ id })
    } catch (error) {
      if (!(error instanceof ShippingLedgerError)) throw error
      const isUnknown = error.outcome === 'unknown'
      const isDisabled = error.reason === 'endpoint_disabled'
      failed.push({ delivery, sentence: sentenceOf(error), isUnknown, isDisabled })
    }
    tell({ asked: index + 1, failed: [...failed] })
  }
}

type ProgressProps = { readonly sending: Sending; readonly of: number }

function Progress({ sending, of }: ProgressProps) {
  const { asked } = sending
  return (
    <div role="status">
      <ProgressBar value={(100 * asked) / of} aria-label="Sent" mb={4} />
      Sent {asked} of {of}
    </div>
  )
}

type SentProps = ProgressProps & {
  readonly onEnable: (deliveries: readonly Delivery[]) => void
  readonly onClose: () => void
}

function Sent({ sending, of, onEnable, onClose }: SentProps) {
  const { asked, failed } = sending
  const rest = of - asked
  const disabled = failed.filter(({ isDisabled }) => isDisabled).map(({ delivery }) => delivery)
  return (
    <DialogWindow title="Sent again" open onOpenChange={(open) => open || onClose()}>
      <p role="status">
        {asked - failed.length} of {of} are on their way again.
        {rest > 0 && ` Stopped before the other ${rest}.`}
      </p>
      <Failures word="Refused" failed={failed.filter(({ isUnknown }) => !isUnknown)} />
      <Failures
        word="Unknown"
        failed={failed.filter(({ isUnknown }) => isUnknown)}
        then="They may be on their way: check their attempts before sending them again."
      />
      <DialogActions>
        {disabled.length > 0 && (
          <Button onClick={() => onEnable(disabled)}>Enable and redeliver {disabled.length}</Button>
        )}
        <Button
          variant="default"
          className={disabled.length > 0 ? undefined : 'primary'}
          onClick={onClose}
        >
          Close
        </Button>
      </DialogActions>
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
