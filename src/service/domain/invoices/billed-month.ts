import type { Instant } from '../decider.ts'

const dayMs = 24 * 60 * 60_000

/** A calendar month in UTC. */
type BilledMonth = {
  /** Its first day, such as 2026-02-01. */
  readonly from: string
  /** Its last day, such as 2026-02-28. */
  readonly to: string
  readonly beginsAt: Instant
  /** The first moment of the next month. */
  readonly endsAt: Instant
}

/** Parses a month such as 2026-02. */
export function billedMonth(text: string): BilledMonth {
  const from = `${text}-01`
  const next = new Date(from)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const endsAt = next.getTime()
  const to = new Date(endsAt - dayMs).toISOString().slice(0, 10)
  return { from, to, beginsAt: Date.parse(from), endsAt }
}
