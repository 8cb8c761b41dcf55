import type { AuditEvent } from '../domain/ledger/audit.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from '../security/audit.ts'
import { byCli } from './administration.ts'

/** What one audit event names at most. */
const namedMax = 100

/** Something of an organization that a command is about to show. */
export type Read = { readonly id: string; readonly organizationId: string }

/**
 * Tells every organization, in its audit stream, what of it the platform reads by a command. Call it
 * before anything is shown.
 */
export async function auditReads(
  store: EventStore,
  reads: readonly Read[],
  eventOf: (ids: string[]) => AuditEvent,
): Promise<void> {
  const byOrganization = Map.groupBy(reads, ({ organizationId }) => organizationId)
  for (const [organizationId, own] of byOrganization) {
    for (let at = 0; at < own.length; at += namedMax) {
      const ids = own.slice(at, at + namedMax).map(({ id }) => id)
      await audit(store, { ...byCli, ...eventOf(ids), organizationId })
    }
  }
}
