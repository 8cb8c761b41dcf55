import { type Invoice, isWithdrawn } from './invoice-findings.ts'

export type Month = {
  /** `2026-02` */
  readonly month: string
  readonly invoices: number
  readonly lines: number
  /** The number of lines per finding. */
  readonly found: Readonly<Record<string, number>>
}

const dayMs = 86_400_000
/** With more, the bars are too narrow to compare. */
const monthsMax = 12

/**
 * The findings of each month up to the newest with an invoice, at most a year and without gaps. An
 * invoice counts in the month of the middle of its period, or of its import if it has no period.
 */
export function findingsByMonth(invoices: readonly Invoice[]): readonly Month[] {
  const counted = invoices.filter((invoice) => !isWithdrawn(invoice))
  const byMonth = Map.groupBy(counted, monthOf)
  const known = [...byMonth.keys()].toSorted()
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return []
  const months = [last]
  while (months.length < monthsMax && (months[0] as string) > first) {
    months.unshift(before(months[0] as string))
  }
  return months.map((month) => {
    const of = byMonth.get(month) ?? []
    const found: Record<string, number> = {}
    for (const { finding, lines } of of.flatMap(({ totals }) => totals)) {
      found[finding] = (found[finding] ?? 0) + lines
    }
    return {
      month,
      invoices: of.length,
      lines: of.reduce((sum, { total }) => sum + total, 0),
      found,
    }
  })
}

function monthOf({ period, created_at: createdAt }: Invoice): string {
  if (period === null) return createdAt.slice(0, 7)
  const from = Date.parse(period.from)
  // A period that ends with a day includes that day.
  const to = Date.parse(period.to) + (period.to.includes('T') ? 0 : dayMs)
  return new Date((from + to) / 2).toISOString().slice(0, 7)
}

function before(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}
