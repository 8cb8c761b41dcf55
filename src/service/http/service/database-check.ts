import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { ReadinessCheck } from '../server-deps.ts'
import { diskOf } from './disk.ts'

export const diskFull = 'disk full'
const diskReadOnly = 'disk read-only'

/** By SQLSTATE, what keeps the server from writing a file. */
const fileTroubles: Readonly<Record<string, string>> = {
  '53100': diskFull,
  // A file's, as the statement needs no other right.
  '42501': diskReadOnly,
  '58030': 'disk failing',
}
/** The role may write no temporary files, so nothing can be said about the disk. */
const temporaryFileLimit = '53400'
/** Anyone may ask for `/readyz`, so those who ask meanwhile share one look. */
const sharedMs = 1_000
/** Rows that take four times the smallest `work_mem`. */
const spilledRows = 8_000
/** PostgreSQL does not recover without room for a segment of its write-ahead log. */
const recoveryBytes = 16 * 1024 * 1024

/**
 * Whether the database can be used. A database with a full disk still answers reads, so the look
 * makes it write a small temporary file. `dataDir`: where the embedded one keeps its files, which
 * explains why it does not answer.
 */
export function databaseCheck(db: Kysely<ReadModels>, dataDir: string | undefined): ReadinessCheck {
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
  db: Kysely<ReadModels>,
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

async function writeTemporaryFile(db: Kysely<ReadModels>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('work_mem', '64kB', true),
      set_config('temp_tablespaces', '', true)`.execute(tx)
    await sql`SELECT count(*) FROM generate_series(1, ${sql.lit(spilledRows)})`.execute(tx)
  })
}

/** Why a database with its files here cannot start; null = not because of the disk. */
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
