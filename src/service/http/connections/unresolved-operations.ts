import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { ConnectionPlace } from '../../processes/connections/courier-accounts.ts'
import { hasColumn } from '../../processes/has-column.ts'
import { projectionsReached } from '../../projector/checkpoint.ts'

/** How long the deletion of a connection waits for the list of its operations to catch up. */
const completeWaitMs = 3_000

/** Whether a connection has open operations. Throws `dependency_unavailable` if it cannot tell. */
export async function hasUnresolvedOperations(
  db: Kysely<Tables>,
  store: EventStore,
  { organizationId, connectionId }: Pick<ConnectionPlace, 'organizationId' | 'connectionId'>,
): Promise<boolean> {
  if (!(await projectionsReached(db, await store.head(), completeWaitMs))) {
    const detail = 'The service cannot tell now whether this connection has unresolved operations.'
    throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
  }
  if (!(await hasColumn(db, 'projections.shipments', 'is_open'))) {
    const detail =
      'The list of shipments is being rebuilt, so the open operations are not known now.'
    throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
  }
  const { rows } = await sql`
    SELECT FROM projections.shipments
    WHERE organization_id = ${organizationId} AND courier_connection_id = ${connectionId}
      AND is_open LIMIT 1`.execute(db)
  return rows.length > 0
}
