import type { Pool } from 'pg'
import { unwrapKey, wrapKey } from './encryption.ts'
import type { MasterKeys } from './secrets-types.ts'
import { ownerParts } from './vault.ts'

/** Rows a call: short enough that its locks are never felt. */
export const rewrapMax = 500

export type Rewrapped = {
  readonly rewrapped: number
  /** Where the next call goes on; null when every row has been looked at. */
  readonly cursor: string | null
}

type WrappedRow = {
  readonly ref: string
  readonly organizationId: string
  readonly shipmentId: string
  readonly masterKeyId: string
  readonly wrappedKey: Buffer
}

/**
 * Wraps data keys that stand under a previous master key with the current one; payloads are not
 * touched. Resumable from any cursor, safe to repeat and beside live traffic: a row that was erased
 * meanwhile stays erased.
 */
export async function rewrapVault(
  pool: Pool,
  keys: MasterKeys,
  after: string | null,
): Promise<Rewrapped> {
  const { rows } = await pool.query<WrappedRow>(
    `SELECT ref, organization_id AS "organizationId", shipment_id AS "shipmentId",
            master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey"
     FROM vault
     WHERE ref > $1::uuid AND master_key_id <> $2 AND wrapped_key IS NOT NULL
     ORDER BY ref LIMIT $3`,
    [after ?? '00000000-0000-0000-0000-000000000000', keys.current.id, rewrapMax],
  )
  const fresh = rows.map((row) => {
    const parts = ownerParts(row, row.ref)
    return wrapKey(keys, unwrapKey(keys, row, parts), parts).wrappedKey
  })
  const updated = await pool.query(
    `UPDATE vault SET master_key_id = $1, wrapped_key = row.fresh
     FROM unnest($2::uuid[], $3::bytea[], $4::bytea[]) AS row (ref, old, fresh)
     WHERE vault.ref = row.ref AND vault.wrapped_key = row.old`,
    [keys.current.id, rows.map((row) => row.ref), rows.map((row) => row.wrappedKey), fresh],
  )
  const last = rows.length === rewrapMax ? rows.at(-1) : undefined
  return { rewrapped: updated.rowCount ?? 0, cursor: last?.ref ?? null }
}
