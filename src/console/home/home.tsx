import { Title } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconClockExclamation from '@tabler/icons-react/icons/IconClockExclamation'
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle'
import IconMailOff from '@tabler/icons-react/icons/IconMailOff'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import type { OperationQuery } from '../operations/operation-views.ts'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { formatDuration } from '../parts/times.tsx'
import { polledEvery, usePolled } from '../reading/polled.ts'
import { useShown } from '../reading/recovery.ts'
import { useSession } from '../session.tsx'
import { Figure } from './figure.tsx'
import { HomeService } from './home-service.tsx'
import { OldestWaiting } from './oldest-waiting.tsx'

type HealthNow = Schemas['Health']

const everyMs = 5_000
const countEveryMs = 10_000
/** The most that one page counts. */
const countMax = 100
/** The service promises an outcome within this time: see the deadline of an operation. */
const promiseSeconds = 8 * 3_600

/** What needs a person, and how the service is. Each figure leads to its list. */
export function Home() {
  const { client } = useSession()
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.health.get({}, { signal }),
    refetchInterval: polledEvery(everyMs),
  })
  const { error, isPending } = useShown(health)
  if (health.data === undefined) {
    if (isPending) return <Loading what="the overview" />
    return <Failed error={error} again={() => void health.refetch()} />
  }
  return (
    <>
      <ScreenHead title="Home" />
      <Decide health={health.data} />
      <div className="home-columns">
        <OldestWaiting />
        <HomeService health={health.data} isStale={health.isError} />
      </div>
    </>
  )
}

function Decide({ health }: { readonly health: HealthNow }) {
  const review = health.operations.find(({ status }) => status === 'needs_review')
  const reconciling = health.operations.find(({ status }) => status === 'reconciling')
  const oldest = review?.oldest_age_seconds ?? null
  return (
    <section aria-label="What needs you">
      <Title order={2} className="home-title">
        What needs you
      </Title>
      <div className="figures">
        <Figure
          name="Needs review"
          href="/operations"
          icon={<IconUserExclamation size={18} />}
          value={review?.count ?? 0}
          note={oldest === null ? 'nothing waits' : `the oldest: ${ageOf(oldest)}`}
        />
        <CountFigure
          name="Contradicted"
          href="/operations?tab=contradicted"
          icon={<IconAlertOctagon size={18} />}
          query={{ contradicted: 'true', status: 'needs_review' }}
          note="evidence against a decision"
        />
        <CountFigure
          name="Past the promise"
          href="/operations?older=28800"
          icon={<IconClockExclamation size={18} />}
          query={{ status: 'needs_review', older_than_seconds: promiseSeconds }}
          note="open for over 8 hours"
        />
        <CountFigure
          name="Unconfirmed"
          href="/operations?tab=unconfirmed"
          icon={<IconHelpCircle size={18} />}
          query={{ unconfirmed: 'true' }}
          note="decided without the courier"
          isCalm
        />
        <Figure
          name="Reconciling"
          href="/operations?tab=reconciling"
          icon={<IconRefresh size={18} />}
          value={reconciling?.count ?? 0}
          note="nothing to do"
          isCalm
        />
        <Figure
          name="Failing endpoints"
          href="/webhooks"
          icon={<IconAlertTriangle size={18} />}
          value={health.webhook_endpoints.failing}
          note={`${health.webhook_endpoints.ok} ok, ${health.webhook_endpoints.disabled} disabled`}
        />
        <Figure
          name="Dead letters"
          href="/deliveries?state=dead"
          icon={<IconMailOff size={18} />}
          value={health.deliveries.dead}
          note={`${health.deliveries.pending} pending`}
        />
      </div>
    </section>
  )
}

type CountProps = Omit<Parameters<typeof Figure>[0], 'value'> & { readonly query: OperationQuery }

/** The number of operations that match, as far as one page counts. */
function CountFigure({ query, ...figure }: CountProps) {
  const { client } = useSession()
  const input = { ...query, limit: countMax }
  const page = usePolled(['operations', 'count', input], client.operations.list, input, {
    everyMs: () => countEveryMs,
  }).data
  const count = page?.data.length ?? null
  return <Figure {...figure} value={count} isMore={page?.has_more === true} />
}

function ageOf(seconds: number): string {
  return formatDuration(seconds * 1_000)
}
