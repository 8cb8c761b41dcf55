import { Problem } from '../../errors.ts'
import type { Snapshot } from '../../event-store/transact.ts'
import type { AttemptRegistration, RegisteredAttempt } from '../../security/vault/vault.ts'

/**
 * What the vault's batch writes before the attempt's event: the place in the quota, which belongs to
 * the shipment whichever request wins, and in a sandbox a note that the attempt may be in progress.
 */
export function attemptRegistration(
  attempt: {
    readonly organizationId: string
    readonly workspaceId: string
    readonly shipmentId: string
    readonly livemode: boolean
  },
  from: Snapshot | 'unread',
): AttemptRegistration {
  const { organizationId, workspaceId, shipmentId, livemode } = attempt
  return {
    clockRegistration: livemode ? null : { workspaceId, shipmentId },
    reservation: {
      organizationId,
      shipmentId,
      livemode,
      version: from === 'unread' ? 0 : (from.state?.version ?? 0),
      isUnread: from === 'unread',
    },
  }
}

/** Throws if the plan has no place left: nothing was written, and nothing is to be appended. */
export function refuseWithoutPlace({ reservation, storedAt }: RegisteredAttempt): void {
  if (reservation === 'suspended') throw new Problem('organization_suspended')
  if (reservation !== 'exceeded') return
  const next = new Date(Date.UTC(storedAt.getUTCFullYear(), storedAt.getUTCMonth() + 1, 1))
  throw new Problem('quota_exceeded', {
    detail: `The plan's shipments of this month are used up; the next month begins at ${next.toISOString()}.`,
  })
}
