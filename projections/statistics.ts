import { rfc3339 } from '../src/service/domain/decider.ts'
import { countsOf } from '../src/service/domain/statistics/shipment-counts.ts'
import { counts, flag, id, ownerColumns, time } from './columns.ts'
import type { Step } from './fold-batch.ts'
import { rollup } from './rollup.ts'
import { index } from './table.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Sums per minute are kept for two days: enough for a dashboard of an outage. */
export const minutesKeptHours = 48
/** Sums per hour are kept for 13 months, so that a month can be compared with last year's. */
export const hoursKeptDays = 400

/**
 * Counts of what happened to shipments, by workspace, courier and minute; after two days, by hour. The
 * time is `recorded_at`, which in a test workspace is on that workspace's clock.
 */
export const statistics = rollup({
  key: ['workspace_id', 'at', 'provider_code', 'is_hour'],
  columns: {
    ...ownerColumns,
    provider_code: id,
    /** The start of the minute or hour. */
    at: time,
    is_hour: flag,
    counts,
  },
  indexes: (name) => [
    `CREATE INDEX IF NOT EXISTS ${index(name, 'organization')} ON ${name} (organization_id, livemode, at)`,
    `CREATE INDEX IF NOT EXISTS ${index(name, 'time')} ON ${name} (at, livemode)`,
  ],
  rows: (steps, now) => {
    const found = new Map<string, Row>()
    for (const step of steps) add(found, step, now)
    return [...found.values()]
  },
})

type Row = ReturnType<typeof rowOf>

function add(found: Map<string, Row>, step: Step, now: number): void {
  const names = countsOf(step)
  if (names.length === 0) return
  const row = rowOf(step, now)
  const key = [row.workspace_id, row.at, row.provider_code, row.is_hour].join(' ')
  const { counts } = found.get(key) ?? row
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  found.set(key, { ...row, counts })
}

function rowOf({ event, after }: Step, now: number) {
  const { organization_id, workspace_id, livemode, provider_code } = after.request
  const isHour = event.recordedAt < now - minutesKeptHours * hourMs
  const span = isHour ? hourMs : minuteMs
  return {
    organization_id,
    workspace_id,
    livemode,
    provider_code,
    at: rfc3339(event.recordedAt - (event.recordedAt % span)),
    is_hour: isHour,
    counts: {} as Record<string, number>,
  }
}
