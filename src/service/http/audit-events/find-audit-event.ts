import type { Kysely } from 'kysely'
import { auditProjection } from '../../../../projections/all.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import { isBuilt } from '../../projector/checkpoint.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { AuditEventRow } from './audit-event-schema.ts'

/** The acts that a key sees. */
export function reachableAuditEvents(db: Kysely<Tables>, principal: Principal) {
  const own = db
    .selectFrom('projections.audit_events')
    .selectAll()
    .where('organization_id', '=', principal.organizationId)
    .where(principal.livemode ? 'in_live' : 'in_test', '=', true)
  return principal.workspaceId === null
    ? own
    : own.where('workspace_id', '=', principal.workspaceId)
}

/** The act, or 404 as for any id that never existed. */
export async function findAuditEvent(
  db: Kysely<Tables>,
  principal: Principal,
  id: string,
): Promise<AuditEventRow> {
  await requireBuilt(db)
  const row = await reachableAuditEvents(db, principal)
    .where('event_id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}

/** Refuses while the list is being built, right after the upgrade that adds it. */
export async function requireBuilt(db: Kysely<Tables>): Promise<void> {
  if (await isBuilt(db, auditProjection.name)) return
  const detail = 'The list of audit events is being built.'
  throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
}
