import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Box, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Shipment, Tracking } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { AgencyAddress, AgencyLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Moment, Time, useNow } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import {
  heldUpBy,
  isExpected,
  monitoringWords,
  needsAction,
  scanWords,
  whereIs,
} from './parcel-words.ts'
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
  const hasGuide = tracking.data !== undefined && tracking.data.status !== null
  return (
    <Panel
      title={i18n.t('Parcel')}
      className="parcel"
      aside={
        hasGuide && (
          <ActButton
            word={i18n.t('Ask the courier')}
            scope="shipments:write"
            isPending={refresh.isPending}
            onAct={() => refresh.mutate()}
          />
        )
      }
    >
      {shown !== null && <Where shipment={shown} />}
      <Refused error={refresh.error} />
      {tracking.data !== undefined ? (
        <Journey tracking={tracking.data} shown={shown} replay={replay} />
      ) : tracking.isPending ? (
        <Loading />
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
      <Text fz="lg" fw={600} mb="2xs">
        {whereIs(shipment) ?? <ServiceText>{spaced(shipment.tracking.status ?? '')}</ServiceText>}
      </Text>
      {exception !== null && (
        <Box component="p" px="xs" py="2xs" c="var(--warn)" className="warned">
          {heldUpBy(exception.code) ?? (
            <Trans
              id="The courier reports a problem: {problem}."
              values={{ problem: <ServiceText>{spaced(exception.code)}</ServiceText> }}
            />
          )}{' '}
          {exception.action_required && needsAction()}
        </Box>
      )}
    </>
  )
}

function spaced(code: string): string {
  return code.replaceAll('_', ' ')
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
          <Text c="dimmed" fz="sm" mt="sm">
            {isPast
              ? i18n.t('No scans at this version.')
              : i18n.t('No scans yet: the courier reports the first one when it takes the parcel.')}
          </Text>
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
    isPast || !isExpected(status)
      ? null
      : [i18n.t('Expected'), <Expected key="eta" eta={eta} workspaceId={workspaceId} />],
    isPast || last === undefined || last.agency_id === null
      ? null
      : [i18n.t('Last seen at'), <AgencyLink key="last" id={last.agency_id} />],
    [i18n.t('Destination'), <AgencyAddress key="to" id={shown.destination.agency_id} />],
    [i18n.t('Guide'), shown.guide_number && <Copyable key="guide" text={shown.guide_number} />],
  ]
  return facts.filter((fact) => fact !== null)
}

/** When the courier was asked, and when it is asked again. */
function checksOf({ last_checked_at: last, next_check_at: next }: Tracking['monitoring']) {
  const facts: (Fact | null)[] = [
    last === null ? null : [i18n.t('Courier last asked'), <Time key="last" at={last} />],
    next === null ? null : [i18n.t('Courier asked next'), <Time key="next" at={next} />],
  ]
  return facts.filter((fact) => fact !== null)
}

type ExpectedProps = { readonly eta: string | null; readonly workspaceId: string }

function Expected({ eta, workspaceId }: ExpectedProps) {
  const now = useNow(workspaceId)
  if (eta === null) return i18n.t('The courier does not say when.')
  return (
    <>
      <Moment at={eta} workspaceId={workspaceId} />
      {Date.parse(eta) < now && (
        <Box component="strong" display="block" c="var(--warn)">
          {i18n.t('It is late.')}
        </Box>
      )}
    </>
  )
}

/** The scans of the parcel, latest first. */
function Scans({ scans }: { readonly scans: readonly Scan[] }) {
  return (
    <ol className="timeline" aria-label={i18n.t('Scans')}>
      {scans.toReversed().map((scan) => (
        <li key={scan.id} data-mapped={scan.mapped}>
          <strong>{scanWords(scan.code) ?? <ServiceText>{scan.description}</ServiceText>}</strong>
          <Group gap="2xs" fz="sm">
            <Time at={scan.occurred_at} />
            {scan.agency_id !== null && <AgencyLink id={scan.agency_id} />}
          </Group>
        </li>
      ))}
    </ol>
  )
}

const anomalies: Readonly<Record<string, (count: number) => string>> = {
  earlier_parcel: (count) =>
    i18n.t(
      '{count, plural, one {# scan from before this shipment, when an earlier parcel had the guide number} other {# scans from before this shipment, when an earlier parcel had the guide number}}',
      { count },
    ),
  impossible_move: (count) =>
    i18n.t(
      '{count, plural, one {# scan that is impossible after the previous ones} other {# scans that are impossible after the previous ones}}',
      { count },
    ),
  guide_number_shared: (count) =>
    i18n.t(
      '{count, plural, one {# other shipment with the same guide number} other {# other shipments with the same guide number}}',
      { count },
    ),
}

type AnomaliesProps = { readonly tracking: Tracking; readonly isPast: boolean }

/** The current anomalies in what the courier reports. */
function Anomalies({ tracking, isPast }: AnomaliesProps) {
  if (isPast || tracking.anomalies.length === 0) return null
  return (
    <ul className="reason">
      {tracking.anomalies.map(({ code, count, shipment_ids: ids }) => (
        <li key={code}>
          {anomalies[code]?.(count) ?? <ServiceText>{`${count} ${code}`}</ServiceText>}
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
