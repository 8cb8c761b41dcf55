import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../errors.ts'
import type { Withheld } from '../../event-store/beside.ts'
import type { ProcessServices } from '../process-services.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

/** How long new attempts wait for a clock advance to end; with the call, under 40 s in total. */
const clockWaitMs = 12_000

type ClockMoved = Extract<Withheld, { readonly kind: 'clock_moved' }>

/**
 * Begins an attempt at the time that its workspace's clock is assumed to show, and again if the clock
 * has moved. While it is being advanced, the attempt waits, and nothing of it is stored, so an advance and
 * its attempts cannot deadlock. Throws a Problem if the advance takes too long.
 */
export async function atWorkspaceClock<Begun extends object>(
  { db, clocks }: Pick<ProcessServices, 'db' | 'clocks'>,
  workspace: { readonly workspaceId: string; readonly livemode: boolean },
  begin: (clockOffsetMs: number) => Promise<Begun | ClockMoved>,
): Promise<Begun> {
  const until = performance.now() + clockWaitMs
  for (;;) {
    const begun = await begin(clocks.offsetOf(workspace))
    if (!hasMoved(begun)) return begun
    let { clock } = begun
    for (;;) {
      if (performance.now() >= until) throw new Problem('clock_advancing', { retryAfterSeconds: 5 })
      if (clock.advancingTo === null) break
      await delay(50)
      const { offsetMs, advancingTo } = await readClock(db, workspace)
      clock = { offsetMs, advancingTo: advancingTo === null ? null : new Date(advancingTo) }
    }
    clocks.note(workspace, clock.offsetMs)
  }
}

function hasMoved(begun: object): begun is ClockMoved {
  return 'kind' in begun && begun.kind === 'clock_moved'
}
