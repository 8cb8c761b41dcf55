import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { projectionsReached } from '../../projector/checkpoint.ts'
import { hasColumn } from '../has-column.ts'
import type { ProcessDeps } from '../process-deps.ts'
import {
  endLines,
  holdLane,
  type Lane,
  type Line,
  type LineEnd,
  type LineLater,
  nextLaneMs,
  postponeLines,
  releaseLane,
  renewLane,
} from './batch-lanes.ts'
import { type LineDeps, performLine } from './perform-line.ts'
import { takeLines } from './take-lines.ts'

/** Lanes that one process serves at once. */
const lanesMax = 4
/** Lines of one connection that are being created at once, as many as a busy shop sends itself. */
const linesAtOnce = 40
/** Lines begun together by one statement. Cancelling a batch stops it within these. */
const takenMax = 80
/** A lane is served this long before the lanes of other organizations have their turn. */
const turnMs = 2_000
const renewEveryMs = 2_000
/** Another process may have stored a batch. */
const readEveryMs = 2_000
const failedMs = 1_000
/** Lines wait this long for the read models, and then until the lane's next turn. */
const caughtUpMs = 2_000

type BatchDeps = LineDeps & Pick<ProcessDeps, 'batchBell' | 'batchSealer' | 'db' | 'log'>

/** Does the lines of batches until the signal, and finishes those that it has begun. */
export async function runBatches(deps: BatchDeps, signal: AbortSignal): Promise<void> {
  const served = new Set<Promise<void>>()
  while (!signal.aborted) {
    const seen = deps.batchBell.count
    let waitMs = readEveryMs
    try {
      const ms = served.size < lanesMax ? await nextLaneMs(deps.db) : null
      const lane = ms !== null && ms <= 0 ? await holdLane(deps.db, randomUUID()) : null
      if (lane !== null) {
        const turn = serveTurn(deps, lane, signal).then(() => {
          served.delete(turn)
          deps.batchBell.ring()
        })
        served.add(turn)
        continue
      }
      if (ms !== null && ms > 0) waitMs = Math.min(readEveryMs, ms)
    } catch (err) {
      if (!signal.aborted) deps.log.error({ err, task: 'batches' }, failedText)
      waitMs = failedMs
    }
    await deps.batchBell.wait(seen, waitMs, signal)
  }
  await Promise.all(served)
}

const failedText = 'a background task failed and will be retried'

/** Serves a lane for a turn. Never fails: what is not recorded is done again by the next holder. */
async function serveTurn(deps: BatchDeps, lane: Lane, signal: AbortSignal): Promise<void> {
  const { db, log } = deps
  const isLost = new AbortController()
  const stop = AbortSignal.any([signal, isLost.signal])
  const timer = setInterval(() => {
    renewLane(db, lane).then(
      (isHeld) => {
        if (!isHeld) isLost.abort()
      },
      () => undefined,
    )
  }, renewEveryMs)
  try {
    await doLines(deps, lane, stop)
    await releaseLane(db, lane)
  } catch (err) {
    log.error({ err, task: 'batches' }, failedText)
    await delay(failedMs, undefined, { signal }).catch(() => undefined)
  } finally {
    clearInterval(timer)
  }
}

/** Begins the next lines, if the read models have every shipment that was there. */
async function nextLines(deps: BatchDeps, lane: Lane): Promise<readonly Line[]> {
  const { db, store } = deps
  if (!(await projectionsReached(db, await store.head(), caughtUpMs))) return []
  if (!(await hasColumn(db, 'projections.shipments', 'order_key'))) return []
  return await takeLines(db, deps.batchSealer, lane, takenMax)
}

/** Creates the lane's lines, some at once, until there are none or its turn is over. */
async function doLines(deps: BatchDeps, lane: Lane, stop: AbortSignal): Promise<void> {
  const untilMs = performance.now() + turnMs
  const todo: Line[] = []
  const ends: LineEnd[] = []
  const laters: LineLater[] = []
  const performing = new Set<Promise<void>>()
  let isEmpty = false
  const record = async () => {
    await endLines(deps.db, ends.splice(0))
    await postponeLines(deps.db, laters.splice(0))
  }
  const begin = (line: Line) => {
    const performed = performLine(deps, line).then((end) => {
      if ('state' in end) ends.push(end)
      else laters.push(end)
      performing.delete(performed)
    })
    performing.add(performed)
  }
  for (;;) {
    // What has begun and is not being created yet is left to the next holder.
    if (stop.aborted) todo.length = 0
    const mayTake = !stop.aborted && !isEmpty && performance.now() < untilMs
    if (mayTake && todo.length < linesAtOnce) {
      const taken = await nextLines(deps, lane)
      isEmpty = taken.length === 0
      todo.push(...taken)
    }
    while (performing.size < linesAtOnce && todo.length > 0) begin(todo.shift() as Line)
    if (ends.length + laters.length >= linesAtOnce) await record()
    if (performing.size === 0 && todo.length === 0) {
      await record()
      if (isEmpty || stop.aborted || performance.now() >= untilMs) return
      continue
    }
    if (performing.size > 0) await Promise.race(performing)
  }
}
