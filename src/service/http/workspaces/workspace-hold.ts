import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { keepErasuresOut, oneAtATime } from '../../processes/erasure/workspace-holds.ts'
import type { HoldAct } from '../../processes/holds/shipment-hold.ts'
import { audit } from '../../security/audit.ts'
import type { Vault } from '../../security/vault/vault.ts'
import { asRead, requireWritten, withFreshRow } from '../rules/resources/fresh-row.ts'
import { withLock } from '../rules/with-lock.ts'
import type { WorkspaceRow } from './workspace-schema.ts'

type Deps = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly vault: Pick<Vault, 'prepare'>
}

type RequestedWorkspaceHold = {
  readonly act: HoldAct
  readonly note: string
  readonly actor: Actor
  readonly requestId: string | null
}

/**
 * Places or lifts the legal hold of a workspace. The caller prevents concurrent changes of the
 * workspace. Records nothing if the hold is already so. Once this resolves, every erasure in
 * progress has seen the hold.
 */
export async function holdWorkspace(
  deps: Deps,
  row: WorkspaceRow,
  { act, note, actor, requestId }: RequestedWorkspaceHold,
): Promise<WorkspaceRow> {
  const isPlaced = act === 'place_hold'
  if ((row.legal_hold_since !== null) === isPlaced) return row
  const { id: workspaceId, organization_id: organizationId, livemode } = row
  // The note has a vault row of its own, which no erasure of a shipment reaches.
  const owner = { organizationId, workspaceId, shipmentId: workspaceId }
  const kept = deps.vault.prepare(owner, { note })
  const record = () =>
    audit(deps.store, {
      organizationId,
      workspaceId,
      livemode,
      actor,
      requestId,
      row: kept.row,
      type: isPlaced ? 'WorkspaceHoldPlaced' : 'WorkspaceHoldLifted',
      data: {
        workspace_id: workspaceId,
        note_ref: kept.ref,
        commitments: { [kept.ref]: kept.commitment },
      },
    })
  return await oneAtATime(() =>
    deps.db.transaction().execute(async (tx) => {
      // So an erasure recorded after the hold can only be one that ignored it.
      if (isPlaced) await keepErasuresOut(tx, workspaceId)
      await record()
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
    }),
  )
}

/** The same for a workspace of any organization. Null if there is no such workspace. */
export async function holdAnyWorkspace(
  deps: Deps,
  workspaceId: string,
  requested: RequestedWorkspaceHold,
): Promise<WorkspaceRow | null> {
  const held = async () => {
    const row = await deps.db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', workspaceId)
      .executeTakeFirst()
    return row === undefined ? null : await holdWorkspace(deps, row, requested)
  }
  return await withLock(deps.db, ['workspace', workspaceId], () => withFreshRow(held))
}
