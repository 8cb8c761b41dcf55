import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { revokeApiKey } from './api-keys.ts'
import type { Operator } from './operators.ts'

/** A key without an operator, used by a program. */
export type MachineKey = {
  readonly id: string
  readonly livemode: boolean
  readonly last4: string
  readonly revoked_at: Date | null
}

type Deps = { readonly db: Kysely<Database>; readonly store: EventStore }
type Ending = {
  readonly revoke: boolean
  readonly by: { readonly actor: Actor; readonly requestId: string | null }
}

/** As many keys as an organization may create over the API in both modes. */
const shownMax = 2_000

/**
 * The machine keys that a disabled operator created in its organization, directly or through other
 * machine keys: those that still work, and those that were revoked since the operator was disabled.
 * With `revoke`, all of them are revoked, each after its audit event. If that fails half-way,
 * calling it again revokes the rest. Returns at most 2,000.
 */
export async function endMachineKeysOf(
  deps: Deps,
  operator: Operator,
  { revoke, by }: Ending,
): Promise<readonly MachineKey[]> {
  for (;;) {
    const found = await createdBy(deps.db, operator)
    const working = found.filter(({ revoked_at }) => revoked_at === null)
    if (!revoke || working.length === 0) return found
    for (const { id } of working) await revokeApiKey(deps, id, by)
  }
}

async function createdBy(
  db: Kysely<Database>,
  { id, organization_id: organizationId, updated_at: disabledAt }: Operator,
): Promise<readonly MachineKey[]> {
  const { rows } = await sql<MachineKey>`
    WITH RECURSIVE created AS (
      SELECT id, operator_id FROM api_keys
      WHERE organization_id = ${organizationId} AND created_by_operator_id = ${id}
      UNION
      SELECT k.id, k.operator_id FROM api_keys k JOIN created c ON k.created_by_key_id = c.id
      WHERE k.organization_id = ${organizationId} AND c.operator_id IS NULL
    )
    SELECT k.id, k.livemode, k.last4, k.revoked_at FROM api_keys k JOIN created USING (id)
    WHERE k.operator_id IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())
      AND (k.revoked_at IS NULL OR k.revoked_at >= ${disabledAt})
    ORDER BY k.revoked_at IS NOT NULL, k.created_at, k.id
    LIMIT ${shownMax}`.execute(db)
  return rows
}
