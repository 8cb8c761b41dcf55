import type { AuditEvent } from '../domain/ledger/audit-event.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from '../security/audit.ts'
import { type ActorOn, by } from './acting.ts'

/** The most ids in one audit event. */
const namedMax = 100

/** A resource of an organization that a command is about to show. */
type Read = {
  readonly id: string
  readonly owner: {
    readonly organizationId: string
    readonly workspaceId: string
    readonly livemode: boolean
  }
}

/**
 * Records in each organization's audit stream which of its resources a command of the platform is
 * about to show. Call it before anything is shown.
 */
export async function auditReads(
  { store, actorOn }: { readonly store: EventStore; readonly actorOn: ActorOn },
  reads: readonly Read[],
  eventOf: (ids: string[]) => AuditEvent,
): Promise<void> {
  const byWorkspace = Map.groupBy(reads, ({ owner }) => owner.workspaceId)
  for (const own of byWorkspace.values()) {
    for (let at = 0; at < own.length; at += namedMax) {
      const named = own.slice(at, at + namedMax)
      const ids = named.map(({ id }) => id)
      const { owner } = named[0] as Read
      const actor = await by(actorOn, owner.organizationId)
      await audit(store, { ...actor, ...eventOf(ids), ...owner })
    }
  }
}
