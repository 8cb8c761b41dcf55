import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import { rfc3339 } from '../../domain/decider.ts'

export type ConnectionRow = Selectable<Database['courier_connections']>

/** A connection as the API shows it. */
export function connectionToApi(row: Omit<ConnectionRow, 'credentials'>) {
  return {
    id: row.id,
    object: 'courier_connection' as const,
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    provider_code: row.provider_code,
    display_name: row.display_name,
    status: row.status,
    verified_at: row.verified_at === null ? null : rfc3339(row.verified_at.getTime()),
    created_at: rfc3339(row.created_at.getTime()),
    updated_at: rfc3339(row.updated_at.getTime()),
    version: row.version,
  }
}
