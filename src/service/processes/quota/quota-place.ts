import { Problem } from '../../errors.ts'
import type { Attempt, Withheld } from '../../event-store/beside.ts'

/**
 * What a creation's attempt stores with its intent: the place in the quota, which belongs to the
 * shipment whichever request wins, and in a sandbox a note that the attempt may be in progress.
 */
export function creationAttempt(
  request: {
    readonly organizationId: string
    readonly workspaceId: string
    readonly shipmentId: string
    readonly livemode: boolean
  },
  { clockOffsetMs, isUnread }: { readonly clockOffsetMs: number; readonly isUnread: boolean },
): Attempt {
  const { organizationId, workspaceId, shipmentId, livemode } = request
  return {
    organizationId,
    workspaceId,
    shipmentId,
    reservation: { livemode, isUnread },
    clock: livemode ? null : { offsetMs: clockOffsetMs, operationId: null },
  }
}

/** Why an attempt was withheld, as an error: a Problem if the plan or a suspension is the reason. */
export function withoutPlace(withheld: Withheld): Error {
  switch (withheld.kind) {
    case 'suspended':
      return new Problem('organization_suspended')
    case 'exceeded': {
      const { at } = withheld
      const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
      return new Problem('quota_exceeded', {
        detail: `The plan's shipments of this month are used up; the next month begins at ${next.toISOString()}.`,
      })
    }
    case 'known':
    case 'clock_moved':
      return new Error(`bug: an attempt was withheld: ${withheld.kind}`)
  }
}
