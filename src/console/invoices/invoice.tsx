import { i18n } from '@lingui/core'
import { Box, Flex, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { formatNumber } from '../languages/language.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { stateWord } from '../parts/state-words.ts'
import { Empty, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { Claim } from './claim.tsx'
import { InvalidLines } from './invalid-lines.tsx'
import {
  findingNames,
  type Invoice,
  isCash,
  isWithdrawn,
  periodOf,
  toCheck,
} from './invoice-findings.ts'
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
            title={i18n.t('Findings')}
            aside={<LinesCsv invoiceId={id} query={{}} word={i18n.t('All lines as CSV')} />}
          >
            {invoice.totals.length === 0 ? (
              <Empty title={i18n.t('No totals yet')}>
                {i18n.t('They appear when the comparison ends.')}
              </Empty>
            ) : (
              <InvoiceTotals invoice={invoice} />
            )}
          </Panel>
          <InvalidLines invoice={invoice} />
          <Versions invoice={invoice} />
          <Panel
            title={i18n.t('Details')}
            name={i18n.t('Facts')}
            aside={<WithdrawInvoice invoice={invoice} />}
          >
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
    <section className="figures invoice-figures" aria-label={i18n.t('Decisions')}>
      {figuresOf(invoice).map(({ name, lines, href, billed, notes, tone }) => (
        <Link
          key={name}
          href={href}
          className="figure"
          data-tone={lines === null || lines === 0 ? 'none' : tone}
        >
          <span className="figure-name">{name}</span>
          <strong className="figure-value">{lines === null ? '…' : formatNumber(lines)}</strong>
          {billed !== null && (
            <Text span fw={600} fz="0.875rem">
              {billed}
            </Text>
          )}
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
  return [
    {
      name: i18n.t('To check'),
      lines: toCheck(invoice),
      href: `${lines}?finding=differs`,
      billed: billedBy(invoice, 'to_check'),
      notes: [
        ...(atStake === null ? [] : [i18n.t('{money} at stake', { money: atStake })]),
        i18n.t('differences without a decision'),
      ],
      tone: 'bad',
    },
    {
      name: i18n.t('Disputed'),
      lines: decisions.disputed,
      href: `${lines}?finding=all&show=disputed`,
      billed: billedBy(invoice, 'disputed'),
      notes: [
        ...(claimed === null ? [] : [i18n.t('{money} claimed', { money: claimed })]),
        i18n.t('to be corrected'),
      ],
      tone: 'calm',
    },
    {
      name: i18n.t('Accepted'),
      lines: decisions.accepted,
      href: `${lines}?finding=all&show=accepted`,
      billed: billedBy(invoice, 'accepted'),
      notes: [i18n.t('to be paid as billed')],
      tone: 'calm',
    },
    ...(decisions.outdated === 0 || isWithdrawn(invoice)
      ? []
      : [
          {
            name: i18n.t('Outdated'),
            lines: decisions.outdated,
            href: `${lines}?finding=all&show=outdated`,
            billed: null,
            notes: [i18n.t('the finding has changed')],
            tone: 'bad',
          } as const,
        ]),
  ]
}

function Versions({ invoice }: InvoiceProps) {
  const { id, version } = invoice
  if (version === 1) return null
  const earlier = Array.from({ length: version - 1 }, (_, index) => version - 1 - index)
  return (
    <Panel title={i18n.t('Versions')}>
      <p>
        {i18n.t(
          '{count, plural, one {This reference was imported with other lines once before. Version {version} is in force; earlier versions keep their findings and decisions.} other {This reference was imported with other lines # times before. Version {version} is in force; earlier versions keep their findings and decisions.}}',
          { count: version - 1, version },
        )}
      </p>
      <ul className="scopes">
        {earlier.slice(0, versionsShownMax).map((each) => (
          <li key={each}>
            <Link href={`/courier-invoices/${id}/lines?finding=all&show=all&version=${each}`}>
              {i18n.t('Lines of version {version}', { version: each })}
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
    [i18n.t('Reference'), <Copyable key="reference" text={invoice.reference} />],
    [i18n.t('Connection'), <ConnectionLink key="connection" id={invoice.courier_connection_id} />],
    [i18n.t('Period'), periodOf(invoice)],
    [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={invoice.workspace_id} />],
    [i18n.t('Imported'), <Time key="created" at={invoice.created_at} />],
    [
      i18n.t('Compared'),
      comparedAt === null ? i18n.t('not yet') : <Time key="compared" at={comparedAt} />,
    ],
    ...(withdrawnAt === null
      ? []
      : [[i18n.t('Withdrawn'), <Time key="withdrawn" at={withdrawnAt} />] as const]),
    [i18n.t('Ledger position'), invoice.ledger_position],
    [i18n.t('Version'), invoice.version],
    [i18n.t('Invoice'), <Copyable key="id" text={invoice.id} />],
  ]
}

/** The lines by finding and currency: how many, what they bill, and what was decided about them. */
function InvoiceTotals({ invoice }: { readonly invoice: Invoice }) {
  const { id, totals, amounts } = invoice
  const rows = totals.toSorted(
    (one, other) =>
      Number(isCash(one)) - Number(isCash(other)) ||
      placeOf(one.finding) - placeOf(other.finding) ||
      (one.currency < other.currency ? -1 : 1),
  )
  const lines = `/courier-invoices/${id}/lines`
  return (
    <div className="invoice-totals">
      <WideTable
        name={i18n.t('Lines by finding')}
        columns={[
          i18n.t('Finding'),
          i18n.t('Lines'),
          i18n.t('Amount'),
          i18n.t('At stake'),
          i18n.t('To check'),
          i18n.t('Disputed'),
          i18n.t('Accepted'),
        ]}
      >
        {rows.map((row) => {
          const { kind, finding, currency } = row
          const of = `${lines}?finding=${finding}${amounts.some(isCash) ? `&kind=${kind}` : ''}`
          return (
            <tr key={`${kind} ${finding} ${currency}`}>
              <td>
                <Link href={`${of}&show=all`}>
                  <Badge value={finding} />
                </Link>
                {isCash(row) && <> {stateWord(kind)}</>}
              </td>
              <td>{formatNumber(row.lines)}</td>
              <td>{formatMoney(row)}</td>
              <td>{row.at_stake === 0 ? '–' : formatMoney({ amount: row.at_stake, currency })}</td>
              <SumCell sum={row.to_check} currency={currency} href={of} />
              <SumCell sum={row.disputed} currency={currency} href={`${of}&show=disputed`} />
              <SumCell sum={row.accepted} currency={currency} href={`${of}&show=accepted`} />
            </tr>
          )
        })}
        {amounts.map((row) => {
          const { kind, currency } = row
          return (
            <Box component="tr" key={`${kind} ${currency}`} fw={600}>
              <td>{allLinesText(row, amounts)}</td>
              <td>{formatNumber(row.lines)}</td>
              <td>{formatMoney(row)}</td>
              <td>{row.at_stake === 0 ? '–' : formatMoney({ amount: row.at_stake, currency })}</td>
              <SumCell sum={row.to_check} currency={currency} href={null} />
              <SumCell sum={row.disputed} currency={currency} href={null} />
              <SumCell sum={row.accepted} currency={currency} href={null} />
            </Box>
          )
        })}
      </WideTable>
    </div>
  )
}

function allLinesText(
  { kind, currency }: Invoice['amounts'][number],
  amounts: Invoice['amounts'],
): string {
  if (amounts.length === 1) return i18n.t('All lines')
  if (isCash({ kind })) return i18n.t('All cash on delivery in {currency}', { currency })
  return amounts.some(isCash)
    ? i18n.t('All charges in {currency}', { currency })
    : i18n.t('All lines in {currency}', { currency })
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
  const title = i18n.t('{count, plural, one {# line} other {# lines}}', { count: sum.lines })
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
      <ActButton word={i18n.t('Withdraw…')} scope="operations:review" onAct={() => setOpen(true)} />
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
      title={i18n.t('Withdraw {reference}?', { reference })}
      does={i18n.t('Withdraw it')}
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        {i18n.t(
          'Withdraw an invoice that was imported by mistake. It cannot be deleted. A withdrawal means:',
        )}
      </p>
      <Flex component="ul" direction="column" gap="2xs" m={0} pl="lg">
        <li>
          {i18n.t(
            '{count, plural, one {Its # line no longer counts as billed. It can still be read.} other {Its # lines no longer count as billed. They can still be read.}}',
            { count: total },
          )}
        </li>
        <li>
          {i18n.t(
            'Invoices with a line billed twice because of it are compared again automatically.',
          )}
        </li>
        <li>
          {decided === 0
            ? i18n.t(
                'To undo the withdrawal, import it again under its reference. It is then compared as a new version, and ranks after the invoices imported in between.',
              )
            : i18n.t(
                'To undo the withdrawal, import it again under its reference. It is then compared as a new version, without the {count, plural, one {# decision} other {# decisions}} made so far, and ranks after the invoices imported in between.',
                { count: decided },
              )}
        </li>
      </Flex>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
