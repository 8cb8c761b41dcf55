import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Finding, isDiffering } from '../../domain/invoices/finding.ts'
import { type LineKind, lineKinds } from '../../domain/invoices/line-kind.ts'
import type { InvoiceRow } from './store-invoice.ts'

type Decision = 'accepted' | 'disputed'

/** SQL: the finding has changed since the line was decided. */
export const isOutdated = sql<SqlBool>`decided_finding <> finding`

/** SQL: the line needs a decision. As its index says it. */
export const differs = sql<SqlBool>`finding NOT IN ('matched', 'part_of')`

/** Lines with the sum of their amounts, and of what they bill too much. */
type Sum = { readonly lines: number; readonly amount: number; readonly at_stake: number }

/** Lines of one kind, finding and currency, as of the end of the last comparison. */
export type StoredTotal = Sum & {
  /** Absent if it was stored when all lines were charges. */
  readonly kind?: LineKind
  readonly finding: Finding
  readonly currency: string
}

/** Decided lines of one kind, finding and currency as they are now. */
export type DecidedSum = Sum & {
  readonly kind: LineKind
  /** Null if the version is not compared yet. */
  readonly finding: Finding | null
  readonly currency: string
  readonly decision: Decision
  /** Of these, lines that had another finding when they were decided. */
  readonly outdated: number
}

const sums = sql`count(*) AS lines, sum(amount) AS amount, coalesce(sum(at_stake), 0) AS at_stake`

/** SQL: counts the lines of a version by kind, finding and currency. It reads all of them. */
export function totalsOf(id: RawBuilder<unknown>, version: RawBuilder<unknown>) {
  return sql`(
    SELECT coalesce(jsonb_agg(each ORDER BY each.kind DESC, each.finding, each.currency), '[]')
    FROM (
      SELECT kind, finding, currency, ${sums} FROM courier_invoice_lines l
      WHERE l.invoice_id = ${id} AND l.version = ${version} AND finding IS NOT NULL
      GROUP BY kind, finding, currency
    ) each)`
}

/** SQL: counts the decided lines of a version, from an index that has only these. */
export function decidedSums(id: RawBuilder<unknown>, version: RawBuilder<unknown>) {
  return sql`(
    SELECT coalesce(jsonb_agg(each), '[]')
    FROM (
      SELECT kind, finding, currency, decision, ${sums},
        count(*) FILTER (WHERE ${isOutdated}) AS outdated
      FROM courier_invoice_lines l
      WHERE l.invoice_id = ${id} AND l.version = ${version} AND decision IS NOT NULL
      GROUP BY kind, finding, currency, decision
    ) each)`
}

type Counted = Pick<InvoiceRow, 'state'> & {
  readonly totals: readonly StoredTotal[]
  readonly decided: readonly DecidedSum[]
}

/** The sums of an invoice as the API shows them. */
export function moneyOf({ state, totals: counted, decided }: Counted) {
  const totals = counted.map((total) => {
    const { kind = 'charge', finding, currency, lines, amount, at_stake } = total
    const same = decided.filter(
      (each) => each.kind === kind && each.finding === finding && each.currency === currency,
    )
    const of = (decision: Decision) => sumOf(same.filter((each) => each.decision === decision))
    const all = { lines, amount, at_stake }
    const [disputed, accepted] = [of('disputed'), of('accepted')]
    const isOpen = state !== 'withdrawn' && isDiffering(finding)
    const toCheck = isOpen ? rest(all, sumOf([disputed, accepted])) : none
    return { kind, finding, currency, ...all, to_check: toCheck, disputed, accepted }
  })
  const amounts = lineKinds.flatMap((kind) => {
    const ofKind = totals.filter((each) => each.kind === kind)
    return [...Map.groupBy(ofKind, ({ currency }) => currency)].map(([currency, each]) => ({
      kind,
      currency,
      ...sumOf(each),
      to_check: sumOf(each.map(({ to_check: sum }) => sum)),
      disputed: sumOf(each.map(({ disputed: sum }) => sum)),
      accepted: sumOf(each.map(({ accepted: sum }) => sum)),
    }))
  })
  return { totals, amounts, decisions: decisionsOf(amounts, decided) }
}

function decisionsOf(
  amounts: readonly { readonly to_check: Sum }[],
  decided: readonly DecidedSum[],
) {
  const count = (some: readonly DecidedSum[]) => sumOf(some).lines
  return {
    accepted: count(decided.filter(({ decision }) => decision === 'accepted')),
    disputed: count(decided.filter(({ decision }) => decision === 'disputed')),
    outdated: decided.reduce((all, { outdated }) => all + outdated, 0),
    matched: count(decided.filter(({ finding }) => finding === 'matched')),
    to_check: sumOf(amounts.map(({ to_check: sum }) => sum)).lines,
  }
}

const none: Sum = { lines: 0, amount: 0, at_stake: 0 }

function sumOf(some: readonly Sum[]): Sum {
  return some.reduce(
    (all, { lines, amount, at_stake }) => ({
      lines: all.lines + lines,
      amount: all.amount + amount,
      at_stake: all.at_stake + at_stake,
    }),
    none,
  )
}

/** While an invoice is compared again, its totals may be older than its decided lines. */
function rest(all: Sum, decided: Sum): Sum {
  return {
    lines: Math.max(0, all.lines - decided.lines),
    amount: Math.max(0, all.amount - decided.amount),
    at_stake: Math.max(0, all.at_stake - decided.at_stake),
  }
}
