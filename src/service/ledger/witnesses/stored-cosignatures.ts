import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { recoveredGaps } from '../../processes/recovery/damages.ts'
import { type Checkpoint, checkpointsAfter, lastCheckpoint } from '../checkpoints.ts'
import type { Verifier } from '../signed-note.ts'
import { type Cosignature, witnessIdOf } from './cosignature.ts'

/** The table checkpoint_cosignatures. */

type Db = Kysely<Tables>

/** A witness is reported as silent if checkpoints have waited this long for it. */
const silentMs = 60_000

/** Stores a valid cosignature of a checkpoint that is in the database. Safe to repeat. */
export async function keepCosignature(
  db: Db,
  size: number,
  { witness, keyId, line }: Cosignature,
): Promise<void> {
  await sql`
    INSERT INTO checkpoint_cosignatures (tree_size, name, key_id, line)
    VALUES (${size}, ${witness.name}, ${keyId}, ${line}) ON CONFLICT DO NOTHING`.execute(db)
}

/** The checkpoint's note with the stored cosignatures. */
export async function cosignedNote(
  db: Db,
  { size, note }: Pick<Checkpoint, 'size' | 'note'>,
): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    SELECT line FROM checkpoint_cosignatures WHERE tree_size = ${size}
    ORDER BY name, key_id`.execute(db)
  return `${note}${rows.map(({ line }) => line).join('')}`
}

/** Notes per read. */
const cosignedMax = 1_000

/** Each checkpoint's note with the stored cosignature of the witness, smallest first. */
export async function* cosignedBy(db: Db, witness: Verifier): AsyncGenerator<string> {
  for (let after = '-1'; ; ) {
    const { rows } = await sql<{ tree_size: string; note: string }>`
      SELECT c.tree_size, p.note || c.line AS note
      FROM checkpoint_cosignatures c JOIN checkpoints p USING (tree_size)
      WHERE c.name = ${witness.name} AND c.key_id = ${witnessIdOf(witness)}
        AND c.tree_size > ${after}
      ORDER BY c.tree_size LIMIT ${cosignedMax}`.execute(db)
    for (const { note } of rows) yield note
    after = rows.at(-1)?.tree_size ?? after
    if (rows.length < cosignedMax) return
  }
}

/**
 * Whether the witness has cosigned nothing since the last recovery, so its last tree has lost
 * events.
 */
export async function isOfLostHistory(db: Db, witness: Verifier): Promise<boolean> {
  const { receivedAt } = await lastCosigned(db, witness)
  const last = (await recoveredGaps(db)).at(-1)
  return last !== undefined && (receivedAt?.getTime() ?? 0) <= last.recoveredAt
}

type LastCosigned = {
  /** The size of the largest checkpoint that the witness cosigned; 0 if it cosigned none. */
  readonly size: number
  readonly receivedAt: Date | null
}

export async function lastCosigned(db: Db, witness: Verifier): Promise<LastCosigned> {
  const { rows } = await sql<{ tree_size: string; received_at: Date }>`
    SELECT tree_size, received_at FROM checkpoint_cosignatures
    WHERE name = ${witness.name} AND key_id = ${witnessIdOf(witness)}
    ORDER BY tree_size DESC LIMIT 1`.execute(db)
  const [row] = rows
  if (row === undefined) return { size: 0, receivedAt: null }
  return { size: Number(row.tree_size), receivedAt: row.received_at }
}

export type WitnessState = {
  readonly name: string
  readonly keyId: string
  readonly state: 'cosigning' | 'silent'
  readonly cosignedSize: number
  readonly cosignedAt: Date | null
  /** How long the oldest later checkpoint has been waiting for it; 0 if none is waiting. */
  readonly waitingSeconds: number
}

/** The state of each witness. */
export async function witnessStates(
  db: Db,
  witnesses: readonly Verifier[],
): Promise<readonly WitnessState[]> {
  return await Promise.all(
    witnesses.map(async (witness) => {
      const { size, receivedAt } = await lastCosigned(db, witness)
      const { rows } = await sql<{ waiting: number }>`
        SELECT greatest(0, extract(epoch FROM now() - signed_at))::float8 AS waiting
        FROM checkpoints WHERE tree_size > ${size} ORDER BY tree_size LIMIT 1`.execute(db)
      const waitingSeconds = rows[0]?.waiting ?? 0
      return {
        name: witness.name,
        keyId: witnessIdOf(witness),
        state: waitingSeconds * 1_000 > silentMs ? ('silent' as const) : ('cosigning' as const),
        cosignedSize: size,
        cosignedAt: receivedAt,
        waitingSeconds,
      }
    }),
  )
}

/** How far back an export looks for a checkpoint with more cosignatures. */
const exportedWithinMs = 60_000

/**
 * The checkpoint for an export, with its cosignatures: of those signed within a minute before the
 * last one, the newest with the most cosignatures, because the last one is often too new to have
 * any. It covers at least `sizeMin` events; null if there is no such checkpoint.
 */
export async function cosignedCheckpoint(db: Db, sizeMin = 1): Promise<Checkpoint | null> {
  const last = await lastCheckpoint(db)
  if (last === null || last.size < sizeMin) return null
  const since = new Date(last.signedAt.getTime() - exportedWithinMs)
  const { rows } = await sql<{ tree_size: string }>`
    SELECT tree_size FROM checkpoint_cosignatures JOIN checkpoints USING (tree_size)
    WHERE signed_at >= ${since} AND tree_size BETWEEN ${sizeMin} AND ${last.size}
    GROUP BY tree_size ORDER BY count(*) DESC, tree_size DESC LIMIT 1`.execute(db)
  const size = Number(rows[0]?.tree_size ?? last.size)
  const [checkpoint = last] = await checkpointsAfter(db, size - 1, 1)
  return { ...checkpoint, note: await cosignedNote(db, checkpoint) }
}
