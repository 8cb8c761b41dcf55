import type pg from 'pg'
import type { VaultDraft } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'

/** Stores a row of the vault without an event. */
export async function storeRow(pool: pg.Pool, ...drafts: readonly VaultDraft[]): Promise<void> {
  const rows = drafts.map(({ row }) => ({ row, version: 0, isIntent: false }))
  await postgresVaultRows(pool).storeFirst(rows)
}
