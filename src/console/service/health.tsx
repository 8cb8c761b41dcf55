import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { SimpleGrid } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Facts } from '../parts/facts.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { Needs } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { stateWord } from '../parts/state-words.ts'
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
      <ScreenHead title={i18n.t('Health')} />
      <Needs scope="operations:read">
        <Service />
      </Needs>
      <Panel title={i18n.t('Ledger')}>
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
    if (isPending) return <Loading />
    return <Failed error={error} again={() => void health.refetch()} />
  }
  return (
    <>
      <section className="panel" aria-label={i18n.t('Service')}>
        {health.isError && <LastKnown at={health.dataUpdatedAt} />}
        <Facts facts={factsOf(health.data, health.isError)} />
      </section>
      <LedgerCondition ledger={health.data.ledger} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm" style={{ alignItems: 'start' }}>
        <Projections health={health.data} isStale={health.isError} />
        <OpenOperations health={health.data} />
      </SimpleGrid>
    </>
  )
}

/** Shown when the service no longer responds. */
function LastKnown({ at }: { readonly at: number }) {
  return (
    <p className="refusal">
      <Trans
        id="The service does not respond. This health data is from {time}."
        values={{ time: <ClockTime at={new Date(at).toISOString()} /> }}
      />
    </p>
  )
}

function factsOf(health: HealthNow, isStale: boolean) {
  const { status, oldest_undelivered: oldest, couriers, deliveries, webhook_endpoints } = health
  return [
    [i18n.t('Status'), <Badge key="status" value={status} isStale={isStale} />],
    [i18n.t('Ledger'), <Badge key="ledger" value={health.ledger.state} isStale={isStale} />],
    [
      i18n.t('Oldest undelivered webhook'),
      oldest && (
        <Link key="oldest" href={hrefOf(oldest.event_id)}>
          {i18n.t('{duration} old', { duration: ageOf(oldest.age_seconds) })}
        </Link>
      ),
    ],
    [i18n.t('Webhook endpoints'), endpointsOf(webhook_endpoints)],
    [i18n.t('Dead deliveries'), endedOf('dead', deliveries.dead)],
    [i18n.t('Discarded deliveries'), endedOf('discarded', deliveries.discarded)],
    ...couriers.map(
      (courier) =>
        [
          i18n.t('Courier {code}', { code: courier.provider_code }),
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
      {i18n.t('{ok} ok, {failing} failing, {disabled} disabled', {
        ok: formatNumber(ok),
        failing: formatNumber(failing),
        disabled: formatNumber(disabled),
      })}
    </Link>
  )
}

function endedOf(state: 'dead' | 'discarded', count: number) {
  return (
    <Link key={state} href={`/deliveries?state=${state}`}>
      {formatNumber(count)}
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
    <Panel title={i18n.t('Projections')}>
      <table className="evidence">
        <thead>
          <tr>
            <th scope="col">{i18n.t('Read model')}</th>
            <th scope="col">{i18n.t('State')}</th>
            <th scope="col">{i18n.t('Lag')}</th>
          </tr>
        </thead>
        <tbody>
          {health.projections.map(({ name, generation, state, lag_seconds: lag }) => (
            <tr key={`${name} ${generation}`}>
              <td>
                {readModelText()[name] ?? <ServiceText>{name.replaceAll('_', ' ')}</ServiceText>}
              </td>
              <td>
                <Badge value={isHalted ? 'stopped' : state} isStale={isStale} />
              </td>
              <td>{isHalted ? '–' : lag < 1 ? i18n.t('under 1 s') : ageOf(lag)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

const readModelText = (): Readonly<Record<string, string>> => ({
  shipments: i18n.t('shipments'),
  audit: i18n.t('audit'),
  outbox: i18n.t('outbox'),
  due: i18n.t('due'),
})

function OpenOperations({ health }: { readonly health: HealthNow }) {
  return (
    <Panel title={i18n.t('Open operations by age')}>
      <WideTable
        name={i18n.t('Ages')}
        columns={[
          i18n.t('State'),
          i18n.t('All'),
          i18n.t('< 10 min'),
          i18n.t('< 1 h'),
          i18n.t('< 1 day'),
          i18n.t('Older'),
          i18n.t('Oldest'),
        ]}
      >
        {health.operations.map(({ status, count, ages, oldest_age_seconds: oldest }) => (
          <tr key={status}>
            <td>
              <Link href={status === 'needs_review' ? '/operations' : `/operations?tab=${status}`}>
                {stateWord(status)}
              </Link>
            </td>
            <td>{formatNumber(count)}</td>
            <td>{formatNumber(ages.under_10_minutes)}</td>
            <td>{formatNumber(ages.under_1_hour)}</td>
            <td>{formatNumber(ages.under_1_day)}</td>
            <td>{formatNumber(ages.older)}</td>
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
    if (checkpoint.isPending) return <Loading />
    return <Failed error={checkpoint.error} again={() => void checkpoint.refetch()} />
  }
  const { tree_size, root_hash, key_id, created_at } = checkpoint.data
  return (
    <Facts
      facts={[
        [i18n.t('Sealed events'), formatNumber(tree_size)],
        [i18n.t('Signed'), <Time key="signed" at={created_at} />],
        [i18n.t('Key'), <Copyable key="key" text={key_id} />],
        [i18n.t('Root'), <Copyable key="root" text={root_hash} />],
      ]}
    />
  )
}
