import { projectionsReached } from '../../projector/checkpoint.ts'
import { byTurns, queueTables } from '../../queue/claim.ts'
import type { Kind } from '../../queue/run.ts'
import { hasColumn } from '../has-column.ts'
import type { ProcessServices } from '../process-services.ts'
import {
  type ConnectionQueue,
  endLines,
  type Line,
  type LineEnd,
  type PostponedLine,
  postponeLines,
  releaseQueue,
} from './connection-queues.ts'
import { type LineDeps, performLine } from './perform-line.ts'
import { takeLines } from './take-lines.ts'

/** Connections that one process serves at once. */
const connectionsMax = 4
/** Lines of one connection in progress at once: as many requests as a busy shop sends itself. */
const linesAtOnce = 40
/** Lines taken by one statement. Cancelling a batch cannot stop lines that are taken. */
const takenMax = 80
/** How long one connection is served before those of other organizations. */
const sliceMs = 2_000
/** How long a connection waits for the read models before its lines are put off. */
const caughtUpMs = 2_000

type BatchDeps = LineDeps & Pick<ProcessServices, 'batchSealer' | 'db'>

/**
 * The lines of batches: a connection's lines are claimed together, for a time slice. What is not
 * recorded is repeated by the next owner of the claim.
 */
export function batchLines(deps: BatchDeps): Kind {
  return byTurns<ConnectionQueue>(deps.db, queueTables.connections, {
    name: 'batches',
    slots: connectionsMax,
    perform: async (queue, stop) => {
      await doLines(deps, queue, stop)
      await releaseQueue(deps.db, queue)
    },
  })
}

/** Takes the next lines, once the read models have caught up with the ledger. */
async function nextLines(deps: BatchDeps, queue: ConnectionQueue): Promise<readonly Line[]> {
  const { db, store } = deps
  if (!(await projectionsReached(db, await store.head(), caughtUpMs))) return []
  if (!(await hasColumn(db, 'projections.shipments', 'order_key'))) return []
  return await takeLines(db, deps.batchSealer, queue, takenMax)
}

/** Creates the lines of the connection, some at once, until none is left or the time slice ends. */
async function doLines(deps: BatchDeps, queue: ConnectionQueue, stop: AbortSignal): Promise<void> {
  const untilMs = performance.now() + sliceMs
  const todo: Line[] = []
  const ends: LineEnd[] = []
  const laters: PostponedLine[] = []
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
    // Lines that are taken but not in flight are left to the next holder.
    if (stop.aborted) todo.length = 0
    const mayTake = !stop.aborted && !isEmpty && performance.now() < untilMs
    if (mayTake && todo.length < linesAtOnce) {
      const taken = await nextLines(deps, queue)
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
