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
      <DialogWindow title="Recover a period" open onOpenChange={(open) => open || onClose()}>
        {isRead ? (
          <PeriodForm period={period} onChange={setEdited} onDone={review} onCancel={onClose} />
        ) : (
          <Loading what="the clock" />
        )}
      </DialogWindow>
    )
  }
  return (
    <ConfirmDialog
      title="Send missed events?"
      does={isDisabled ? 'Enable and send' : 'Send'}
      leaves="Back"
      onLeave={() => {
        recover.reset()
        setConfirming(false)
      }}
      onStop={() => stop.current?.abort()}
      isPending={recover.isPending}
      onConfirm={() => recover.mutate()}
    >
      <p>
        Every event from{' '}
        <strong>
          <Time at={momentOf(period.since)} />
        </strong>{' '}
        until{' '}
        <strong>
          <Time at={momentOf(period.until)} />
        </strong>{' '}
        (on the workspace’s clock) that <code>{endpoint.url}</code> subscribes to and never received
        is sent with its original id and bytes.
      </p>
      <RecoverableCount endpointId={endpoint.id} period={period} />
      {isDisabled && <p>The endpoint is disabled. New events will be sent to it again.</p>}
      {recover.isPending && <p role="status">{recovered.count} so far…</p>}
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
  if (data === undefined) return <p role="status">Counting…</p>
  const events = data.count === 1 ? '1 event' : `${data.count} events`
  return (
    <p role="status">
      <strong>{data.is_complete ? events : `At least ${events}`}</strong> to send.
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
  if (lengthMs <= 0) return 'It ends before it begins.'
  return lengthMs > periodMaxMs ? 'It is longer than 14 days.' : null
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
      {field('From (UTC)', 'since')}
      {field('Until (UTC)', 'until')}
      <p className="reason">At most 14 days, on the workspace’s clock.</p>
      {fault !== null && (
        <p className="refusal" role="alert">
          {fault}
        </p>
      )}
      <DialogActions>
        <Button type="submit">Review</Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </DialogActions>
    </form>
  )
}

type DoneProps = { readonly recovered: Recovered; readonly onClose: () => void }

function Done({ recovered, onClose }: DoneProps) {
  return (
    <DialogWindow title="Recovered" open onOpenChange={(open) => open || onClose()}>
      <p role="status">
        {recovered.count === 1 ? '1 event is' : `${recovered.count} events are`} on the way.
        {recovered.restFrom !== null && (
          <>
            {' '}
            There are more events from <Time at={recovered.restFrom} /> on.
          </>
        )}
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </DialogWindow>
  )
}
