import { ownerParts } from '../vault/vault.ts'
import { rewrapConnectorToken, rewrapCredentials } from './credentials.ts'
import { unwrapKey, wrapKey } from './encryption.ts'
import type { MasterKeys } from './master-keys.ts'
import { batchSealer, invoiceSealer } from './own-key.ts'
import { rewrapColumn } from './sealed-column.ts'
import { webhookSealer } from './webhook-secrets.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row has the columns that its own table names below
type Row = any

/** A table with data under the master key, and how to rewrap one of its rows. */
export type SealedTable = {
  readonly name: string
  /** The table's binary columns: keys wrapped by the master key, or data sealed with such a key. */
  readonly columns: readonly string[]
  /** The column by which the rows are read in order, and its type. */
  readonly key: string
  readonly keyType: 'uuid' | 'text'
  /**
   * SQL: the ids of the master keys that wrap the row's keys, as text[]; empty without sealed data.
   */
  readonly underKeys: string
  /** The columns that rewrapping reads besides the key. */
  readonly reads: readonly string[]
  /** The columns that rewrapping writes, with their types. */
  readonly writes: Readonly<Record<string, 'text' | 'bytea' | 'jsonb'>>
  /**
   * For a table that the service may not update: the database function that writes instead. It
   * takes the rows' keys, the values of `former` as they were read, and `writes`. It skips rows
   * that are locked or have changed, and returns the number of rewrapped rows.
   */
  readonly writtenBy?: { readonly name: string; readonly former: string }
  /** The values of `writes`, in order. Throws SealBroken if no available key opens the row. */
  readonly rewrap: (keys: MasterKeys, row: Row) => readonly (string | Buffer | null)[]
}

/** SQL: the id in the head of a sealed column (see sealed-column.ts). */
const keyIdOf = (column: string) => `encode(substring(${column} from 2 for 8), 'hex')`
const keyIdsOf = (...columns: readonly string[]) =>
  `array_remove(ARRAY[${columns.map(keyIdOf).join(', ')}], NULL)`

/** For a base64 text: its first 12 characters are the 9 bytes of format and key id. */
const keyIdsOfExcerpts = `ARRAY(
  SELECT DISTINCT ${keyIdOf("decode(left(attempt->>'excerpt', 12), 'base64')")}
  FROM jsonb_array_elements(attempts) AS attempt WHERE attempt->>'excerpt' IS NOT NULL)`

type Excerpted = { readonly excerpt?: string | null }

/**
 * All data under SECRETS_KEY. A test compares it with the database's binary columns: each is listed
 * either here or in `notSealed`.
 */
export const sealedTables: readonly SealedTable[] = [
  {
    name: 'courier_connections',
    columns: ['credentials'],
    key: 'id',
    keyType: 'text',
    underKeys: keyIdsOf('credentials'),
    reads: ['organization_id', 'credentials'],
    writes: { credentials: 'bytea' },
    rewrap: (keys, { id: connectionId, organization_id: organizationId, credentials: sealed }) => [
      rewrapCredentials(keys, { organizationId, connectionId, sealed }) ?? sealed,
    ],
  },
  {
    name: 'couriers',
    columns: ['token'],
    key: 'provider_code',
    keyType: 'text',
    underKeys: keyIdsOf('token'),
    reads: ['token'],
    writes: { token: 'bytea' },
    rewrap: (keys, { provider_code: code, token }) => [
      token === null ? null : (rewrapConnectorToken(keys, code, token) ?? token),
    ],
  },
  // Notes of legal holds on workspaces, written before the vault stored them. No rows are added.
  {
    name: 'workspace_hold_notes',
    columns: ['note'],
    key: 'ref',
    keyType: 'uuid',
    underKeys: keyIdsOf('note'),
    reads: ['organization_id', 'note'],
    writes: { note: 'bytea' },
    rewrap: (keys, { ref, organization_id: organizationId, note }) => [
      rewrapColumn(keys, ['workspace hold note v1', organizationId, ref], note) ?? note,
    ],
  },
  {
    name: 'webhook_endpoints',
    columns: ['secret', 'previous_secret'],
    key: 'id',
    keyType: 'text',
    underKeys: keyIdsOf('secret', 'previous_secret'),
    reads: ['organization_id', 'secret', 'previous_secret'],
    writes: { secret: 'bytea', previous_secret: 'bytea' },
    rewrap: (keys, { id: endpointId, organization_id: organizationId, ...row }) =>
      [row.secret, row.previous_secret].map((sealed: Buffer | null) =>
        sealed === null
          ? null
          : (webhookSealer(keys).rewrapSecret({ organizationId, endpointId }, sealed) ?? sealed),
      ),
  },
  {
    name: 'webhook_deliveries',
    columns: [],
    key: 'id',
    keyType: 'text',
    underKeys: keyIdsOfExcerpts,
    reads: ['attempts'],
    writes: { attempts: 'jsonb' },
    rewrap: (keys, { id, attempts }) => [
      JSON.stringify(
        attempts.map((attempt: Excerpted) => {
          const { excerpt } = attempt
          if (typeof excerpt !== 'string') return attempt
          return { ...attempt, excerpt: webhookSealer(keys).rewrapExcerpt(id, excerpt) ?? excerpt }
        }),
      ),
    ],
  },
  {
    name: 'batches',
    columns: ['wrapped_key'],
    key: 'id',
    keyType: 'text',
    underKeys: 'ARRAY[master_key_id]',
    reads: ['organization_id', 'master_key_id', 'wrapped_key'],
    writes: { master_key_id: 'text', wrapped_key: 'bytea' },
    rewrap: (keys, { id: batchId, organization_id: organizationId, ...row }) => {
      const wrapped = { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key }
      const fresh = batchSealer(keys).rewrap({ organizationId, batchId }, wrapped)
      return [fresh.masterKeyId, fresh.wrappedKey]
    },
  },
  {
    name: 'courier_invoices',
    columns: ['wrapped_key'],
    key: 'id',
    keyType: 'text',
    underKeys: `CASE WHEN wrapped_key IS NULL THEN '{}' ELSE ARRAY[master_key_id] END`,
    reads: ['organization_id', 'master_key_id', 'wrapped_key'],
    writes: { master_key_id: 'text', wrapped_key: 'bytea' },
    rewrap: (keys, { id: invoiceId, organization_id: organizationId, ...row }) => {
      const wrapped = { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key }
      const fresh = invoiceSealer(keys).rewrap({ organizationId, invoiceId }, wrapped)
      return [fresh.masterKeyId, fresh.wrappedKey]
    },
  },
  {
    name: 'vault',
    columns: ['wrapped_key', 'payload'],
    key: 'ref',
    keyType: 'uuid',
    underKeys: `CASE WHEN wrapped_key IS NULL THEN '{}' ELSE ARRAY[master_key_id] END`,
    reads: ['organization_id', 'shipment_id', 'master_key_id', 'wrapped_key'],
    writes: { master_key_id: 'text', wrapped_key: 'bytea' },
    writtenBy: { name: 'ledger.rewrap_vault_keys', former: 'wrapped_key' },
    rewrap: (keys, { ref, master_key_id: masterKeyId, wrapped_key: wrappedKey, ...row }) => {
      const owner = { organizationId: row.organization_id, shipmentId: row.shipment_id }
      const parts = ownerParts(owner, ref)
      const fresh = wrapKey(keys, unwrapKey(keys, { masterKeyId, wrappedKey }, parts), parts)
      return [fresh.masterKeyId, fresh.wrappedKey]
    },
  },
]

/**
 * Columns sealed with the data key of a vault row, batch or invoice. Only that key is rewrapped.
 */
export const sealedByADataKey: readonly string[] = [
  'batch_lines.body',
  'batch_lines.refusal',
  'courier_invoice_invalid_lines.content',
  'courier_invoice_lines.details',
  'courier_invoice_lines.note',
  'courier_invoice_versions.content',
  'vault_items.payload',
]

/** Binary columns with digests and public keys, which no key opens. */
export const notSealed: readonly string[] = [
  'api_keys.digest',
  'checkpoint_keys.public_key',
  'checkpoints.root',
  'idempotent_answers.fingerprint',
  'idempotent_answers.key_digest',
  'lost_checkpoints.root',
  'lost_sealed_batches.leaves',
  'merkle_tiles.hashes',
  'sealed_batches.leaves',
  'secret_checks.digest',
  'sign_in_codes.challenge',
  'sign_in_codes.digest',
]
