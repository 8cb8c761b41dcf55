import '../styles/invoices.css'
import { Button, Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { useDraft } from '../forms/use-draft.ts'
import { counted } from '../lists/counted.ts'
import { ListLink } from '../lists/list-link.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { type Invoice, isComparing, isWithdrawn, periodOf } from './invoice-findings.ts'

const parts = [
  ['', 'Overview'],
  ['/lines', 'Lines'],
  ['/not-billed', 'Not billed'],
] as const
type Part = (typeof parts)[number][0]

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
    if (read.isPending) return <Loading what="the invoice" />
    return <Failed isScreen error={read.error} again={() => void read.refetch()} />
  }
  return (
    <>
      <ScreenHead
        back={<ListLink to="/courier-invoices">Courier invoices</ListLink>}
        title={<bdi>{data.reference}</bdi>}
        states={<Badge value={data.status} />}
        acts={<CompareAgain invoice={data} />}
      >
        <p className="reason">
          {data.period === null ? 'No period' : periodOf(data)} · {counted(data.total, 'line')}
          {data.invalid_lines > 0 && ` · ${data.invalid_lines} more invalid`}
          {data.version > 1 && ` · version ${data.version}`}
        </p>
      </ScreenHead>
      <nav className="parts-of" aria-label="Parts of the invoice">
        {parts.map(([path, word]) => (
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
        word="Compare again"
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
  if (isWithdrawn(invoice)) return 'It is withdrawn.'
  return isComparing(invoice) ? 'It is being compared.' : null
}

/** Explains what the withdrawal means. */
function Withdrawn({ invoice }: InvoiceProps) {
  const { withdrawn_at: at } = invoice
  if (!isWithdrawn(invoice) || at === null) return null
  return (
    <p className="withdrawn" role="status">
      Withdrawn <Time at={at} />. Its lines bill nothing and are not compared or decided. To undo
      this, <Link href="/courier-invoices/new">import it again</Link> under its reference, as
      version {invoice.version + 1}.
    </p>
  )
}

/** The progress of the comparison. Asking the courier at the end is not counted. */
function Comparing({ invoice }: InvoiceProps) {
  const { total, compared_lines: compared } = invoice
  if (!isComparing(invoice)) return null
  return (
    <div className="panel comparing" role="status">
      <p>
        {compared < total
          ? `Comparing with the ledger: ${compared.toLocaleString('en')} of ${counted(total, 'line')}.`
          : 'Every line is compared. Asking the courier about the lines it should not have billed…'}
      </p>
      <Progress
        value={(100 * compared) / total}
        striped={compared === total}
        aria-label="Lines compared"
        transitionDuration={0}
      />
    </div>
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
    <div className="verified sent-as" role="status">
      <p>{sentText(sentAs, invoice.version)}</p>
      <Button variant="default" size="compact-xs" onClick={forget}>
        Dismiss
      </Button>
    </div>
  )
}

function sentText({ as, kept }: SentAs, version: number): string {
  if (as === 'first') return 'The invoice is imported.'
  if (as === 'the same') {
    return 'This file was imported before. Nothing has changed: findings and decisions stay.'
  }
  const next = `An invoice with this reference was imported before. This is version ${version}.`
  if (kept === 0) return `${next} No decision was made on its unchanged lines before.`
  return kept === 1
    ? `${next} It keeps the decision on one unchanged line, and earlier versions stay readable.`
    : `${next} It keeps the decisions on ${kept} unchanged lines, and earlier versions stay readable.`
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
