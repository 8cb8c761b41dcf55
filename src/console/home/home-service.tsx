import { i18n } from '@lingui/core'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
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
      title={i18n.t('Service')}
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
          i18n.t('Courier {code}', { code }),
          <span key={code}>
            <Badge value={status} isStale={isStale} /> <CallsOfLastHour code={code} />
          </span>,
        ] as const,
    ),
    [
      i18n.t('Oldest undelivered webhook'),
      oldest === null ? (
        i18n.t('all delivered')
      ) : (
        <Link key="oldest" href={hrefOf(oldest.event_id)}>
          {i18n.t('{duration} old', { duration: formatDuration(oldest.age_seconds * 1_000) })}
        </Link>
      ),
    ],
    [
      i18n.t('Read models'),
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
    [i18n.t('Sealed events'), formatNumber(checkpoint.tree_size)],
    [i18n.t('Last checkpoint'), <Time key="checkpoint" at={checkpoint.created_at} />],
    ...witnesses.map(
      ({ name, state }) =>
        [
          i18n.t('Witness {name}', { name }),
          <Badge key={name} value={state} isStale={isStale} />,
        ] as const,
    ),
  ]
}
