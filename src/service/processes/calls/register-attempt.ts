import { setTimeout as delay } from 'node:timers/promises'
import type { Instant } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import type { ClockRegistration, RegisteredAttempt } from '../../security/vault/vault.ts'
import type { ProcessServices } from '../process-services.ts'
import { refuseWithoutPlace } from '../quota/quota-place.ts'
import { ledgerDamaged } from '../recovery/ledger-guard.ts'
import { withdrawAttempt } from '../sandbox/sandbox-clock.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

/** How long new attempts wait for a clock advance to end; with the call, under 40 s in total. */
const clockWaitMs = 12_000

/**
 * Registers an attempt with `register`, which writes its vault row and reserves its place in the
 * quota. Throws a Problem if the quota is used up or the ledger is damaged. While the workspace's
 * clock is being advanced, the attempt withdraws, waits, and registers again at the new time: it
 * never waits while registered, so an advance and its attempts cannot deadlock. `checkAgain` may
 * then refuse what is no longer valid at the new time.
 */
export async function registerAttempt(
  { db, vault }: Pick<ProcessServices, 'db' | 'vault'>,
  attempt: ClockRegistration & { readonly livemode: boolean },
  register: () => Promise<RegisteredAttempt>,
  checkAgain: (now: Instant) => void = () => {},
): Promise<RegisteredAttempt> {
  const until = performance.now() + clockWaitMs
  let stored = await register()
  // Another process found the damage; this process may not have read it yet.
  if (stored.isLedgerDamaged) throw ledgerDamaged()
  refuseWithoutPlace(stored)
  // The shipment exists already: no attempt begins.
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
    stored = await vault.register({ clockRegistration: attempt })
  }
  return stored
}
