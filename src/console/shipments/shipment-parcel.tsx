import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Shipment, Tracking } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { AgencyAddress, AgencyLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Moment, Time, useNow } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { heldUpBy, isOnItsWay, monitoringWords, needsAction, whereIs } from './parcel-words.ts'
import type { Replay } from './shipment-replay.tsx'

const everyMs = 5_000

type ParcelProps = {
  /** The shipment at the selected version; null while it is loading. */
  readonly shown: Shipment | null
  readonly id: string
  /** Scans received after the selected version are hidden. */
  readonly replay: Replay
}

/** Where the parcel is and when it should arrive, with its scans, latest first. */
export function ShipmentParcel({ id, shown, replay }: ParcelProps) {
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
      title="Parcel"
      className="parcel"
      aside={
        <ActButton
          word="Ask the courier"
          scope="shipments:write"
          isPending={refresh.isPending}
          onAct={() => refresh.mutate()}
        />
      }
    >
      {shown !== null && <Where shipment={shown} />}
      <Refused error={refresh.error} />
      {tracking.data !== undefined ? (
        <Journey tracking={tracking.data} shown={shown} replay={replay} />
      ) : tracking.isPending ? (
        <Loading what="the tracking" />
      ) : (
        <Failed error={tracking.error} />
      )}
    </Panel>
  )
}

/** The state of the parcel as a sentence. */
function Where({ shipment }: { readonly shipment: Shipment }) {
  const { exception } = shipment.tracking
  return (
    <>
      <p className="where">{whereIs(shipment)}</p>
      {exception !== null && (
        <p className="held-up">
          {heldUpBy(exception.code)} {exception.action_required && needsAction}
        </p>
      )}
    </>
  )
}

type JourneyProps = {
  readonly tracking: Tracking
  readonly shown: Shipment | null
  readonly replay: Replay
}

function Journey({ tracking, shown, replay }: JourneyProps) {
  const { version, at } = replay
  const isPast = version !== null
  if (shown === null || (isPast && at === null)) return <p>…</p>
  const scans = tracking.events.filter(
    ({ received_at: receivedAt }) => !isPast || (at !== null && receivedAt <= at),
  )
  const words = isPast ? null : monitoringWords(tracking.monitoring)
  return (
    <>
      <Facts facts={factsOf(tracking, shown, isPast)} />
      <Anomalies tracking={tracking} isPast={isPast} />
      {scans.length > 0 ? (
        <Scans scans={scans} />
      ) : (
        (isPast || shown.guide_number !== null) && (
          <p className="reason no-scans">
            {isPast
              ? 'No scans at this version.'
              : 'No scans yet: the courier reports the first one when it takes the parcel.'}
          </p>
        )
      )}
      {words !== null && <p className="reason">{words}</p>}
      {!isPast && <Facts facts={checksOf(tracking.monitoring)} />}
    </>
  )
}

type Scan = Tracking['events'][number]

function factsOf(tracking: Tracking, shown: Shipment, isPast: boolean): readonly Fact[] {
  const { eta, status } = tracking
  const workspaceId = shown.workspace_id
  const last = tracking.events.findLast(({ agency_id: agencyId }) => agencyId !== null)
  const facts: (Fact | null)[] = [
    isPast || !isOnItsWay(status)
      ? null
      : ['Expected', <Expected key="eta" eta={eta} workspaceId={workspaceId} />],
    isPast || last === undefined || last.agency_id === null
      ? null
      : ['Last seen at', <AgencyLink key="last" id={last.agency_id} />],
    ['Destination', <AgencyAddress key="to" id={shown.destination.agency_id} />],
    ['Guide', shown.guide_number && <Copyable key="guide" text={shown.guide_number} />],
  ]
  return facts.filter((fact) => fact !== null)
}

/** When the courier was asked, and when it is asked again. */
function checksOf({ last_checked_at: last, next_check_at: next }: Tracking['monitoring']) {
  const facts: (Fact | null)[] = [
    last === null ? null : ['Courier last asked', <Time key="last" at={last} />],
    next === null ? null : ['Courier asked again', <Time key="next" at={next} />],
  ]
  return facts.filter((fact) => fact !== null)
}

type ExpectedProps = { readonly eta: string | null; readonly workspaceId: string }

function Expected({ eta, workspaceId }: ExpectedProps) {
  const now = useNow(workspaceId)
  if (eta === null) return 'The courier does not say when.'
  return (
    <>
      <Moment at={eta} workspaceId={workspaceId} />
      {Date.parse(eta) < now && <strong className="late">It is late.</strong>}
    </>
  )
}

/** The scans of the parcel, latest first. */
function Scans({ scans }: { readonly scans: readonly Scan[] }) {
  return (
    <ol className="timeline" aria-label="Scans">
      {scans.toReversed().map((scan) => (
        <li key={scan.id} data-mapped={scan.mapped}>
          <strong>{scan.description}</strong>
          <div className="scan">
            <Time at={scan.occurred_at} />
            {scan.agency_id !== null && <AgencyLink id={scan.agency_id} />}
          </div>
        </li>
      ))}
    </ol>
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
