import type { Instant } from '../decider.ts'

const minuteMs = 60_000
export const intervals = ['minute', 'hour', 'day'] as const
type Interval = (typeof intervals)[number]
const intervalMs: Readonly<Record<Interval, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
}

/** Most intervals in one answer: a day by the minute, two months by the hour, four years by the day. */
export const pointsMax = 1_500
/** Intervals if no start is given: an hour, a day, a month. */
const defaultPoints: Readonly<Record<Interval, number>> = { minute: 60, hour: 24, day: 30 }

/** Whole intervals in UTC, from the start of the first to the end of the last. */
export type Period = {
  readonly interval: Interval
  readonly from: Instant
  readonly to: Instant
}

type PeriodQuery = {
  readonly interval: Interval
  /** By default, the default number of intervals before the end. */
  readonly from: Instant | undefined
  /** Now by default. */
  readonly to: Instant | undefined
  readonly now: Instant
}

/** The period that a query asks for, widened to whole intervals. */
export function periodOf({ interval, from, to, now }: PeriodQuery): Period {
  const length = intervalMs[interval]
  // The interval that contains the end is included, unless the end is its start.
  const end = Math.ceil((to ?? now + 1) / length) * length
  const start =
    from === undefined ? end - defaultPoints[interval] * length : Math.floor(from / length) * length
  return { interval, from: start, to: end }
}

export function pointCountOf({ interval, from, to }: Period): number {
  return (to - from) / intervalMs[interval]
}

/** The start of each interval, oldest first. */
export function pointsOf(period: Period): readonly Instant[] {
  const count = pointCountOf(period)
  return Array.from({ length: count }, (_, n) => period.from + n * intervalMs[period.interval])
}
