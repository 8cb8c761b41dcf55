import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Button, Progress as ProgressBar } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { formatNumber } from '../languages/language.ts'
import { ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { ErrorSentence } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { countedByState } from './delivery-columns.tsx'
import { enableEndpoint } from './endpoint-dialog.ts'

type Delivery = Schemas['WebhookDelivery']
type Failed = {
  readonly delivery: Delivery
  readonly error: ShippingLedgerError
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
  const count = deliveries.length
  return (
    <ConfirmDialog
      title={i18n.t(
        '{count, plural, one {Send this delivery again?} other {Send # deliveries again?}}',
        { count },
      )}
      does={i18n.t('{count, plural, one {Send # again} other {Send # again}}', { count })}
      onLeave={onClose}
      onStop={() => stop.current?.abort()}
      isPending={send.isPending}
      onConfirm={() => send.mutate({ deliveries, enables: false })}
    >
      <p>{i18n.t('Now: {states}.', { states: countedByState(deliveries) })}</p>
      <p>
        <Trans
          id="The receiver gets the original bytes with the original id and a new timestamp, at once. If that fails, the same retry schedule follows. Deduplicate by <code>id</code> and no event is lost or counted twice."
          components={{ code: <code /> }}
        />
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
      failed.push({ delivery, error, isUnknown, isDisabled })
    }
    tell({ asked: index + 1, failed: [...failed] })
  }
}

type ProgressProps = { readonly sending: Sending; readonly of: number }

function Progress({ sending, of }: ProgressProps) {
  const { asked } = sending
  return (
    <div role="status">
      <ProgressBar value={(100 * asked) / of} aria-label={i18n.t('Sent')} mb={4} />
      {i18n.t('Sent {done} of {all}', { done: formatNumber(asked), all: formatNumber(of) })}
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
  const refused = failed.filter(({ isUnknown }) => !isUnknown)
  const unknown = failed.filter(({ isUnknown }) => isUnknown)
  const disabled = failed.filter(({ isDisabled }) => isDisabled).map(({ delivery }) => delivery)
  return (
    <DialogWindow title={i18n.t('Sent again')} open onOpenChange={(open) => open || onClose()}>
      <p role="status">
        {i18n.t('{count} of {all} are on their way again.', {
          count: asked - failed.length,
          all: of,
        })}{' '}
        {rest > 0 && i18n.t('Stopped before the other {rest}.', { rest })}
      </p>
      <Failures failed={refused}>
        <p>{i18n.t('Refused: {count}', { count: refused.length })}</p>
      </Failures>
      <Failures
        failed={unknown}
        then={i18n.t('They may be on their way: check their attempts before sending them again.')}
      >
        <p>{i18n.t('Unknown: {count}', { count: unknown.length })}</p>
      </Failures>
      <DialogActions>
        {disabled.length > 0 && (
          <Button onClick={() => onEnable(disabled)}>
            {i18n.t('Enable and redeliver {count}', { count: disabled.length })}
          </Button>
        )}
        <Button
          variant="default"
          className={disabled.length > 0 ? undefined : 'primary'}
          onClick={onClose}
        >
          {i18n.t('Close')}
        </Button>
      </DialogActions>
    </DialogWindow>
  )
}

type FailuresProps = {
  readonly failed: readonly Failed[]
  /** What they have in common. */
  readonly children: ReactNode
  readonly then?: string
}

function Failures({ failed, children, then }: FailuresProps) {
  if (failed.length === 0) return null
  return (
    <div className="refusal">
      {children}
      <ul>
        {failed.map(({ delivery, error }) => (
          <li key={delivery.id}>
            <code>{delivery.id}</code> <ErrorSentence error={error} />
          </li>
        ))}
      </ul>
      {then !== undefined && <p>{then}</p>}
    </div>
  )
}
