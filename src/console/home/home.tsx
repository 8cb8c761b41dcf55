import { i18n } from '@lingui/core'
import { Box, Group, Stack, Title } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import IconClockExclamation from '@tabler/icons-react/icons/IconClockExclamation'
import IconCoins from '@tabler/icons-react/icons/IconCoins'
import IconFileInvoice from '@tabler/icons-react/icons/IconFileInvoice'
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle'
import IconMailOff from '@tabler/icons-react/icons/IconMailOff'
import IconTicketOff from '@tabler/icons-react/icons/IconTicketOff'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { toCheck } from '../invoices/invoice-findings.ts'
import { formatNumber } from '../languages/language.ts'
import { type AtStake, moneyText, useMoneyAtStake } from '../operations/money-at-stake.tsx'
import { useOperationCounts } from '../operations/operation-counts.ts'
import { shortWhy } from '../operations/why.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Waiting } from '../parts/times.tsx'
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
    if (isPending) return <Loading />
    return <Failed error={error} again={() => void health.refetch()} />
  }
  return (
    <>
      <ScreenHead title={i18n.t('Home')} />
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
  const stake = useMoneyAtStake({})
  const invoices = useInvoicesToDecide()
  return (
    <section aria-label={i18n.t('What needs you')}>
      <Title order={2} mb="xs">
        {i18n.t('What needs you')}
      </Title>
      <div className="figures">
        <Figure
          name={i18n.t('Needs review')}
          href="/operations"
          icon={<IconUserExclamation size={18} />}
          value={counts?.to_review ?? null}
          note={<WaitingLongest count={counts?.to_review} />}
        />
        <Figure
          name={i18n.t('Money at stake')}
          href="/operations"
          icon={<IconCoins size={18} />}
          value={stake === undefined ? null : stakeText(stake)}
          note={stake === undefined ? '' : stakeNote(stake)}
        />
        <Figure
          name={i18n.t('Contradicted')}
          href="/operations?tab=contradicted"
          icon={<IconAlertOctagon size={18} />}
          value={counts?.contradicted ?? null}
          note={i18n.t('evidence against a decision')}
        />
        <Figure
          name={i18n.t('Overdue')}
          href="/operations?tab=overdue"
          icon={<IconClockExclamation size={18} />}
          value={counts?.past_deadline ?? null}
          note={i18n.t('open over 8 hours, snoozed too')}
        />
        <Figure
          name={i18n.t('Guides to cancel')}
          href="/operations?tab=surplus"
          icon={<IconTicketOff size={18} />}
          value={counts?.surplus ?? null}
          note={i18n.t('operations with an extra guide')}
        />
        <Figure
          name={i18n.t('Unconfirmed guides')}
          href="/operations?tab=unconfirmed"
          icon={<IconHelpCircle size={18} />}
          value={counts?.unconfirmed ?? null}
          note={i18n.t('not confirmed by the courier')}
          isCalm
        />
        <Figure
          name={i18n.t('Invoices to decide')}
          href="/courier-invoices?undecided=true"
          icon={<IconFileInvoice size={18} />}
          value={invoices === undefined ? null : invoices.count}
          isMore={invoices?.isMore === true}
          note={invoices === undefined ? '' : toDecideText(invoices.lines)}
        />
        <Figure
          name={i18n.t('Failing endpoints')}
          href="/webhooks?status=enabled&health=failing"
          icon={<IconAlertTriangle size={18} />}
          value={health.webhook_endpoints.failing}
          note={i18n.t('{ok} ok, {disabled} disabled', {
            ok: health.webhook_endpoints.ok,
            disabled: health.webhook_endpoints.disabled,
          })}
        />
        <Figure
          name={i18n.t('Dead letters')}
          href="/deliveries?state=dead"
          icon={<IconMailOff size={18} />}
          value={health.deliveries.dead}
          note={i18n.t('{count, plural, one {# pending} other {# pending}}', {
            count: health.deliveries.pending,
          })}
        />
      </div>
    </section>
  )
}

function stakeText(stake: AtStake): string | number | null {
  return moneyText(stake) ?? (stake.unpriced === 0 ? 0 : null)
}

function stakeNote({ unpriced }: AtStake): string {
  if (unpriced === 0) return i18n.t('in operations to review')
  return i18n.t('{count, plural, one {one price is not known} other {# prices are not known}}', {
    count: unpriced,
  })
}

/** A page of invoices is more than anyone decides in a day. */
const invoicesMax = 100
const invoicesEveryMs = 15_000

/** The courier invoices with lines that need a decision; undefined until they are known. */
function useInvoicesToDecide() {
  const { client } = useSession()
  const input = { undecided: 'true', limit: invoicesMax } as const
  const page = usePolled(['invoices', 'to decide'], client.courierInvoices.list, input, {
    everyMs: () => invoicesEveryMs,
    isEnabled: useMay('operations:read'),
  }).data
  if (page === undefined) return undefined
  const lines = page.data.reduce((sum, invoice) => sum + (toCheck(invoice) ?? 0), 0)
  return {
    count: page.data.length,
    isMore: page.has_more,
    lines,
  }
}

function toDecideText(lines: number): string {
  return lines === 0
    ? i18n.t('nothing to decide')
    : i18n.t('{count, plural, one {# line to decide} other {# lines to decide}}', { count: lines })
}

/** The charts are half of this screen's code, so the numbers do not wait for them. */
function Charts() {
  const { data, isMissing } = useCode('home-charts', () => import('./home-charts.tsx'))
  if (isMissing) return <CodeMissing>{i18n.t('The charts could not be loaded.')}</CodeMissing>
  if (data === undefined) return <Loading />
  const { HomeCharts } = data
  return <HomeCharts />
}

/** The age of the oldest operation in review. */
function WaitingLongest({ count }: { readonly count: number | undefined }) {
  const oldest = useWaiting().data?.data[0]
  if (count === 0) return i18n.t('nothing to decide')
  if (count === undefined || oldest === undefined) return null
  return <Waiting at={oldest.created_at} workspaceId={oldest.workspace_id} />
}

type FigureProps = {
  readonly name: string
  /** The list of what it counts. */
  readonly href: string
  readonly icon: ReactNode
  /** A number or a sum of money; null until it is known. */
  readonly value: number | string | null
  /** The real number is higher. */
  readonly isMore?: boolean
  readonly note: ReactNode
  /** A number above zero is not bad news. */
  readonly isCalm?: boolean
}

/** A number that links to its list. */
function Figure(props: FigureProps) {
  const { name, href, icon, value, isMore = false, note, isCalm = false } = props
  const tone = value === null || value === 0 ? 'none' : isCalm ? 'calm' : 'bad'
  return (
    <Link href={href} className="figure" data-tone={tone}>
      <span className="figure-name">{name}</span>
      <Group component="span" gap="2xs" justify="space-between" wrap="nowrap" mih="2.2rem">
        <strong className="figure-value" data-text={typeof value === 'string' || undefined}>
          {typeof value === 'number' ? formatNumber(value) : (value ?? '–')}
          {isMore && '+'}
        </strong>
        {typeof value !== 'string' && icon}
      </Group>
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

function useWaiting() {
  const { client } = useSession()
  const input = {
    status: 'needs_review',
    snoozed: 'false',
    order: 'oldest',
    limit: shownMax,
  } as const
  return usePolled(['operations', 'waiting', input], client.operations.list, input, {
    everyMs: () => everyMs,
  })
}

/** The operations that have waited longest for a decision. */
function OldestWaiting() {
  const waiting = useWaiting()
  const reconciling = useOperationCounts().data?.reconciling ?? 0
  return (
    <Panel
      title={i18n.t('Waiting longest')}
      aside={
        reconciling > 0 && (
          <Link href="/operations?tab=reconciling">
            {i18n.t('Also reconciling by itself: {count}', { count: formatNumber(reconciling) })}
          </Link>
        )
      }
    >
      {waiting.data === undefined ? (
        waiting.isPending ? (
          <Loading />
        ) : (
          <Failed error={waiting.error} />
        )
      ) : waiting.data.data.length === 0 ? (
        <Empty
          title={i18n.t('No operations need review')}
          icon={<IconCircleCheck size={26} stroke={1.5} />}
        >
          {i18n.t('There is nothing to decide now.')}
        </Empty>
      ) : (
        <Stack component="ul" gap={0} className="waiting">
          {waiting.data.data.map((operation) => (
            <li key={operation.id}>
              <Link href={`/operations/${operation.id}`}>{operation.external_reference}</Link>
              <span>{shortWhy(operation)}</span>
              <Box component="span" c="dimmed" visibleFrom="sm">
                <WorkspaceName id={operation.workspace_id} />
              </Box>
              <span className="waiting-marks">
                {operation.contradicted && <Badge value="contradicted" />}
                {operation.escalated && <Badge value="escalated" />}
              </span>
              <Box component="span" c="dimmed" ta="right" className="waiting-age">
                <Waiting at={operation.created_at} workspaceId={operation.workspace_id} />
              </Box>
            </li>
          ))}
        </Stack>
      )}
    </Panel>
  )
}
