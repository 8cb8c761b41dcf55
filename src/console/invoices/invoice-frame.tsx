import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { formatNumber } from '../languages/language.ts'
import '../styles/invoices.css'
import { Box, Button, Flex, Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { useDraft } from '../forms/use-draft.ts'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { type Invoice, isComparing, isWithdrawn, periodOf } from './invoice-findings.ts'

const parts = () =>
  [
    ['', i18n.t('Overview')],
    ['/lines', i18n.t('Lines')],
    ['/not-billed', i18n.t('Not billed')],
  ] as const
type Part = ReturnType<typeof parts>[number][0]

type FrameProps = {
  readonly id: string
  readonly part: Part
  readonly children: (invoice: Answered<Invoice>) => ReactNode
}

/**
 * The frame of all screens about one invoice: its head, its tabs, and the progress of the
 * comparison.
 */
export function InvoiceFrame({ id, part, children }: FrameProps) {
  const read = useInvoice(id)
  const { data } = read
  if (data === undefined) {
    if (read.isPending) return <Loading />
    return <Failed isScreen error={read.error} again={() => void read.refetch()} />
  }
  return (
    <>
      <ScreenHead
        back={<ListLink to="/courier-invoices">{i18n.t('Courier invoices')}</ListLink>}
        title={<bdi>{data.reference}</bdi>}
        states={<Badge value={data.status} />}
        acts={<CompareAgain invoice={data} />}
      >
        <p className="reason">{aboutText(data)}</p>
      </ScreenHead>
      <nav className="parts-of" aria-label={i18n.t('Parts of the invoice')}>
        {parts().map(([path, word]) => (
          <Link
            key={path}
            href={`/courier-invoices/${id}${path}`}
            aria-current={path === part ? 'page' : undefined}
          >
            {word}
          </Link>
        ))}
      </nav>
      <Sent invoice={data} />
      <Withdrawn invoice={data} />
      <Comparing invoice={data} />
      {children(data)}
    </>
  )
}

function aboutText(invoice: Invoice): string {
  const { period, total, invalid_lines: invalid, version } = invoice
  return [
    period === null ? i18n.t('No period') : periodOf(invoice),
    i18n.t('{count, plural, one {# line} other {# lines}}', { count: total }),
    ...(invalid === 0
      ? []
      : [
          i18n.t('{count, plural, one {# more invalid} other {# more invalid}}', {
            count: invalid,
          }),
        ]),
    ...(version === 1 ? [] : [i18n.t('version {version}', { version })]),
  ].join(' · ')
}

type InvoiceProps = { readonly invoice: Answered<Invoice> }

function CompareAgain({ invoice }: InvoiceProps) {
  const { client } = useSession()
  const changed = useInvoiceChanged()
  const { id } = invoice
  const compare = useMutation({
    mutationFn: () => client.courierInvoices.compare({ id }),
    onSuccess: changed,
  })
  return (
    <>
      <ActButton
        word={i18n.t('Compare again')}
        scope="operations:review"
        isPending={compare.isPending}
        refused={refusalOf(invoice)}
        isReasonHidden={refusalOf(invoice) !== null}
        onAct={() => compare.mutate()}
      />
      <Refused error={compare.error} />
    </>
  )
}

function refusalOf(invoice: Invoice): string | null {
  if (isWithdrawn(invoice)) return i18n.t('It is withdrawn.')
  return isComparing(invoice) ? i18n.t('It is being compared.') : null
}

/** Explains what the withdrawal means. */
function Withdrawn({ invoice }: InvoiceProps) {
  const { withdrawn_at: at } = invoice
  if (!isWithdrawn(invoice) || at === null) return null
  return (
    <Box component="p" m={0} px="md" py="xs" className="warned" role="status">
      <Trans
        id="Withdrawn {time}. Its lines bill nothing and are not compared or decided. To undo this, <again>import it again</again> under its reference, as version {version}."
        values={{ time: <Time at={at} />, version: invoice.version + 1 }}
        components={{ again: <Link href="/courier-invoices/new" /> }}
      />
    </Box>
  )
}

/** The progress of the comparison. Asking the courier at the end is not counted. */
function Comparing({ invoice }: InvoiceProps) {
  const { total, compared_lines: compared } = invoice
  if (!isComparing(invoice)) return null
  return (
    <Box className="panel" py="xs" role="status">
      <p>
        {compared < total
          ? i18n.t(
              'Comparing with the ledger: {compared} of {total, plural, one {# line} other {# lines}}.',
              { compared: formatNumber(compared), total },
            )
          : i18n.t(
              'Every line is compared. Asking the courier about the lines it should not have billed…',
            )}
      </p>
      <Progress
        value={(100 * compared) / total}
        striped={compared === total}
        aria-label={i18n.t('Lines compared')}
        transitionDuration={0}
      />
    </Box>
  )
}

/** What the import in this session created. */
export type SentAs = {
  readonly as: 'the same' | 'first' | 'next version'
  /** The number of decisions that the new version has kept. */
  readonly kept: number
}

/** The name of the draft in the session. */
export function sentDraft(invoiceId: string): string {
  return `sent as ${invoiceId}`
}

function Sent({ invoice }: InvoiceProps) {
  const [sentAs, , forget] = useDraft<SentAs | null>(sentDraft(invoice.id), null)
  if (sentAs === null) return null
  return (
    <Flex
      className="verified"
      role="status"
      direction={{ base: 'column', sm: 'row' }}
      align={{ base: 'flex-start', sm: 'center' }}
      justify="space-between"
      gap="sm"
    >
      <p>{sentText(sentAs, invoice.version)}</p>
      <Button variant="default" size="compact-xs" flex="none" onClick={forget}>
        {i18n.t('Dismiss')}
      </Button>
    </Flex>
  )
}

function sentText({ as, kept }: SentAs, version: number): string {
  if (as === 'first') return i18n.t('The invoice is imported.')
  if (as === 'the same') {
    return i18n.t(
      'This file was imported before. Nothing has changed: findings and decisions stay.',
    )
  }
  const next = i18n.t(
    'An invoice with this reference was imported before. This is version {version}.',
    { version },
  )
  const decisions =
    kept === 0
      ? i18n.t('No decision was made on its unchanged lines before.')
      : i18n.t(
          '{count, plural, one {It keeps the decision on one unchanged line, and earlier versions stay readable.} other {It keeps the decisions on # unchanged lines, and earlier versions stay readable.}}',
          { count: kept },
        )
  return `${next} ${decisions}`
}

/** Lines are compared within seconds; afterwards people decide, and shipments change. */
const comparingEveryMs = 1_000
const comparedEveryMs = 6_000

/** Polls the newest version of an invoice. */
function useInvoice(id: string) {
  const { client } = useSession()
  return usePolled(
    ['invoice', id],
    client.courierInvoices.get,
    { id },
    {
      everyMs: (last) =>
        last === undefined || isComparing(last) ? comparingEveryMs : comparedEveryMs,
    },
  )
}

/** Updates the screen and the lists after an action. */
export function useInvoiceChanged() {
  const queries = useQueryClient()
  return async (now: Answered<Invoice>) => {
    queries.setQueryData(['invoice', now.id], now)
    await queries.invalidateQueries({ queryKey: ['invoices'] })
  }
}
