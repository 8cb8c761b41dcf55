import { setTimeout as delay } from 'node:timers/promises'
import type { Instant } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import type { Registration, Stored } from '../../security/vault/vault.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { refuseWithoutPlace } from '../quota/quota-place.ts'
import { ledgerDamaged } from '../recovery/ledger-guard.ts'
import { withdrawAttempt } from '../sandbox/sandbox-clock.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

/** How long new attempts wait for an advance of their clock; with the call it is under 40 s. */
const clockWaitMs = 12_000

/**
 * Registers an attempt with `register`, which writes its vault row and takes its place in the
 * quota. Throws a Problem if there is no place, or while the ledger is damaged. While the workspace's clock is being advanced the
 * attempt waits, and starts at its new time: it withdraws, and registers again once the
 * advance has ended, so an advance and its waiting attempts never wait for each other. `checkAgain` may
 * then refuse what no longer holds at the new time.
 */
export async function registerAttempt(
  { db, vault }: Pick<ProcessDeps, 'db' | 'vault'>,
  attempt: Registration & { readonly livemode: boolean },
  register: () => Promise<Stored>,
  checkAgain: (now: Instant) => void = () => {},
): Promise<Stored> {
  const until = performance.now() + clockWaitMs
  let stored = await register()
  // Found by another process: this one need not have read it yet.
  if (stored.isLedgerDamaged) throw ledgerDamaged()
  refuseWithoutPlace(stored)
  // Nothing was recorded, and nothing begins.
  if (stored.reservation === 'known') return stored
  while (stored.clock !== null && stored.clock.advancingTo !== null) {
    await withdrawAttempt(db, attempt)
    let clock = await readClock(db, attempt)
    while (clock.advancingTo !== null) {
      if (performance.now() >= until) throw new Problem('clock_advancing', { retryAfterSeconds: 5 })
      await delay(50)
      clock = await readClock(db, attempt)
    }
    checkAgain(clock.now)
    stored = await vault.register({ registration: attempt })
  }
  return stored
}
