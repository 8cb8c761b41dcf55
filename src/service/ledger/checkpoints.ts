import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { Position } from '../event-store/event-store.ts'
import { keyIdOf, type Signer, signedNote, signerOf, type Verifier } from './signed-note.ts'
import { currentRoot, type Growing, lockTree } from './tree.ts'

/** The tables checkpoints and checkpoint_keys. */

type Db = Kysely<Tables>

export type Checkpoint = {
  readonly size: number
  readonly root: Buffer
  /** Position of the last event that it covers. */
  readonly position: Position
  readonly keyId: string
  readonly signedAt: Date
  /** The signed text and its signatures: C2SP tlog-checkpoint. */
  readonly note: string
}

export type CheckpointKey = Verifier & {
  readonly keyId: string
  /** The size of the first checkpoint that it signed. */
  readonly sinceSize: number
  readonly createdAt: Date
  /** The note of that checkpoint; null if it was deleted. */
  readonly introducedBy: string | null
}

/** The keys that sign checkpoints: the current one and, during a key change, the previous one. */
export type CheckpointKeys = { readonly current: Buffer; readonly previous: Buffer | null }

type CheckpointRow = Omit<Checkpoint, 'size' | 'keyId' | 'signedAt'> & {
  readonly tree_size: string
  readonly key_id: string
  readonly signed_at: Date
}

function checkpointOf(row: CheckpointRow): Checkpoint {
  const { tree_size: size, key_id: keyId, signed_at: signedAt, ...rest } = row
  return { ...rest, size: Number(size), keyId, signedAt }
}

const columns = sql`tree_size, root, position, key_id, signed_at, note`

/** The newest checkpoint; null if nothing has been signed yet. */
export async function lastCheckpoint(db: Db): Promise<Checkpoint | null> {
  const { rows } = await sql<CheckpointRow>`
    SELECT ${columns} FROM checkpoints ORDER BY tree_size DESC LIMIT 1`.execute(db)
  return rows[0] === undefined ? null : checkpointOf(rows[0])
}

/** The checkpoints that cover more than this many events, smallest first. */
export async function checkpointsAfter(
  db: Db,
  size: number,
  limit: number,
): Promise<readonly Checkpoint[]> {
  const { rows } = await sql<CheckpointRow>`
    SELECT ${columns} FROM checkpoints
    WHERE tree_size > ${size} ORDER BY tree_size LIMIT ${limit}`.execute(db)
  return rows.map(checkpointOf)
}

/** Checkpoints per read. */
const pageMax = 1_000

/** All checkpoints, smallest first. */
export async function* allCheckpoints(db: Db): AsyncGenerator<Checkpoint> {
  for (let after = 0; ; ) {
    const page = await checkpointsAfter(db, after, pageMax)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageMax) return
    after = last.size
  }
}

/** All keys that have ever signed, oldest first. */
export async function checkpointKeys(db: Db): Promise<readonly CheckpointKey[]> {
  const { rows } = await sql<{
    name: string
    key_id: string
    public_key: Buffer
    since_size: string
    created_at: Date
    note: string | null
  }>`
    SELECT t.origin AS name, k.key_id, k.public_key, k.since_size, k.created_at, c.note
    FROM checkpoint_keys k CROSS JOIN merkle_tree t
    LEFT JOIN checkpoints c ON c.tree_size = k.since_size
    ORDER BY k.since_size`.execute(db)
  return rows.map((row) => ({
    name: row.name,
    publicKey: row.public_key,
    keyId: row.key_id,
    sinceSize: Number(row.since_size),
    createdAt: row.created_at,
    introducedBy: row.note,
  }))
}

/** The seeds of the keys that may have signed checkpoints, the current one first. */
export function signingKeys({ current, previous }: SigningKeys): readonly Buffer[] {
  return previous === null ? [current] : [current, previous]
}

type SigningKeys = { readonly current: Buffer; readonly previous: Buffer | null }

/** A signer for the first of these seeds whose key has signed checkpoints; null if none has. */
export function knownSigner(
  keys: readonly CheckpointKey[],
  seeds: readonly Buffer[],
): Signer | null {
  const signers = seeds.map((seed) => signerOf(keys.at(-1)?.name ?? '', seed))
  return signers.find((one) => keys.some((key) => key.publicKey.equals(one.publicKey))) ?? null
}

/**
 * Signs the given tree. `keep` stores the note outside the database before it is stored in the
 * database. The first checkpoint of a new key is also signed by the previous key. Throws TreeMoved,
 * and stores nothing in the database, if the tree in the database has changed.
 */
export async function signCheckpoint(
  db: Db,
  tree: Growing,
  signers: { readonly current: Signer; readonly previous: Signer | null },
  keep: (note: string, signedAt: Date) => Promise<void>,
): Promise<Checkpoint> {
  const { current, previous } = signers
  const { size, position } = tree
  if (position === null) throw new Error('bug: a checkpoint of nothing')
  const keyId = keyIdOf(current)
  const known = await checkpointKeys(db)
  const isNew = !known.some((key) => key.keyId === keyId)
  const before = known.at(-1)
  const endorser = previous !== null && keyIdOf(previous) === before?.keyId ? previous : null
  if (isNew && before !== undefined && endorser === null) {
    throw new Error(
      `The checkpoint key ${keyId} is new: the one before, ${before.keyId}, is missing.`,
    )
  }
  const both = isNew && endorser !== null ? [current, endorser] : [current]
  const root = currentRoot(tree)
  const signedAt = new Date()
  const note = signedNote({ origin: tree.origin, size, root, signedAt: signedAt.getTime() }, both)
  await keep(note, signedAt)
  await db.transaction().execute(async (tx) => {
    await lockTree(tx, tree)
    const { numAffectedRows } = await sql`
      INSERT INTO checkpoints (tree_size, root, position, key_id, signed_at, note)
      VALUES (${size}, ${root}, ${position}, ${keyId}, ${signedAt}, ${note})
      ON CONFLICT DO NOTHING`.execute(tx)
    // If another process has already signed this tree, a later checkpoint introduces the key.
    if (!isNew || numAffectedRows !== 1n) return
    await sql`
      INSERT INTO checkpoint_keys (key_id, public_key, since_size)
      VALUES (${keyId}, ${current.publicKey}, ${size}) ON CONFLICT DO NOTHING`.execute(tx)
  })
  return { size, root, position, keyId, signedAt, note }
}

/**
 * Deletes old checkpoints, keeping the last one of each hour and those that introduce a key. The
 * rule is a function in the database, because the application's role may not delete checkpoints.
 * The files keep all of them.
 */
export async function thinCheckpoints(db: Db): Promise<number> {
  const { rows } = await sql<{
    thinned: string
  }>`SELECT ledger.thin_checkpoints() AS thinned`.execute(db)
  return Number(rows[0]?.thinned ?? 0)
}
