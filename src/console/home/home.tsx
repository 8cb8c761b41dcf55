import { Title } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconClockExclamation from '@tabler/icons-react/icons/IconClockExclamation'
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle'
import IconMailOff from '@tabler/icons-react/icons/IconMailOff'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import IconTicketOff from '@tabler/icons-react/icons/IconTicketOff'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import type { Schemas } from '../../client/methods.ts'
import { useOperationCounts } from '../operations/operation-counts.ts'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { formatDuration } from '../parts/times.tsx'
import { CodeMissing, useCode } from '../reading/use-code.tsx'
import { useHealth } from '../reading/use-health.ts'
import { useShown } from '../reading/use-recovery.ts'
import { Figure } from './figure.tsx'
import { GetStarted } from './get-started.tsx'
import { HomeService } from './home-service.tsx'
import { OldestWaiting } from './oldest-waiting.tsx'

type HealthNow = Schemas['Health']

/** What needs a person, and how the service is. Each figure leads to its list. */
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
          name="Past the promise"
          href="/operations?tab=overdue"
          icon={<IconClockExclamation size={18} />}
          value={counts?.past_deadline ?? null}
          note="open for over 8 hours, put off or not"
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
          note="operations with a guide too many"
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

/** The charts are half of this screen's code, so the figures do not wait for them. */
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
  return `the oldest: ${formatDuration(oldest.age_seconds * 1_000)}`
}
