import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Tracking } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { AgencyLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import type { Replay } from './shipment-replay.tsx'

const everyMs = 5_000

type TrackingProps = {
  readonly id: string
  /** Scans received after the selected version are hidden. */
  readonly replay: Replay
}

/** The parcel's scans, latest first. */
export function ShipmentTracking({ id, replay }: TrackingProps) {
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
    <Panel
      title="Tracking"
      aside={
        <ActButton
          word="Ask the courier"
          scope="shipments:write"
          isPending={refresh.isPending}
          onAct={() => refresh.mutate()}
        />
      }
    >
      <Refused error={refresh.error} />
      {tracking.data !== undefined ? (
        <Timeline tracking={tracking.data} replay={replay} />
      ) : tracking.isPending ? (
        <Loading what="the tracking" />
      ) : (
        <Failed error={tracking.error} />
      )}
    </Panel>
  )
}

type TimelineProps = { readonly tracking: Tracking; readonly replay: Replay }

function Timeline({ tracking, replay }: TimelineProps) {
  const { events, monitoring, eta, exception } = tracking
  const { version, at } = replay
  const isPast = version !== null
  if (isPast && at === null) return <p>…</p>
  const known = events.filter(({ received_at }) => !isPast || (at !== null && received_at <= at))
  return (
    <>
      <p className="reason" hidden={isPast}>
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
      <Anomalies tracking={tracking} isPast={isPast} />
      {known.length === 0 ? (
        <p>No scans {isPast ? 'at this version' : 'yet'}.</p>
      ) : (
        <ol className="timeline">
          {known.toReversed().map((scan) => (
            <li key={scan.id} data-mapped={scan.mapped}>
              <div className="scan">
                {scan.status === null ? (
                  <strong>{scan.code.replaceAll('_', ' ')}</strong>
                ) : (
                  <Badge value={scan.status} />
                )}
                {scan.agency_id !== null && <AgencyLink id={scan.agency_id} />}
                <Time at={scan.occurred_at} />
              </div>
              <p className="reason">{scan.description}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

const anomalyText = {
  earlier_parcel: 'scans from before this shipment, when an earlier parcel had the guide number',
  impossible_move: 'scans that are impossible after the previous ones',
  guide_number_shared: 'other shipments with the same guide number',
} as const

type AnomaliesProps = { readonly tracking: Tracking; readonly isPast: boolean }

/** The current anomalies in what the courier reports. */
function Anomalies({ tracking, isPast }: AnomaliesProps) {
  if (isPast || tracking.anomalies.length === 0) return null
  return (
    <ul className="reason">
      {tracking.anomalies.map(({ code, count, shipment_ids: ids }) => (
        <li key={code}>
          {count} {code in anomalyText ? anomalyText[code as keyof typeof anomalyText] : code}
          {ids.map((id) => (
            <span key={id}>
              {' '}
              <Link href={`/shipments/${id}`}>{id}</Link>
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
