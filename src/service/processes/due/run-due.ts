import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { advanceOnce } from '../sandbox/sandbox-clock.ts'
import { type DutyName, dutyNames } from './claims.ts'
import { dueAt, ofWorkspace, releaseDeadWorkers, unrenewed } from './claims-postgres.ts'
import { type DutyDeps, duties, performDue } from './duties.ts'

/** Another process may have planned work: the list is read at least this often. */
const readEveryMs = 1_000
/** Wait before due work held by another worker is tried again. */
const retryMs = 400
/** Loops of each kind: an unresponsive courier holds one of them for ten seconds. */
const atOnceMax = 4

export type DueDeps = DutyDeps & Pick<ProcessDeps, 'advance' | 'claims' | 'deliveries' | 'dueBell'>

type Due = {
  readonly duties: ReadonlySet<DutyName>
  /** A sandbox clock is to be advanced. */
  readonly advance: boolean
  /** A worker has not renewed what it holds: it may have died. */
  readonly unrenewed: boolean
  /** Until the next work that is not due yet; at most `readEveryMs`. */
  readonly nextMs: number
}

/**
 * Does what falls due until the signal aborts. One query of the list says which kinds of work there
 * are and when the next falls due; nothing else is queried meanwhile.
 */
export async function runDue(deps: DueDeps, signal: AbortSignal): Promise<void> {
  const { dueBell, log } = deps
  const places = [
    ...duties.map((duty) => {
      const isWanted = (due: Due) => due.duties.has(duty.name)
      if (duty.isUnhurried === true) {
        return placesFor(duty.name, 1, isWanted, (owner) => performDue(deps, duty, owner))
      }
      const goOn = () => dueBell.ring()
      return placesFor(duty.name, atOnceMax, isWanted, (owner) =>
        performDue(deps, duty, owner, goOn),
      )
    }),
    placesFor(
      'advance',
      atOnceMax,
      ({ advance }) => advance,
      () => advanceOnce(deps, signal),
    ),
    placesFor(
      'free',
      1,
      (due) => due.unrenewed,
      () => releaseDeadWorkers(deps.db),
    ),
  ]
  const underWay = new Set<Promise<void>>()
  const fill = (kind: Places) => {
    const owner = kind.free.pop()
    kind.isWaitedFor = owner === undefined && kind.atOnce > 1
    if (owner === undefined) return
    const work = kind
      .run(owner)
      .catch((err: unknown) => {
        if (!signal.aborted)
          log.error({ err, task: kind.name }, 'a background task failed and will be retried')
      })
      .then(() => {
        kind.free.push(owner)
        underWay.delete(work)
        if (kind.isWaitedFor) dueBell.ring()
      })
    underWay.add(work)
  }
  while (!signal.aborted) {
    const seen = dueBell.count
    let waitMs = readEveryMs
    try {
      const due = await readDue(deps.db)
      for (const each of places) if (each.isWanted(due)) fill(each)
      const isWork = due.duties.size > 0 || due.advance
      waitMs = isWork ? Math.min(retryMs, due.nextMs) : due.nextMs
    } catch (err) {
      if (!signal.aborted)
        log.error({ err, task: 'due' }, 'a background task failed and will be retried')
    }
    await dueBell.wait(seen, Math.max(leastMs, waitMs), signal)
  }
  await Promise.all(underWay)
}

/** The shortest wait for the next due work: everything due within it is done together. */
const leastMs = 200

/** The concurrency slots of a kind of work; each has a name that it claims by. */
type Places = {
  readonly name: string
  readonly atOnce: number
  readonly free: string[]
  /** There was more work than slots. Work with one slot rests between its batches. */
  isWaitedFor: boolean
  readonly isWanted: (due: Due) => boolean
  readonly run: (owner: string) => Promise<unknown>
}

function placesFor(
  name: string,
  atOnce: number,
  isWanted: Places['isWanted'],
  run: Places['run'],
): Places {
  return {
    name,
    atOnce,
    isWanted,
    run,
    isWaitedFor: false,
    free: Array.from({ length: atOnce }, () => randomUUID()),
  }
}

async function readDue(db: Kysely<ReadModels>): Promise<Due> {
  const isFree = sql`(d.leased_until > now()) IS NOT TRUE`
  const first = dutyNames.map((name) => {
    const at = dueAt[name]
    return sql`(SELECT ${msUntil(at)} FROM due d WHERE ${at} IS NOT NULL AND ${isFree}
      ORDER BY ${at} LIMIT 1) AS ${sql.ref(name)}`
  })
  const { rows } = await sql<
    Record<DutyName | 'ahead', number | null> & {
      advance: boolean
      unrenewed: boolean
    }
  >`
    SELECT ${sql.join(first)},
      EXISTS (SELECT FROM sandbox_clocks WHERE advancing_to IS NOT NULL) AS advance,
      EXISTS (
        SELECT FROM claims WHERE ${unrenewed} AND (held IS NOT NULL OR work LIKE 'advance:%')
      ) AS unrenewed,
      (SELECT min((
          SELECT ${msUntil(sql`d.first_at`)} FROM due d
          WHERE ${ofWorkspace(sql`c.workspace_id`, sql`'infinity'::timestamptz`)} AND ${isFree}
          ORDER BY d.workspace_id, d.first_at LIMIT 1
        ) - c.offset_ms)
        FROM sandbox_clocks c WHERE c.offset_ms > 0 AND c.advancing_to IS NULL) AS ahead`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw new Error('bug: the query of what is due answered no row')
  const { advance, unrenewed: mayBeDead, ahead, ...byDuty } = found
  const isAhead = ahead !== null && ahead <= 0
  const isDue = (name: DutyName) => isAhead || (byDuty[name] ?? 1) <= 0
  const coming = [ahead, ...dutyNames.map((name) => byDuty[name])]
  return {
    advance,
    unrenewed: mayBeDead,
    duties: new Set(dutyNames.filter(isDue)),
    nextMs: Math.min(readEveryMs, ...coming.filter((ms) => ms !== null).filter((ms) => ms > 0)),
  }
}

function msUntil(at: ReturnType<typeof sql>) {
  return sql`(extract(epoch FROM ${at} - now()) * 1000)::float8`
}
