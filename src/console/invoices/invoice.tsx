import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { type Invoice, isWithdrawn, periodOf, toCheck } from './invoice-findings.ts'
import { InvoiceFrame } from './invoice-frame.tsx'
import { InvoiceTotals } from './invoice-totals.tsx'
import { LinesCsv } from './lines-csv.tsx'
import { WithdrawInvoice } from './withdraw-invoice.tsx'

/** One invoice: what was found, what is decided, and its versions. */
export function InvoiceScreen({ id }: { readonly id: string }) {
  return (
    <InvoiceFrame id={id} part="">
      {(invoice) => (
        <>
          <Summary invoice={invoice} />
          <Panel
            title="What was found"
            aside={<LinesCsv invoiceId={id} query={{}} word="All lines as CSV" />}
          >
            {invoice.totals.length === 0 ? (
              <Empty title="Nothing yet">The totals come with the end of the comparison.</Empty>
            ) : (
              <InvoiceTotals invoice={invoice} />
            )}
          </Panel>
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

const format = new Intl.NumberFormat('en')

/** What is left to do, and what is done. Each figure leads to its lines. */
function Summary({ invoice }: InvoiceProps) {
  const { id, decisions } = invoice
  const open = toCheck(invoice)
  const lines = `/courier-invoices/${id}/lines`
  const figures: readonly (readonly [string, number | null, string, string])[] = [
    ['To check', open, lines, 'differ and are not decided'],
    ['Accepted', decisions.accepted, `${lines}?finding=all&show=accepted`, 'paid as they are'],
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
          <strong className="figure-value">{value === null ? '…' : format.format(value)}</strong>
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
        Other lines were sent under this reference{' '}
        {version - 1 === 1 ? 'once' : `${version - 1} times`}. Version {version} counts; earlier
        ones keep the findings and decisions that they had.
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

/** A link each. More are read by the number in the address. */
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
