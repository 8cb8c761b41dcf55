import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Facts } from '../parts/facts.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { ClockTime, formatDuration, Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { ShipmentVerification } from '../proofs/shipment-verification.tsx'
import { usePolled } from '../reading/polled.ts'
import { useHealth } from '../reading/use-health.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { CallsOfLastHour } from './calls-of-last-hour.tsx'
import { LedgerCondition } from './ledger-condition.tsx'

type HealthNow = Schemas['Health']

const checkpointEveryMs = 5_000

/** The service's health in the key's tenant scope, and the verification of its ledger. */
export function Health() {
  return (
    <>
      <ScreenHead title="Health" />
      <Needs scope="operations:read">
        <Service />
      </Needs>
      <Panel title="Ledger">
        <Needs scope="ledger:read">
          <Checkpoint />
        </Needs>
      </Panel>
      <Needs scope="ledger:read">
        <ShipmentVerification />
      </Needs>
    </>
  )
}

function Service() {
  const health = useHealth()
  const { error, isPending } = useShown(health)
  if (health.data === undefined) {
    if (isPending) return <Loading what="the health" />
    return <Failed error={error} again={() => void health.refetch()} />
  }
  return (
    <>
      <section className="panel" aria-label="Service">
        {health.isError && <LastKnown at={health.dataUpdatedAt} />}
        <Facts facts={factsOf(health.data, health.isError)} />
      </section>
      <LedgerCondition ledger={health.data.ledger} />
      <div className="columns">
        <Projections health={health.data} isStale={health.isError} />
        <OpenOperations health={health.data} />
      </div>
    </>
  )
}

/** Shown when the service no longer responds. */
function LastKnown({ at }: { readonly at: number }) {
  return (
    <p className="refusal">
      The service does not respond. This health data is from{' '}
      <ClockTime at={new Date(at).toISOString()} />.
    </p>
  )
}

function factsOf(health: HealthNow, isStale: boolean) {
  const { status, oldest_undelivered: oldest, couriers, deliveries, webhook_endpoints } = health
  return [
    ['Status', <Badge key="status" value={status} isStale={isStale} />],
    ['Ledger', <Badge key="ledger" value={health.ledger.state} isStale={isStale} />],
    [
      'Oldest undelivered webhook',
      oldest && (
        <Link key="oldest" href={hrefOf(oldest.event_id)}>
          {ageOf(oldest.age_seconds)} old
        </Link>
      ),
    ],
    ['Webhook endpoints', endpointsOf(webhook_endpoints)],
    ['Dead deliveries', endedOf('dead', deliveries.dead)],
    ['Discarded deliveries', endedOf('discarded', deliveries.discarded)],
    ...couriers.map(
      (courier) =>
        [
          `Courier ${courier.provider_code}`,
          <span key={courier.provider_code}>
            <Badge value={courier.status} isStale={isStale} />{' '}
            <CallsOfLastHour code={courier.provider_code} />
          </span>,
        ] as const,
    ),
  ] as const
}

function endpointsOf({ ok, failing, disabled }: HealthNow['webhook_endpoints']) {
  return (
    <Link key="endpoints" href="/webhooks">
      {ok} ok, {failing} failing, {disabled} disabled
    </Link>
  )
}

function endedOf(state: 'dead' | 'discarded', count: number) {
  return (
    <Link key={state} href={`/deliveries?state=${state}`}>
      {count}
    </Link>
  )
}

function ageOf(seconds: number): string {
  return formatDuration(seconds * 1_000)
}

/** The lag of each read model behind the events. */
function Projections({
  health,
  isStale,
}: {
  readonly health: HealthNow
  readonly isStale: boolean
}) {
  // Read models stop at a damaged ledger, and their lag is unknown.
  const isHalted = health.ledger.state === 'damaged'
  return (
    <Panel title="Projections">
      <table className="evidence">
        <thead>
          <tr>
            <th scope="col">Read model</th>
            <th scope="col">State</th>
            <th scope="col">Lag</th>
          </tr>
        </thead>
        <tbody>
          {health.projections.map(({ name, generation, state, lag_seconds: lag }) => (
            <tr key={`${name} ${generation}`}>
              <td>{name.replaceAll('_', ' ')}</td>
              <td>
                <Badge value={isHalted ? 'stopped' : state} isStale={isStale} />
              </td>
              <td>{isHalted ? '–' : lag < 1 ? 'under 1 s' : ageOf(lag)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function OpenOperations({ health }: { readonly health: HealthNow }) {
  return (
    <Panel title="Open operations by age">
      <WideTable
        name="Ages"
        columns={['State', 'All', '< 10 min', '< 1 h', '< 1 day', 'Older', 'Oldest']}
      >
        {health.operations.map(({ status, count, ages, oldest_age_seconds: oldest }) => (
          <tr key={status}>
            <td>
              <Link href={status === 'needs_review' ? '/operations' : `/operations?tab=${status}`}>
                {status.replaceAll('_', ' ')}
              </Link>
            </td>
            <td>{count}</td>
            <td>{ages.under_10_minutes}</td>
            <td>{ages.under_1_hour}</td>
            <td>{ages.under_1_day}</td>
            <td>{ages.older}</td>
            <td>{oldest === null ? '–' : ageOf(oldest)}</td>
          </tr>
        ))}
      </WideTable>
    </Panel>
  )
}

function Checkpoint() {
  const { client } = useSession()
  const checkpoint = usePolled(
    ['checkpoint'],
    client.ledger.getCheckpoint,
    {},
    { everyMs: () => checkpointEveryMs },
  )
  if (checkpoint.data === undefined) {
    if (checkpoint.isPending) return <Loading what="the checkpoint" />
    return <Failed error={checkpoint.error} again={() => void checkpoint.refetch()} />
  }
  const { tree_size, root_hash, key_id, created_at } = checkpoint.data
  return (
    <Facts
      facts={[
        ['Sealed events', tree_size],
        ['Signed', <Time key="signed" at={created_at} />],
        ['Key', <Copyable key="key" text={key_id} />],
        ['Root', <Copyable key="root" text={root_hash} />],
      ]}
    />
  )
}
