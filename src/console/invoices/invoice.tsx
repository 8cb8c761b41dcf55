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
import { InvalidLines } from './invalid-lines.tsx'
import {
  findingNames,
  type Invoice,
  isWithdrawn,
  periodOf,
  sumsOf,
  toCheck,
} from './invoice-findings.ts'
import { InvoiceFrame, useInvoiceChanged } from './invoice-frame.tsx'
import { LinesCsv } from './lines-csv.tsx'

/** One invoice: its findings, decisions and versions. */
export function InvoiceScreen({ id }: { readonly id: string }) {
  return (
    <InvoiceFrame id={id} part="">
      {(invoice) => (
        <>
          <Summary invoice={invoice} />
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

/** The open and the decided lines. Each number links to its lines. */
function Summary({ invoice }: InvoiceProps) {
  const { id, decisions } = invoice
  const open = toCheck(invoice)
  const lines = `/courier-invoices/${id}/lines`
  const figures: readonly (readonly [string, number | null, string, string])[] = [
    ['To check', open, lines, 'differences without a decision'],
    ['Accepted', decisions.accepted, `${lines}?finding=all&show=accepted`, 'to be paid as billed'],
    ['Disputed', decisions.disputed, `${lines}?finding=all&show=disputed`, 'to be corrected'],
    ...(decisions.outdated === 0 || isWithdrawn(invoice)
      ? []
      : ([
          [
            'Outdated',
            decisions.outdated,
            `${lines}?finding=all&show=outdated`,
            'the finding has changed',
          ],
        ] as const)),
  ]
  return (
    <section className="figures" aria-label="Decisions">
      {figures.map(([name, value, href, note]) => (
        <Link
          key={name}
          href={href}
          className="figure"
          data-tone={
            value === null || value === 0
              ? 'none'
              : name === 'To check' || name === 'Outdated'
                ? 'bad'
                : 'calm'
          }
        >
          <span className="figure-name">{name}</span>
          <strong className="figure-value">{value === null ? '…' : whole.format(value)}</strong>
          <span className="figure-note">{note}</span>
        </Link>
      ))}
    </section>
  )
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
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** Rounds, but never to 0% or 100% unless the share is exactly that. */
function shareOf(part: number, all: number): string {
  if (all === 0) return '–'
  const share = part / all
  if (share > 0 && share < 0.001) return '< 0.1%'
  return share < 1 && share > 0.999 ? '> 99.9%' : percent.format(share)
}

/** The lines by finding and currency, with counts, sums and shares. */
function InvoiceTotals({ invoice }: { readonly invoice: Invoice }) {
  const { id, totals, total } = invoice
  const sums = new Map(sumsOf(invoice).map(({ currency, amount }) => [currency, amount]))
  const rows = totals.toSorted(
    (one, other) =>
      placeOf(one.finding) - placeOf(other.finding) || (one.currency < other.currency ? -1 : 1),
  )
  const lines = totals.reduce((sum, each) => sum + each.lines, 0)
  return (
    <div className="invoice-totals">
      <WideTable
        name="Lines by finding"
        columns={['Finding', 'Lines', 'Amount', 'Share of lines', 'Share of amount']}
      >
        {rows.map(({ finding, currency, lines: count, amount }) => (
          <tr key={`${finding} ${currency}`}>
            <td>
              <Link href={`/courier-invoices/${id}/lines?finding=${finding}`}>
                <Badge value={finding} />
              </Link>
            </td>
            <td>{whole.format(count)}</td>
            <td>{formatMoney({ amount, currency })}</td>
            <td>{shareOf(count, total)}</td>
            <td>{shareOf(amount, sums.get(currency) ?? 0)}</td>
          </tr>
        ))}
        {[...sums].map(([currency, amount], index) => (
          <tr key={currency} className="sum">
            <td>{index === 0 ? 'All lines' : ''}</td>
            <td>{index === 0 ? whole.format(lines) : ''}</td>
            <td>{formatMoney({ amount, currency })}</td>
            <td />
            <td />
          </tr>
        ))}
      </WideTable>
    </div>
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
