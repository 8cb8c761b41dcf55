import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import { ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { Loading, Refused } from '../parts/states.tsx'
import { Time, useClock } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { type EndpointDialogProps, enableEndpoint, readAgain } from './endpoint-dialog.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** The API's own limit. */
const periodMaxMs = 14 * dayMs
/**
 * One call covers ten thousand events. For more than ten calls, the operator starts another
 * recovery.
 */
const callsMax = 10

type Period = { readonly since: string; readonly until: string }
type Recovered = { readonly count: number; readonly restFrom: string | null }

const none: Recovered = { count: 0, restFrom: null }

/** Sends what an endpoint missed: the user chooses a period, then confirms it. */
export function RecoverDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { now, isRead } = useClock(endpoint.workspace_id)
  const [edited, setEdited] = useState<Partial<Period>>({})
  const period = { since: fieldOf(now - dayMs), until: fieldOf(now + minuteMs), ...edited }
  const [isConfirming, setConfirming] = useState(false)
  const [recovered, setRecovered] = useState(none)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const isDisabled = endpoint.status === 'disabled'
  const recover = useMutation({
    mutationFn: async () => {
      const stopped = new AbortController()
      stop.current = stopped
      if (isDisabled) await enableEndpoint(client, endpoint.id)
      const { signal } = stopped
      await recoverPeriod(client, endpoint.id, { period, signal, tell: setRecovered })
    },
    onSettled: () => readAgain(queries, endpoint.id),
  })
  const review = () => {
    setEdited(period)
    setConfirming(true)
  }
  if (recover.isSuccess) return <Done recovered={recovered} onClose={onClose} />
  if (!isConfirming) {
    return (
      <DialogWindow
        title={i18n.t('Recover a period')}
        open
        onOpenChange={(open) => open || onClose()}
      >
        {isRead ? (
          <PeriodForm period={period} onChange={setEdited} onDone={review} onCancel={onClose} />
        ) : (
          <Loading />
        )}
      </DialogWindow>
    )
  }
  return (
    <ConfirmDialog
      title={i18n.t('Send missed events?')}
      does={isDisabled ? i18n.t('Enable and send') : i18n.t('Send')}
      leaves={i18n.t('Back')}
      onLeave={() => {
        recover.reset()
        setConfirming(false)
      }}
      onStop={() => stop.current?.abort()}
      isPending={recover.isPending}
      onConfirm={() => recover.mutate()}
    >
      <p>
        <Trans
          id="Every event from <b>{since}</b> until <b>{until}</b> (on the workspace’s clock) that <code>{url}</code> subscribes to and never received is sent with its original id and bytes."
          values={{
            since: <Time at={momentOf(period.since)} />,
            until: <Time at={momentOf(period.until)} />,
            url: endpoint.url,
          }}
          components={{ b: <strong />, code: <code /> }}
        />
      </p>
      <RecoverableCount endpointId={endpoint.id} period={period} />
      <p className="reason">
        {i18n.t('Pending deliveries are not counted: they are sent at their next try anyway.')}
      </p>
      {isDisabled && (
        <p>{i18n.t('The endpoint is disabled. New events will be sent to it again.')}</p>
      )}
      {recover.isPending && (
        <p role="status">
          {i18n.t('{count, plural, one {# so far…} other {# so far…}}', { count: recovered.count })}
        </p>
      )}
      <Refused error={recover.error} />
    </ConfirmDialog>
  )
}

type CountProps = { readonly endpointId: string; readonly period: Period }

/** The number of events to send, shown before anything is sent. */
function RecoverableCount({ endpointId, period }: CountProps) {
  const { client } = useSession()
  const range = { since: momentOf(period.since), until: momentOf(period.until) }
  const recoverable = useQuery({
    queryKey: ['recoverable', endpointId, range],
    queryFn: ({ signal }) =>
      client.webhookEndpoints.countRecoverable({ id: endpointId, ...range }, { signal }),
    gcTime: 0,
  })
  const { data, error } = recoverable
  if (error !== null) return <Refused error={error} />
  if (data === undefined) return <p role="status">{i18n.t('Counting…')}</p>
  const { count } = data
  return (
    <p role="status">
      {data.is_complete ? (
        <Trans
          id="{count, plural, one {<b># event</b> to send.} other {<b># events</b> to send.}}"
          values={{ count }}
          components={{ b: <strong /> }}
        />
      ) : (
        <Trans
          id="{count, plural, one {<b>At least # event</b> to send.} other {<b>At least # events</b> to send.}}"
          values={{ count }}
          components={{ b: <strong /> }}
        />
      )}
    </p>
  )
}

/** The format of a date and time field: UTC, to the minute. */
function fieldOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}

function momentOf(field: string): string {
  return new Date(`${field}Z`).toISOString()
}

/** The error of the period, or null. Fields may be empty while typing. */
function faultOf({ since, until }: Period): string | null {
  const lengthMs = Date.parse(`${until}Z`) - Date.parse(`${since}Z`)
  if (lengthMs <= 0) return i18n.t('It ends before it begins.')
  return lengthMs > periodMaxMs ? i18n.t('It is longer than 14 days.') : null
}

type Recovering = {
  readonly period: Period
  readonly signal: AbortSignal
  tell(recovered: Recovered): void
}

async function recoverPeriod(
  client: Client,
  id: string,
  { period, signal, tell }: Recovering,
): Promise<void> {
  const until = momentOf(period.until)
  let since = momentOf(period.since)
  let count = 0
  for (let calls = 0; calls < callsMax && !signal.aborted; calls++) {
    const answer = await client.webhookEndpoints.recover({ id, since, until })
    count += answer.recovered
    tell({ count, restFrom: answer.next_since })
    if (answer.next_since === null) return
    since = answer.next_since
  }
}

type PeriodProps = {
  readonly period: Period
  readonly onChange: (period: Period) => void
  readonly onDone: () => void
  readonly onCancel: () => void
}

function PeriodForm({ period, onChange, onDone, onCancel }: PeriodProps) {
  const fault = faultOf(period)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fault === null) onDone()
  }
  const field = (label: string, name: keyof Period) => (
    <div>
      <TextInput
        label={label}
        type="datetime-local"
        required
        withAsterisk={false}
        value={period[name]}
        onChange={(event) => onChange({ ...period, [name]: event.target.value })}
      />
      {period[name] !== '' && (
        <span className="reason">
          <Time at={momentOf(period[name])} />
        </span>
      )}
    </div>
  )
  return (
    <form onSubmit={submit}>
      {field(i18n.t('From (UTC)'), 'since')}
      {field(i18n.t('Until (UTC)'), 'until')}
      <p className="reason">{i18n.t('At most 14 days, on the workspace’s clock.')}</p>
      {fault !== null && (
        <p className="refusal" role="alert">
          {fault}
        </p>
      )}
      <DialogActions>
        <Button type="submit">{i18n.t('Review')}</Button>
        <Button variant="default" onClick={onCancel}>
          {i18n.t('Cancel')}
        </Button>
      </DialogActions>
    </form>
  )
}

type DoneProps = { readonly recovered: Recovered; readonly onClose: () => void }

function Done({ recovered, onClose }: DoneProps) {
  return (
    <DialogWindow title={i18n.t('Recovered')} open onOpenChange={(open) => open || onClose()}>
      <p role="status">
        {i18n.t('{count, plural, one {# event is on the way.} other {# events are on the way.}}', {
          count: recovered.count,
        })}{' '}
        {recovered.restFrom !== null && (
          <Trans
            id="There are more events from {at} on."
            values={{ at: <Time at={recovered.restFrom} /> }}
          />
        )}
      </p>
      <DialogActions>
        <Button onClick={onClose}>{i18n.t('Close')}</Button>
      </DialogActions>
    </DialogWindow>
  )
}
