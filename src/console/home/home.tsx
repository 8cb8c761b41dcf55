import { Title } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import IconClockExclamation from '@tabler/icons-react/icons/IconClockExclamation'
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle'
import IconMailOff from '@tabler/icons-react/icons/IconMailOff'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import IconTicketOff from '@tabler/icons-react/icons/IconTicketOff'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { useOperationCounts } from '../operations/operation-counts.ts'
import { shortWhy } from '../operations/why.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Age, formatDuration } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { CodeMissing, useCode } from '../reading/use-code.tsx'
import { useHealth } from '../reading/use-health.ts'
import { againEveryMs, useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { HomeService } from './home-service.tsx'
import { type FirstSteps, useFirstSteps } from './use-first-steps.ts'

type HealthNow = Schemas['Health']

/** What needs an operator, and the state of the service. Each number links to its list. */
export function Home() {
  const health = useHealth()
  const { error, isPending } = useShown(health)
  if (health.data === undefined) {
    if (isPending) return <Loading what="the overview" />
    return <Failed error={error} again={() => void health.refetch()} />
  }
  return (
    <>
      <ScreenHead title="Home" />
      <GetStarted />
      <Decide health={health.data} />
      <div className="home-columns">
        <OldestWaiting />
        <HomeService health={health.data} isStale={health.isError} />
      </div>
      <Charts />
    </>
  )
}

function Decide({ health }: { readonly health: HealthNow }) {
  const counts = useOperationCounts().data
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
          value={counts?.to_review ?? null}
          note={waitingLongest(counts)}
        />
        <Figure
          name="Contradicted"
          href="/operations?tab=contradicted"
          icon={<IconAlertOctagon size={18} />}
          value={counts?.contradicted ?? null}
          note="evidence against a decision"
        />
        <Figure
          name="Overdue"
          href="/operations?tab=overdue"
          icon={<IconClockExclamation size={18} />}
          value={counts?.past_deadline ?? null}
          note="open for over 8 hours, including snoozed"
        />
        <Figure
          name="Unconfirmed guides"
          href="/operations?tab=unconfirmed"
          icon={<IconHelpCircle size={18} />}
          value={counts?.unconfirmed ?? null}
          note="the courier has not confirmed them"
          isCalm
        />
        <Figure
          name="Guides to cancel"
          href="/operations?tab=surplus"
          icon={<IconTicketOff size={18} />}
          value={counts?.surplus ?? null}
          note="operations with an extra guide"
        />
        <Figure
          name="Reconciling"
          href="/operations?tab=reconciling"
          icon={<IconRefresh size={18} />}
          value={counts?.reconciling ?? null}
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

/** The charts are half of this screen's code, so the numbers do not wait for them. */
function Charts() {
  const { data, isMissing } = useCode('home-charts', () => import('./home-charts.tsx'))
  if (isMissing) return <CodeMissing what="The charts" />
  if (data === undefined) return <Loading what="the charts" />
  const { HomeCharts } = data
  return <HomeCharts />
}

function waitingLongest(counts: ReturnType<typeof useOperationCounts>['data']): string {
  const oldest = counts?.oldest ?? null
  if (counts?.to_review === 0 || oldest === null) return 'nothing to decide'
  return `oldest: ${formatDuration(oldest.age_seconds * 1_000)}`
}

type FigureProps = {
  readonly name: string
  /** The list of what it counts. */
  readonly href: string
  readonly icon: ReactNode
  /** Null until it is known. */
  readonly value: number | null
  /** The real number is higher. */
  readonly isMore?: boolean
  readonly note: string
  /** A number above zero is not bad news. */
  readonly isCalm?: boolean
}

const format = new Intl.NumberFormat('en')

/** A number that links to its list. */
function Figure(props: FigureProps) {
  const { name, href, icon, value, isMore = false, note, isCalm = false } = props
  const tone = value === null || value === 0 ? 'none' : isCalm ? 'calm' : 'bad'
  return (
    <Link href={href} className="figure" data-tone={tone}>
      <span className="figure-name">
        {icon}
        {name}
      </span>
      <strong className="figure-value">
        {value === null ? '…' : format.format(value)}
        {isMore && '+'}
      </strong>
      <span className="figure-note">{note}</span>
    </Link>
  )
}

/**
 * The first steps of an organization without shipments. Their code is loaded only when they are
 * needed.
 */
function GetStarted() {
  const found = useFirstSteps()
  const [last, setLast] = useState<FirstSteps | null>(null)
  useEffect(() => {
    if (found !== null) setLast(found)
  }, [found])
  const { data } = useQuery({
    queryKey: ['code', 'first-steps'],
    queryFn: async () => ({ show: (await import('./first-steps.tsx')).FirstStepsPanel }),
    enabled: found !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: true,
    retryDelay: againEveryMs,
  })
  const steps = found ?? last
  if (steps === null || data === undefined) return null
  const { show: Show } = data
  return <Show steps={steps} isOver={found === null} />
}

const everyMs = 4_000
/** The work list has all of them. */
const shownMax = 8

/** The operations that have waited longest for a decision. */
function OldestWaiting() {
  const { client } = useSession()
  const input = {
    status: 'needs_review',
    snoozed: 'false',
    order: 'oldest',
    limit: shownMax,
  } as const
  const waiting = usePolled(['operations', 'waiting', input], client.operations.list, input, {
    everyMs: () => everyMs,
  })
  return (
    <Panel title="Waiting longest">
      {waiting.data === undefined ? (
        waiting.isPending ? (
          <Loading what="the operations" />
        ) : (
          <Failed error={waiting.error} />
        )
      ) : waiting.data.data.length === 0 ? (
        <Empty title="No operations need review" icon={<IconCircleCheck size={26} stroke={1.5} />}>
          There is nothing to decide now.
        </Empty>
      ) : (
        <ul className="waiting">
          {waiting.data.data.map((operation) => (
            <li key={operation.id}>
              <Link href={`/operations/${operation.id}`}>{operation.external_reference}</Link>
              <span>{shortWhy(operation)}</span>
              <span className="waiting-shop">
                <WorkspaceName id={operation.workspace_id} />
              </span>
              <span className="waiting-marks">
                {operation.contradicted && <Badge value="contradicted" />}
                {operation.escalated && <Badge value="escalated" />}
              </span>
              <span className="waiting-age">
                <Age at={operation.created_at} workspaceId={operation.workspace_id} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
