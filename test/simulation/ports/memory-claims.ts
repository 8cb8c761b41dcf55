import { type Claims, cooldownMs, type JobName } from '../../../src/service/processes/due/claims.ts'
import { claimTimes, failedWaitMs } from '../../../src/service/queue/claim.ts'

/** What is due for a shipment, and when, on its workspace's clock. */
export type Owed = {
  readonly shipmentId: string
  readonly dueAt: number
  /** The workspace's clock minus the wall clock. */
  readonly clockOffsetMs: number
}

/** Claims in memory, on lists that the caller maintains. */
export function memoryClaims(
  owed: (job: JobName) => readonly Owed[],
  wallClock: () => number = () => Date.now(),
): Claims {
  const failures = new Map<string, number>()
  const leases = new Map<string, { owner: string | null; until: number }>()
  const isDue = ({ dueAt, clockOffsetMs }: Owed) => dueAt <= wallClock() + clockOffsetMs
  return {
    async claim(job, owner, limit) {
      const now = wallClock()
      const due = owed(job)
        .filter((each) => isDue(each))
        .filter(({ shipmentId }) => (leases.get(shipmentId)?.until ?? 0) <= now)
        .sort((a, b) => a.dueAt - a.clockOffsetMs - (b.dueAt - b.clockOffsetMs))
        .slice(0, limit)
      for (const { shipmentId } of due) {
        leases.set(shipmentId, { owner, until: now + claimTimes.leaseMs })
      }
      return due.map(({ shipmentId, clockOffsetMs }) => ({ shipmentId, clockOffsetMs }))
    },
    async renew(owner) {
      const held = [...leases.values()].filter((lease) => lease.owner === owner)
      for (const lease of held) lease.until = wallClock() + claimTimes.leaseMs
      return held.length > 0
    },
    async release(owner, released) {
      for (const { shipmentId, performed } of released) {
        if (leases.get(shipmentId)?.owner !== owner) continue
        const failed = failures.get(shipmentId) ?? 0
        failures.set(shipmentId, performed === 'failed' ? failed + 1 : 0)
        const waitMs = performed === 'failed' ? failedWaitMs(failed) : cooldownMs[performed]
        leases.set(shipmentId, { owner: null, until: wallClock() + waitMs })
      }
    },
  }
}
