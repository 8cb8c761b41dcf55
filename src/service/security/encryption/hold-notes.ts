import type { MasterKeys } from './master-keys.ts'
import { rewrapColumn } from './sealed-column.ts'

/*
 * `workspace_hold_notes.note`: notes of holds on workspaces from before the vault kept them. Nothing
 * is added there any more.
 */

/** The same note under the current master key; null when it already is. */
export function rewrapHoldNote(
  keys: MasterKeys,
  at: { readonly organizationId: string; readonly ref: string },
  sealed: Buffer,
): Buffer | null {
  return rewrapColumn(keys, ['workspace hold note v1', at.organizationId, at.ref], sealed)
}
