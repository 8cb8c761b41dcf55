import type { Kysely } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { keepErasuresOut, oneAtATime } from '../../processes/erasure/workspace-holds.ts'
import type { HoldAct } from '../../processes/holds/shipment-hold.ts'
import { audit } from '../../security/audit.ts'
import type { Vault } from '../../security/vault/vault.ts'
import { exclusively } from '../rules/exclusive.ts'
import { asRead, requireWritten, withFreshRow } from '../rules/resources/fresh-row.ts'
import type { WorkspaceRow } from './workspace-schema.ts'

type Deps = {
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly vault: Pick<Vault, 'prepare' | 'put'>
}

type RequestedWorkspaceHold = {
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
  { act, note, actor, requestId }: RequestedWorkspaceHold,
): Promise<WorkspaceRow> {
  const isPlaced = act === 'place_hold'
  if ((row.legal_hold_since !== null) === isPlaced) return row
  const { id: workspaceId, organization_id: organizationId, livemode } = row
  // A row of its own: no erasure of a shipment reaches it.
  const owner = { organizationId, workspaceId, shipmentId: workspaceId }
  const kept = deps.vault.prepare(owner, { note })
  await deps.vault.put(kept)
  const record = () =>
    audit(deps.store, {
      organizationId,
      workspaceId,
      livemode,
      actor,
      requestId,
      type: isPlaced ? 'WorkspaceHoldPlaced' : 'WorkspaceHoldLifted',
      data: {
        workspace_id: workspaceId,
        note_ref: kept.ref,
        commitments: { [kept.ref]: kept.commitment },
      },
    })
  return await oneAtATime(() =>
    deps.db.transaction().execute(async (tx) => {
      // So an erasure that the ledger has after the hold did not heed it.
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

/** The same for a workspace of any organization; null when there is no such workspace. */
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
  return await exclusively(deps.db, ['workspace', workspaceId], () => withFreshRow(held))
}
