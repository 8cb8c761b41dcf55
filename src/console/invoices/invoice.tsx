import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { counted } from '../lists/counted.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { Claim } from './claim.tsx'
import { InvalidLines } from './invalid-lines.tsx'
import { findingNames, type Invoice, isWithdrawn, periodOf, toCheck } from './invoice-findings.ts'
import { InvoiceFrame, useInvoiceChanged } from './invoice-frame.tsx'
import { atStakeBy, billedBy } from './invoice-money.ts'
import { LinesCsv } from './lines-csv.tsx'

/** One invoice: its findings, decisions and versions. */
export function InvoiceScreen({ id }: { readonly id: string }) {
  return (
    <InvoiceFrame id={id} part="">
      {(invoice) => (
        <>
          <Summary invoice={invoice} />
          <Claim invoice={invoice} />
          <Panel
            title="Findings"
            aside={<LinesCsv invoiceId={id} query={{}} word="All lines as CSV" />}
          >
            {invoice.totals.length === 0 ? (
              <Empty title="No totals yet">They appear when the comparison ends.</Empty>
            ) : (
              <InvoiceTotals invoice={invoice} />
            )}
          </Panel>
          <InvalidLines invoice={invoice} />
          <Versions invoice={invoice} />
          <Panel title="Details" name="Facts" aside={<WithdrawInvoice invoice={invoice} />}>
            <Facts facts={factsOf(invoice)} />
          </Panel>
        </>
      )}
    </InvoiceFrame>
  )
}

type InvoiceProps = { readonly invoice: Answered<Invoice> }

type Figure = {
  readonly name: string
  /** Null while it is not known. */
  readonly lines: number | null
  /** The address of exactly these lines. */
  readonly href: string
  /** What they bill. */
  readonly billed: string | null
  readonly notes: readonly string[]
  readonly tone: 'bad' | 'calm'
}

/** The open and the decided lines, with their money. Each number links to its lines. */
function Summary({ invoice }: InvoiceProps) {
  return (
    <section className="figures invoice-figures" aria-label="Decisions">
      {figuresOf(invoice).map(({ name, lines, href, billed, notes, tone }) => (
        <Link
          key={name}
          href={href}
          className="figure"
          data-tone={lines === null || lines === 0 ? 'none' : tone}
        >
          <span className="figure-name">{name}</span>
          <strong className="figure-value">{lines === null ? '…' : whole.format(lines)}</strong>
          {billed !== null && <span className="figure-money">{billed}</span>}
          {notes.map((note) => (
            <span key={note} className="figure-note">
              {note}
            </span>
          ))}
        </Link>
      ))}
    </section>
  )
}

function figuresOf(invoice: Invoice): readonly Figure[] {
  const { id, decisions } = invoice
  const lines = `/courier-invoices/${id}/lines`
  const atStake = atStakeBy(invoice, 'to_check')
  const claimed = atStakeBy(invoice, 'disputed')
  const figures: readonly Figure[] = [
    {
      name: 'To check',
      lines: toCheck(invoice),
      href: `${lines}?finding=differs`,
      billed: billedBy(invoice, 'to_check'),
      notes: [
        ...(atStake === null ? [] : [`${atStake} at stake`]),
        'differences without a decision',
      ],
      tone: 'bad',
    },
    {
      name: 'Disputed',
      lines: decisions.disputed,
      href: `${lines}?finding=all&show=disputed`,
      billed: billedBy(invoice, 'disputed'),
      notes: [...(claimed === null ? [] : [`${claimed} claimed`]), 'to be corrected'],
      tone: 'calm',
    },
    {
      name: 'Accepted',
      lines: decisions.accepted,
      href: `${lines}?finding=all&show=accepted`,
      billed: billedBy(invoice, 'accepted'),
      notes: ['to be paid as billed'],
      tone: 'calm',
    },
    {
      name: 'Outdated',
      lines: decisions.outdated,
      href: `${lines}?finding=all&show=outdated`,
      billed: null,
      notes: ['the finding has changed'],
      tone: 'bad',
    },
  ]
  const hasOutdated = decisions.outdated > 0 && !isWithdrawn(invoice)
  return figures.filter(({ name }) => name !== 'Outdated' || hasOutdated)
}

function Versions({ invoice }: InvoiceProps) {
  const { id, version } = invoice
  if (version === 1) return null
  const earlier = Array.from({ length: version - 1 }, (_, index) => version - 1 - index)
  return (
    <Panel title="Versions">
      <p>
        This reference was imported with other lines{' '}
        {version - 1 === 1 ? 'once' : `${version - 1} times`} before. Version {version} is in force;
        earlier versions keep their findings and decisions.
      </p>
      <ul className="scopes">
        {earlier.slice(0, versionsShownMax).map((each) => (
          <li key={each}>
            <Link href={`/courier-invoices/${id}/lines?finding=all&show=all&version=${each}`}>
              Lines of version {each}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Each is a link. Older versions can be opened by their number in the address. */
const versionsShownMax = 20

function factsOf(invoice: Invoice): readonly Fact[] {
  const { compared_at: comparedAt, withdrawn_at: withdrawnAt } = invoice
  return [
    ['Reference', <Copyable key="reference" text={invoice.reference} />],
    ['Connection', <ConnectionLink key="connection" id={invoice.courier_connection_id} />],
    ['Period', periodOf(invoice)],
    ['Workspace', <WorkspaceLink key="workspace" id={invoice.workspace_id} />],
    ['Imported', <Time key="created" at={invoice.created_at} />],
    ['Compared', comparedAt === null ? 'not yet' : <Time key="compared" at={comparedAt} />],
    ...(withdrawnAt === null
      ? []
      : [['Withdrawn', <Time key="withdrawn" at={withdrawnAt} />] as const]),
    ['Ledger position', invoice.ledger_position],
    ['Version', invoice.version],
    ['Invoice', <Copyable key="id" text={invoice.id} />],
  ]
}

const whole = new Intl.NumberFormat('en')
/** The lines by finding and currency: how many, what they bill, and what was decided about them. */
function InvoiceTotals({ invoice }: { readonly invoice: Invoice }) {
  const { id, totals, amounts } = invoice
  const rows = totals.toSorted(
    (one, other) =>
      placeOf(one.finding) - placeOf(other.finding) || (one.currency < other.currency ? -1 : 1),
  )
  const lines = `/courier-invoices/${id}/lines`
  return (
    <div className="invoice-totals">
      <WideTable
        name="Lines by finding"
        columns={['Finding', 'Lines', 'Amount', 'At stake', 'To check', 'Disputed', 'Accepted']}
      >
        {rows.map((row) => {
          const { finding, currency } = row
          const of = `${lines}?finding=${finding}`
          return (
            <tr key={`${finding} ${currency}`}>
              <td>
                <Link href={`${of}&show=all`}>
                  <Badge value={finding} />
                </Link>
              </td>
              <td>{whole.format(row.lines)}</td>
              <td>{formatMoney(row)}</td>
              <td>{row.at_stake === 0 ? '–' : formatMoney({ amount: row.at_stake, currency })}</td>
              <SumCell sum={row.to_check} currency={currency} href={of} />
              <SumCell sum={row.disputed} currency={currency} href={`${of}&show=disputed`} />
              <SumCell sum={row.accepted} currency={currency} href={`${of}&show=accepted`} />
            </tr>
          )
        })}
        {amounts.map((row) => {
          const { currency } = row
          return (
            <tr key={currency} className="sum">
              <td>{amounts.length === 1 ? 'All lines' : `All lines in ${currency}`}</td>
              <td>{whole.format(row.lines)}</td>
              <td>{formatMoney(row)}</td>
              <td>{row.at_stake === 0 ? '–' : formatMoney({ amount: row.at_stake, currency })}</td>
              <SumCell sum={row.to_check} currency={currency} href={null} />
              <SumCell sum={row.disputed} currency={currency} href={null} />
              <SumCell sum={row.accepted} currency={currency} href={null} />
            </tr>
          )
        })}
      </WideTable>
    </div>
  )
}

type SumCellProps = {
  readonly sum: Invoice['totals'][number]['to_check']
  readonly currency: string
  /** The address of these lines; null without a link. */
  readonly href: string | null
}

function SumCell({ sum, currency, href }: SumCellProps) {
  if (sum.lines === 0) return <td>–</td>
  const money = formatMoney({ amount: sum.amount, currency })
  const title = counted(sum.lines, 'line')
  return (
    <td title={title}>
      {href === null ? (
        money
      ) : (
        <Link href={href} aria-label={`${money}, ${title}`}>
          {money}
        </Link>
      )}
    </td>
  )
}

function placeOf(finding: string): number {
  const place = findingNames.indexOf(finding as (typeof findingNames)[number])
  return place === -1 ? findingNames.length : place
}

/** Withdraws the import of an invoice, until it is imported again. */
function WithdrawInvoice({ invoice }: InvoiceProps) {
  const [isOpen, setOpen] = useState(false)
  if (isWithdrawn(invoice)) return null
  return (
    <>
      <ActButton word="Withdraw…" scope="operations:review" onAct={() => setOpen(true)} />
      {isOpen && <WithdrawDialog invoice={invoice} onClose={() => setOpen(false)} />}
    </>
  )
}

function WithdrawDialog({ invoice, onClose }: InvoiceProps & { readonly onClose: () => void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const changed = useInvoiceChanged()
  const { id, reference, total, decisions } = invoice
  const sending = useSendOnce({
    send: () => client.courierInvoices.withdraw({ id }),
    onSent: async (now) => {
      // Other invoices may be compared again because of the withdrawal.
      await queries.invalidateQueries({ queryKey: ['invoice'], refetchType: 'none' })
      await changed(now)
      onClose()
    },
  })
  const decided = decisions.accepted + decisions.disputed
  return (
    <ConfirmDialog
      title={`Withdraw ${reference}?`}
      does="Withdraw it"
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        Withdraw an invoice that was imported by mistake. It cannot be deleted. A withdrawal means:
      </p>
      <ul className="follows">
        <li>Its {counted(total, 'line')} no longer count as billed. They can still be read.</li>
        <li>Invoices with a line billed twice because of it are compared again automatically.</li>
        <li>
          To undo the withdrawal, import it again under its reference. It is then compared as a new
          version, {decided > 0 && `without the ${counted(decided, 'decision')} made so far, `}and
          ranks after the invoices imported in between.
        </li>
      </ul>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
