import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { ReadinessCheck } from '../api-services.ts'
import { diskOf } from './disk.ts'

export const diskFull = 'disk full'
const diskReadOnly = 'disk read-only'

/** By SQLSTATE, why the server cannot write a file. */
const fileTroubles: Readonly<Record<string, string>> = {
  '53100': diskFull,
  // Insufficient privilege: of a file, because the statement needs no other.
  '42501': diskReadOnly,
  '58030': 'disk failing',
}
/** The role may not write temporary files, so the check cannot tell anything about the disk. */
const temporaryFileLimit = '53400'
/** `/readyz` is public, so requests within this time share one check. */
const sharedMs = 1_000
/** Rows that take four times the smallest `work_mem`. */
const spilledRows = 8_000
/** PostgreSQL does not recover without room for a segment of its write-ahead log. */
const recoveryBytes = 16 * 1024 * 1024

/**
 * Whether the database can be used. A database with a full disk still answers reads, so the check
 * makes it write a small temporary file. `dataDir` is the folder of the embedded database: its disk
 * may explain why the database does not answer.
 */
export function databaseCheck(db: Kysely<Tables>, dataDir: string | undefined): ReadinessCheck {
  let look: Promise<string | null> | null = null
  let isOldAt = Number.POSITIVE_INFINITY
  return () => {
    if (look === null || performance.now() >= isOldAt) {
      isOldAt = Number.POSITIVE_INFINITY
      look = databaseTrouble(db, dataDir).finally(() => {
        isOldAt = performance.now() + sharedMs
      })
    }
    return look
  }
}

async function databaseTrouble(
  db: Kysely<Tables>,
  dataDir: string | undefined,
): Promise<string | null> {
  try {
    await writeTemporaryFile(db)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === temporaryFileLimit) return null
    const trouble = fileTroubles[code]
    if (trouble !== undefined) return trouble
    const found = dataDir === undefined ? null : await diskTrouble(dataDir)
    if (found === null) throw error
    return found
  }
}

async function writeTemporaryFile(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('work_mem', '64kB', true),
      set_config('temp_tablespaces', '', true)`.execute(tx)
    await sql`SELECT count(*) FROM generate_series(1, ${sql.lit(spilledRows)})`.execute(tx)
  })
}

/** Why a database with its files in this folder cannot start. Null: not because of the disk. */
async function diskTrouble(dataDir: string): Promise<string | null> {
  for (const folder of [dataDir, join(dataDir, 'postgres/pg_wal')]) {
    if (await isReadOnly(folder)) return diskReadOnly
    const disk = await diskOf(folder).catch(() => null)
    if (disk !== null && (disk.freeBytes < recoveryBytes || disk.freeRatio === 0)) return diskFull
  }
  return null
}

async function isReadOnly(folder: string): Promise<boolean> {
  const failure = await access(folder, constants.W_OK).then(
    () => null,
    (error: { readonly code?: string }) => error.code,
  )
  return failure === 'EROFS'
}
