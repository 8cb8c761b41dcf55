import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { keepErasuresOut } from '../../processes/erasure/workspace-holds.ts'
import type { HoldAct } from '../../processes/holds/shipment-hold.ts'
import { audit } from '../../security/audit.ts'
import type { HoldNotes } from '../../security/encryption/hold-notes.ts'
import { exclusively } from '../rules/exclusive.ts'
import { asRead, requireWritten, withFreshRow } from '../rules/resources/fence.ts'
import type { WorkspaceRow } from './workspaces.ts'

type Deps = {
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly holdNotes: Pick<HoldNotes, 'seal'>
}

export type WorkspaceHoldOrder = {
  readonly act: HoldAct
  readonly note: string
  readonly actor: Actor
  readonly requestId: string | null
}

/**
 * Places or lifts the legal hold of a workspace that nothing else changes meanwhile; already so =
 * nothing is recorded. When it resolves, no erasure is under way that did not see the hold.
 */
export async function holdWorkspace(
  deps: Deps,
  row: WorkspaceRow,
  { act, note, actor, requestId }: WorkspaceHoldOrder,
): Promise<WorkspaceRow> {
  const isPlaced = act === 'place_hold'
  if ((row.legal_hold_since !== null) === isPlaced) return row
  const { id: workspaceId, organization_id: organizationId, livemode } = row
  const ref = randomUUID()
  await deps.db
    .insertInto('workspace_hold_notes')
    .values({
      ref,
      organization_id: organizationId,
      workspace_id: workspaceId,
      note: deps.holdNotes.seal({ organizationId, ref }, note),
    })
    .execute()
  await audit(deps.store, {
    organizationId,
    workspaceId,
    livemode,
    actor,
    requestId,
    type: isPlaced ? 'WorkspaceHoldPlaced' : 'WorkspaceHoldLifted',
    data: { workspace_id: workspaceId, note_ref: ref },
  })
  return deps.db.transaction().execute(async (tx) => {
    if (isPlaced) await keepErasuresOut(tx, workspaceId)
    const now = new Date()
    const written = await tx
      .updateTable('workspaces')
      .set((eb) => ({
        legal_hold_since: isPlaced ? now : null,
        updated_at: now,
        version: eb('version', '+', 1),
      }))
      .where('organization_id', '=', organizationId)
      .where(asRead(row))
      .returningAll()
      .executeTakeFirst()
    return requireWritten(written)
  })
}

/** The same for a workspace of any organization; null when there is no such workspace. */
export async function holdAnyWorkspace(
  deps: Deps,
  workspaceId: string,
  order: WorkspaceHoldOrder,
): Promise<WorkspaceRow | null> {
  const held = async () => {
    const row = await deps.db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', workspaceId)
      .executeTakeFirst()
    return row === undefined ? null : await holdWorkspace(deps, row, order)
  }
  return await exclusively(deps.db, ['workspace', workspaceId], () => withFreshRow(held))
}
