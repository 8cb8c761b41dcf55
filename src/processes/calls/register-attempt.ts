import { setTimeout as delay } from 'node:timers/promises'
import type { Instant } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import type { Registration, Stored } from '../../security/vault.ts'
import type { ProcessDeps } from '../deps.ts'
import { refuseWithoutPlace } from '../quota/quota.ts'
import { withdrawAttempt } from './sandbox-clock.ts'
import { readClock } from './workspace-clock.ts'

/** How long new attempts wait for an advance of their clock; with the call it is under 40 s. */
const clockWaitMs = 12_000

/**
 * While the workspace's clock is being advanced new attempts wait, and start at its new time. They
 * register again only once it stands still, so an advance and its waiting attempts never wait for
 * each other. `arrived` may then refuse what no longer holds at the new time.
 */
export async function whenClockRuns(
  deps: ProcessDeps,
  workspace: Registration & { readonly livemode: boolean },
  register: () => Promise<Stored>,
  arrived: (now: Instant) => void = () => {},
): Promise<Stored> {
  const until = performance.now() + clockWaitMs
  let stored = await register()
  refuseWithoutPlace(stored)
  // Nothing was recorded, and nothing begins.
  if (stored.reservation === 'known') return stored
  while (stored.clock !== null && stored.clock.advancingTo !== null) {
    await withdrawAttempt(deps.db, workspace)
    let clock = await readClock(deps.db, workspace)
    while (clock.advancingTo !== null) {
      if (performance.now() >= until) throw new Problem('clock_advancing', { retryAfterSeconds: 5 })
      await delay(50)
      clock = await readClock(deps.db, workspace)
    }
    arrived(clock.now)
    stored = await deps.vault.register({ registration: workspace })
  }
  return stored
}
