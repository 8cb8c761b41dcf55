import { Problem } from '../../errors.ts'
import type { Snapshot } from '../../event-store/transact.ts'
import type { Beside, Stored } from '../../security/vault/vault.ts'

/**
 * Written before the attempt's event, in the vault's batch: in a sandbox, that the attempt may be
 * under way; and the place in the quota, which belongs to the shipment whichever request wins.
 */
export function besideAttempt(
  attempt: {
    readonly organizationId: string
    readonly workspaceId: string
    readonly shipmentId: string
    readonly livemode: boolean
  },
  from: Snapshot | 'unread',
): Beside {
  const { organizationId, workspaceId, shipmentId, livemode } = attempt
  return {
    registration: livemode ? null : { workspaceId, shipmentId },
    reservation: {
      organizationId,
      shipmentId,
      livemode,
      version: from === 'unread' ? 0 : (from.state?.version ?? 0),
      isUnread: from === 'unread',
    },
  }
}

/** Throws when the plan has no place left; nothing was written, and nothing is appended. */
export function refuseWithoutPlace({ reservation, storedAt }: Stored): void {
  if (reservation === 'suspended') throw new Problem('organization_suspended')
  if (reservation !== 'exceeded') return
  const next = new Date(Date.UTC(storedAt.getUTCFullYear(), storedAt.getUTCMonth() + 1, 1))
  throw new Problem('quota_exceeded', {
    detail: `The plan's shipments of this month are used up; the next month begins at ${next.toISOString()}.`,
  })
}
