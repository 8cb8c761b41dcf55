import { z } from 'zod'
import { hoursKeptDays, minutesKeptHours } from '../../../../projections/statistics.ts'
import { type Instant, instant, rfc3339 } from '../../domain/decider.ts'
import {
  intervals,
  type Period,
  periodOf,
  pointCountOf,
  pointsMax,
} from '../../domain/statistics/periods.ts'
import { Problem } from '../../errors.ts'
import { clockAt, readClock } from '../../processes/sandbox/workspace-clock.ts'
import {
  readStatistics,
  type StatisticsOf,
  type Sums,
  TooManyRows,
} from '../../processes/statistics/read-statistics.ts'
import { areStatisticsBuilt } from '../../processes/statistics/tidy-statistics.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import { named, workspaceFilter } from '../named-filters.ts'
import { livemode, openEnum, timestamp } from '../openapi/schemas.ts'
import { isPlatform } from '../operations/find-operation.ts'

export type StatisticsDeps = ApiServices

export const tags = ['Statistics']

const moment = z.iso.datetime({ offset: true })

/** The query parameters of every series. */
export const seriesQuery = {
  interval: z
    .enum(intervals)
    .optional()
    .meta({
      description: `The length of an interval. The default is \`hour\`. Minutes are kept for ${minutesKeptHours} hours, hours for ${hoursKeptDays} days.`,
    }),
  from: moment.optional().meta({
    description:
      'The start of the period, rounded down to a whole interval in UTC: RFC 3339, with an offset or `Z`. The default is 60 minutes, 24 hours or 30 days before `to`.',
    example: '2026-03-01T00:00:00.000Z',
  }),
  to: moment.optional().meta({
    description:
      'The end of the period, exclusive, rounded up to a whole interval: RFC 3339, with an offset or `Z`. At most 1,500 intervals after `from`. The default is now: in test mode on the clock of the workspace, if one is named or the key reaches only one.',
    example: '2026-03-02T00:00:00.000Z',
  }),
  workspace_id: workspaceFilter.optional(),
}
export type SeriesQuery = {
  readonly interval?: Period['interval'] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly workspace_id?: string | undefined
}

/** The members that every series has. */
export const seriesSchema = {
  livemode,
  interval: openEnum(intervals).meta({ description: 'The length of each interval.' }),
  from: timestamp.meta({ description: 'The start of the first interval.' }),
  to: timestamp.meta({ description: 'The end of the last interval, exclusive.' }),
}

/**
 * Whose figures a key sees: those of its workspace or organization; the platform sees those of all.
 */
export async function tenantScopeOf(
  deps: StatisticsDeps,
  principal: Principal,
  workspaceId: string | undefined,
): Promise<StatisticsOf> {
  if (workspaceId !== undefined) await named.workspace_id.find(deps, principal, workspaceId)
  const of = { workspaceId: workspaceId ?? principal.workspaceId, livemode: principal.livemode }
  const isAll = isPlatform(principal) && of.workspaceId === null
  return { ...of, organizationId: isAll ? null : principal.organizationId }
}

type Series = {
  readonly of: StatisticsOf
  readonly query: SeriesQuery
  readonly by: 'couriers' | 'endpoints'
  /** Only this courier or endpoint; undefined = all. */
  readonly subject: string | undefined
  /** The first parts of the names of the sums. */
  readonly names: readonly string[]
}

/** The sums of a period. Throws the problem that says what is wrong with the query. */
export async function seriesOf(
  deps: StatisticsDeps,
  { query, ...asked }: Series,
): Promise<{ readonly period: Period; readonly sums: readonly Sums[] }> {
  const period = await periodIn(deps, asked.of, query)
  try {
    return { period, sums: await readStatistics(deps.db, { ...asked, period }) }
  } catch (error) {
    if (!(error instanceof TooManyRows)) throw error
    throw refused('There is too much to sum. Ask for a shorter period, or for one workspace.')
  }
}

/** The members that describe a series. */
export function headOf({ livemode }: StatisticsOf, { interval, from, to }: Period) {
  return { livemode, interval, from: rfc3339(from), to: rfc3339(to) }
}

async function periodIn(
  deps: StatisticsDeps,
  of: StatisticsOf,
  query: SeriesQuery,
): Promise<Period> {
  const { interval = 'hour' } = query
  const period = periodOf({
    interval,
    from: query.from === undefined ? undefined : instant(query.from),
    to: query.to === undefined ? undefined : instant(query.to),
    now: await nowIn(deps, of),
  })
  if (period.from >= period.to) throw refused('It must be before `to`.')
  if (pointCountOf(period) > pointsMax) {
    throw refused(`One answer has at most ${pointsMax} intervals. Ask for a shorter period.`)
  }
  const isMinute = interval === 'minute'
  const keptMs = isMinute ? minutesKeptHours * 3_600_000 : hoursKeptDays * 86_400_000
  if (period.from < clockAt(0) - keptMs) {
    const kept = isMinute ? `${minutesKeptHours} hours` : `${hoursKeptDays} days`
    throw refused(`Statistics by the ${interval} go back ${kept}.`)
  }
  return period
}

function refused(detail: string): Problem {
  const errors = [{ pointer: '#/query/from', reason: 'out_of_range', detail }]
  return new Problem('invalid_filter', { errors })
}

/**
 * The current time on the clock of the only workspace within reach, or on the wall clock if there
 * are several.
 */
async function nowIn({ db }: StatisticsDeps, of: StatisticsOf): Promise<Instant> {
  if (of.livemode || of.organizationId === null) return clockAt(0)
  const workspaceId = of.workspaceId ?? (await onlyWorkspace(db, of.organizationId))
  if (workspaceId === null) return clockAt(0)
  return (await readClock(db, { workspaceId, livemode: false })).now
}

async function onlyWorkspace(
  db: StatisticsDeps['db'],
  organizationId: string,
): Promise<string | null> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('livemode', '=', false)
    .limit(2)
    .execute()
  return rows.length === 1 ? (rows[0]?.id ?? null) : null
}

/** Right after the upgrade that adds them, statistics are still being built. */
export async function requireStatistics({ db }: StatisticsDeps): Promise<void> {
  if (await areStatisticsBuilt(db)) return
  const detail = 'The statistics are being built.'
  throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
}
