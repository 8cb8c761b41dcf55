import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Tracking } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { usePolled } from '../parts/polled.ts'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const everyMs = 5_000

type TrackingProps = {
  readonly id: string
  /** Of a replay: what became known later is not shown. */
  readonly until: string | null
}

/** Where the parcel has been, the last scan first. */
export function ShipmentTracking({ id, until }: TrackingProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const tracking = usePolled(
    ['tracking', id],
    client.tracking.get,
    { id },
    {
      everyMs: () => everyMs,
    },
  )
  const refresh = useMutation({
    mutationFn: () => client.tracking.refresh({ id }),
    onSuccess: (now) => queries.setQueryData(['tracking', id], now),
  })
  return (
    <section className="panel" aria-label="Tracking">
      <div className="actions">
        <h2>Tracking</h2>
        <ActButton
          word="Ask the courier"
          scope="shipments:write"
          isPending={refresh.isPending}
          onAct={() => refresh.mutate()}
        />
      </div>
      <Refused error={refresh.error} />
      {tracking.data !== undefined ? (
        <Timeline tracking={tracking.data} until={until} />
      ) : tracking.isPending ? (
        <Loading what="the tracking" />
      ) : (
        <Failed error={tracking.error} />
      )}
    </section>
  )
}

function Timeline({
  tracking,
  until,
}: {
  readonly tracking: Tracking
  readonly until: string | null
}) {
  const { events, monitoring, eta, exception } = tracking
  const known = events.filter(({ received_at }) => until === null || received_at <= until)
  return (
    <>
      <p className="reason" hidden={until !== null}>
        Monitoring {monitoring.state.replaceAll('_', ' ')}
        {monitoring.next_check_at !== null && (
          <>
            , next check <Time at={monitoring.next_check_at} />
          </>
        )}
        {eta !== null && (
          <>
            {' '}
            · expected <Time at={eta} />
          </>
        )}
        {exception !== null && <> · exception: {exception.code.replaceAll('_', ' ')}</>}
      </p>
      {known.length === 0 ? (
        <p>No scan is known{until === null ? ' yet' : ' at this version'}.</p>
      ) : (
        <ol className="timeline">
          {known.toReversed().map((scan) => (
            <li key={scan.id} data-mapped={scan.mapped}>
              <strong>{scan.status?.replaceAll('_', ' ') ?? scan.code.replaceAll('_', ' ')}</strong>{' '}
              <Time at={scan.occurred_at} />
              <br />
              {scan.description}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
