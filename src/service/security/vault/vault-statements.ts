import type { Pool, QueryConfig, QueryResultRow } from 'pg'
import {
  type BesideFirst,
  besideJson,
  type SealedItem,
  type SealedRow,
  type StoredFirst,
  storedFirst,
} from '../../event-store/beside.ts'
import type { StoredItem, VaultRows } from './vault-rows.ts'

/**
 * The vault's rows in PostgreSQL. Writes are flushed to disk before they are acknowledged: after a
 * crash of the database, the append that names a row may still succeed on a new connection, and the
 * row must exist.
 */
export function postgresVaultRows(pool: Pool): VaultRows {
  return {
    storeFirst: (batch) => storeFirst(pool, batch),
    insertItems: (items) => insertItems(pool, items),
    readRows: (refs) => readRows(pool, refs),
    readItems: (refs) => readItems(pool, refs),
    eraseRows: (shipmentId) => eraseRows(pool, shipmentId),
  }
}

/**
 * Well above a slow disk's latency, well below the 30 s after which an append of the row is
 * abandoned.
 */
const statementTimeoutMs = 8_000

async function query<Row extends QueryResultRow>(
  pool: Pool,
  statement: QueryConfig,
): Promise<Row[]> {
  const bounded: QueryConfig & { query_timeout: number } = {
    ...statement,
    query_timeout: statementTimeoutMs,
  }
  return (await pool.query<Row>(bounded)).rows
}

const storeFirstSql = `
  SELECT append, status, clock_timestamp() AS at, offset_ms AS "offsetMs", advancing_to AS "advancingTo"
  FROM ledger.store_first($1)`

type WithheldRow = {
  readonly append: number
  readonly status: string
  readonly at: Date
  readonly offsetMs: string | null
  readonly advancingTo: Date | null
}

async function storeFirst(
  pool: Pool,
  batch: readonly BesideFirst[],
): Promise<readonly StoredFirst[]> {
  const rows = await query<WithheldRow>(pool, {
    name: 'vault-store-first',
    text: storeFirstSql,
    values: [besideJson(batch)],
  })
  const withheld = new Map(rows.map((row) => [row.append, row]))
  return batch.map((_, index) => {
    const row = withheld.get(index + 1)
    return row === undefined ? null : storedFirst(row)
  })
}

/** The row lock serializes an insert of an item and an erasure of its row. */
const insertItemsSql = `
  WITH items AS MATERIALIZED (
    SELECT item.ref, item.vault_ref, item.payload
    FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS item (ref, vault_ref, payload)
    JOIN ledger.lock_vault_rows($2::uuid[]) AS locked (ref) ON locked.ref = item.vault_ref
  ), inserted AS (
    INSERT INTO vault_items (ref, vault_ref, payload) SELECT ref, vault_ref, payload FROM items
    ON CONFLICT (ref) DO NOTHING
  )
  SELECT ref FROM items`

async function insertItems(pool: Pool, items: readonly SealedItem[]): Promise<readonly boolean[]> {
  const stored = await query<{ ref: string }>(pool, {
    name: 'vault-insert-items',
    text: insertItemsSql,
    values: [
      items.map((item) => item.ref),
      items.map((item) => item.vaultRef),
      items.map((item) => item.payload),
    ],
  })
  const refs = new Set(stored.map((row) => row.ref))
  return items.map((item) => refs.has(item.ref))
}

const ownerColumns = `
  vault.organization_id AS "organizationId", vault.workspace_id AS "workspaceId",
  vault.shipment_id AS "shipmentId", vault.master_key_id AS "masterKeyId",
  vault.wrapped_key AS "wrappedKey"`

function readRows(pool: Pool, refs: readonly string[]): Promise<readonly SealedRow[]> {
  return query<SealedRow>(pool, {
    name: 'vault-read-rows',
    text: `SELECT vault.ref, ${ownerColumns}, vault.payload FROM vault
           WHERE vault.ref = ANY ($1::uuid[]) AND vault.wrapped_key IS NOT NULL`,
    values: [refs],
  })
}

function readItems(pool: Pool, refs: readonly string[]): Promise<readonly StoredItem[]> {
  return query<StoredItem>(pool, {
    name: 'vault-read-items',
    text: `SELECT item.ref, item.vault_ref AS "vaultRef", item.payload, ${ownerColumns}
           FROM vault_items AS item JOIN vault ON vault.ref = item.vault_ref
           WHERE item.ref = ANY ($1::uuid[]) AND vault.wrapped_key IS NOT NULL`,
    values: [refs],
  })
}

/** One transaction: the function's two statements take their locks one after the other. */
async function eraseRows(pool: Pool, shipmentId: string): Promise<boolean> {
  const { rows } = await pool.query<{ erased: boolean }>(
    'SELECT ledger.erase_vault_rows($1) AS erased',
    [shipmentId],
  )
  return rows[0]?.erased === true
}
