import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'

/**
 * The table unwritable_files: files in CHECKPOINT_DIR that could not be written at the last try.
 */

type Db = Kysely<Tables>

export type KeptFile = 'checkpoints' | 'erasures'

type UnwritableFile = {
  readonly file: KeptFile
  /** The operating system's error code, such as `ENOSPC`. */
  readonly code: string
  readonly since: Date
  readonly seconds: number
}

export async function unwritableFiles(db: Db): Promise<readonly UnwritableFile[]> {
  const { rows } = await sql<UnwritableFile>`
    SELECT file, code, since, greatest(0, extract(epoch FROM now() - since))::float8 AS seconds
    FROM unwritable_files ORDER BY file`.execute(db)
  return rows
}

/** Records that writing failed. Repeating it changes nothing. */
export async function noteUnwritable(db: Db, file: KeptFile, error: unknown): Promise<void> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  await sql`
    INSERT INTO unwritable_files AS u (file, code) VALUES (${file}, ${code})
    ON CONFLICT (file) DO UPDATE SET code = excluded.code WHERE u.code <> excluded.code`.execute(db)
}

export async function noteWritten(db: Db, file: KeptFile): Promise<void> {
  await sql`DELETE FROM unwritable_files WHERE file = ${file}`.execute(db)
}
