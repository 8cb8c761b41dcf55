import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { ConnectionPlace } from '../../processes/connections/courier-accounts.ts'
import { hasColumn } from '../../processes/has-column.ts'
import { projectionsReached } from '../../projector/checkpoint.ts'

/** How long deleting a connection waits for the list of its operations to be complete. */
const completeWaitMs = 3_000

/** Whether a connection has operations that are open. Throws `dependency_unavailable`. */
export async function hasUnresolvedOperations(
  readModels: Kysely<ReadModels>,
  store: EventStore,
  { organizationId, connectionId }: Pick<ConnectionPlace, 'organizationId' | 'connectionId'>,
): Promise<boolean> {
  if (!(await projectionsReached(readModels, await store.head(), completeWaitMs))) {
    const detail = 'It cannot be determined now whether this connection has unresolved operations.'
    throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
  }
  if (!(await hasColumn(readModels, 'projections.shipments', 'is_open'))) {
    const detail = 'The list of shipments is being rebuilt, so its operations are not known now.'
    throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
  }
  const { rows } = await sql`
    SELECT FROM projections.shipments
    WHERE organization_id = ${organizationId} AND courier_connection_id = ${connectionId}
      AND is_open LIMIT 1`.execute(readModels)
  return rows.length > 0
}
