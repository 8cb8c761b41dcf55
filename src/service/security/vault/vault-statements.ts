import type { Pool, QueryConfig, QueryResultRow } from 'pg'
import { timelineSql } from '../../database/session.ts'
import type { SealedItem } from '../../event-store/event-store.ts'
import type {
  QuotaAnswer,
  QuotaReservation,
  RegisteredAttempt,
  RowToInsert,
  SealedRow,
  StoredItem,
  VaultRows,
} from './vault-rows.ts'

/**
 * The vault's rows in PostgreSQL. Writes are flushed to disk before they are acknowledged: after a
 * crash of the database, the append that names a row may still succeed on a new connection, and the
 * row must exist.
 */
export function postgresVaultRows(pool: Pool): VaultRows {
  return {
    insertRows: (batch) => insertRows(pool, batch),
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

/**
 * One transaction reserves quota, writes the rows, registers the attempts and reads the clocks. It
 * writes nothing for a shipment that gets no quota, nor for an unread one that had a reservation
 * before this statement began. The clocks are read under a lock that conflicts with an advance:
 * either the advance has already set `advancing_to`, which is seen here, or it waits for this
 * statement and sees the attempts in a later one. Two batches cannot deadlock: they lock
 * organizations in the order of their ids, and share the locks on clocks.
 */
const insertRowsSql = `
  WITH quota AS MATERIALIZED (
    SELECT shipment_id, answer
    FROM quota_reserve($10::text[], $11::text[], $12::boolean[], $13::int[])
  ), known AS MATERIALIZED (
    SELECT DISTINCT shipment_id FROM unnest($15::text[]) AS unread (shipment_id)
    WHERE (SELECT place.shipment_id FROM quota_reservations place
           WHERE place.shipment_id = unread.shipment_id) IS NOT NULL
  ), refused AS MATERIALIZED (
    SELECT shipment_id, answer FROM quota WHERE answer <> 'held'
  ), rows AS (
    INSERT INTO vault
      (ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key, payload)
    SELECT ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key, payload
    FROM unnest
      ($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::bytea[],
       $16::boolean[])
      AS row (ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key, payload,
        is_unread)
    WHERE row.shipment_id <> ALL (ARRAY(SELECT shipment_id FROM refused))
      AND NOT (row.is_unread AND row.shipment_id = ANY (ARRAY(SELECT shipment_id FROM known)))
  ), attempts AS (
    INSERT INTO sandbox_attempts (workspace_id, shipment_id, operation_id)
    SELECT DISTINCT workspace_id, shipment_id, operation_id
    FROM unnest($8::text[], $9::text[], $14::text[], $17::boolean[], $18::boolean[])
      AS attempt (workspace_id, shipment_id, operation_id, is_unread, has_row)
    -- A new vault row says as much.
    WHERE NOT attempt.has_row
      AND attempt.shipment_id <> ALL (ARRAY(SELECT shipment_id FROM refused))
      AND NOT (attempt.is_unread AND attempt.shipment_id = ANY (ARRAY(SELECT shipment_id FROM known)))
    ON CONFLICT DO NOTHING
  ), clocks AS MATERIALIZED (
    SELECT workspace_id, offset_ms, advancing_to FROM sandbox_clocks
    WHERE workspace_id = ANY ($8::text[])
    ORDER BY workspace_id
    FOR SHARE
  )
  SELECT clock.workspace_id, clock.offset_ms, clock.advancing_to, clock_timestamp() AS stored_at,
    ${timelineSql} AS stored_on,
    (SELECT json_object_agg(shipment_id, answer) FROM refused) AS refused,
    ARRAY(SELECT shipment_id FROM known) AS known,
    EXISTS (SELECT FROM ledger_damages WHERE recovered_at IS NULL) AS is_ledger_damaged
  FROM (SELECT) AS once LEFT JOIN clocks AS clock ON true`

type AnswerRow = {
  readonly workspace_id: string | null
  readonly offset_ms: string
  readonly advancing_to: Date | null
  readonly stored_at: Date
  readonly stored_on: string
  /** The refused reservations by shipment; null if none was refused. */
  readonly refused: Readonly<Record<string, QuotaAnswer>> | null
  /** Unread shipments that already had a reservation. */
  readonly known: readonly string[]
  readonly is_ledger_damaged: boolean
}

/** A workspace without a clock row runs on the wall clock. */
const wallClock = { offsetMs: 0, advancingTo: null }

async function insertRows(
  pool: Pool,
  batch: readonly RowToInsert[],
): Promise<readonly RegisteredAttempt[]> {
  const present = <T>(each: T | null): readonly T[] => (each === null ? [] : [each])
  const isUnread = ({ reservation }: RowToInsert) => reservation?.isUnread === true
  const withRow = batch.filter(({ row }) => row !== null)
  const withAttempt = batch.filter(({ clockRegistration: registration }) => registration !== null)
  const rows = withRow.flatMap(({ row }) => present(row))
  const attempts = withAttempt.flatMap(({ clockRegistration: registration }) =>
    present(registration),
  )
  const reservations = batch.flatMap(({ reservation }) => present(reservation))
  const found = await query<AnswerRow>(pool, {
    name: 'vault-insert-rows',
    text: insertRowsSql,
    values: [
      rows.map((row) => row.ref),
      rows.map((row) => row.organizationId),
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.shipmentId),
      rows.map((row) => row.masterKeyId),
      rows.map((row) => row.wrappedKey),
      rows.map((row) => row.payload),
      attempts.map((attempt) => attempt.workspaceId),
      attempts.map((attempt) => attempt.shipmentId),
      reservations.map((each) => each.shipmentId),
      reservations.map((each) => each.organizationId),
      reservations.map((each) => each.livemode),
      reservations.map((each) => each.version),
      attempts.map((attempt) => attempt.operationId ?? null),
      batch.filter(isUnread).flatMap(({ reservation }) => present(reservation?.shipmentId ?? null)),
      withRow.map(isUnread),
      withAttempt.map(isUnread),
      withAttempt.map(({ row }) => row !== null),
    ],
  })
  const clocks = new Map(
    found.map((row) => [
      row.workspace_id,
      { offsetMs: Number(row.offset_ms), advancingTo: row.advancing_to },
    ]),
  )
  const [first] = found
  if (first === undefined) throw new Error('bug: the vault statement answered no row')
  return batch.map(({ clockRegistration: registration, reservation }) => ({
    storedAt: first.stored_at,
    storedOn: first.stored_on,
    clock: registration === null ? null : (clocks.get(registration.workspaceId) ?? wallClock),
    reservation: reservation === null ? null : answerTo(reservation, first),
    isLedgerDamaged: first.is_ledger_damaged,
  }))
}

function answerTo(
  { shipmentId, isUnread = false }: QuotaReservation,
  { refused, known }: AnswerRow,
): QuotaAnswer {
  return refused?.[shipmentId] ?? (isUnread && known.includes(shipmentId) ? 'known' : 'held')
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
