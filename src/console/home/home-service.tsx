import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { formatDuration, Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { CallsOfLastHour } from '../service/calls-of-last-hour.tsx'
import { useSession } from '../session.tsx'

const checkpointEveryMs = 5_000

type ServiceProps = { readonly health: Schemas['Health']; readonly isStale: boolean }

/** The state of the couriers, the webhooks and the ledger. */
export function HomeService({ health, isStale }: ServiceProps) {
  return (
    <Panel
      title="Service"
      aside={<Badge value={health.status} isStale={isStale} />}
      className="home-service"
    >
      <Facts facts={[...serviceFacts(health, isStale), ...useLedgerFacts(health, isStale)]} />
    </Panel>
  )
}

function serviceFacts(health: ServiceProps['health'], isStale: boolean): readonly Fact[] {
  const { couriers, oldest_undelivered: oldest, projections } = health
  const isFollowed =
    health.ledger.state !== 'damaged' && projections.every(({ state }) => state === 'working')
  return [
    ...couriers.map(
      ({ provider_code: code, status }) =>
        [
          `Courier ${code}`,
          <span key={code}>
            <Badge value={status} isStale={isStale} /> <CallsOfLastHour code={code} />
          </span>,
        ] as const,
    ),
    [
      'Oldest undelivered webhook',
      oldest === null ? (
        'none'
      ) : (
        <Link key="oldest" href={hrefOf(oldest.event_id)}>
          {formatDuration(oldest.age_seconds * 1_000)} old
        </Link>
      ),
    ],
    [
      'Read models',
      <Badge key="read" value={isFollowed ? 'working' : 'stopped'} isStale={isStale} />,
    ],
  ]
}

function useLedgerFacts({ witnesses }: ServiceProps['health'], isStale: boolean): readonly Fact[] {
  const { client } = useSession()
  const checkpoint = usePolled(
    ['checkpoint'],
    client.ledger.getCheckpoint,
    {},
    { everyMs: () => checkpointEveryMs, isEnabled: useMay('ledger:read') },
  ).data
  if (checkpoint === undefined) return []
  return [
    ['Sealed events', checkpoint.tree_size],
    ['Last checkpoint', <Time key="checkpoint" at={checkpoint.created_at} />],
    ...witnesses.map(
      ({ name, state }) =>
        [`Witness ${name}`, <Badge key={name} value={state} isStale={isStale} />] as const,
    ),
  ]
}
