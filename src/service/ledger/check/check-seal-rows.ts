import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { Checkpoint, CheckpointKey } from '../checkpoints.ts'
import type { Findings } from '../findings.ts'
import { keyIdOf, readNote, readSignatures, signersOf } from '../signed-note.ts'
import { sealedFrom, type Tree } from '../tree.ts'

/*
 * Signatures cover only the notes. The API returns the other columns of these tables, and the
 * service reads them, so they must agree with the notes.
 */

/** How the columns of a checkpoint differ from its note; null if they agree. */
export function checkpointProblem({
  size,
  root,
  keyId,
  signedAt,
  note,
}: Checkpoint): string | null {
  const read = readNote(note)
  // A malformed note is reported separately.
  if (read === null) return null
  const differing = [
    read.head.size === size ? [] : ['size'],
    read.head.root.equals(root) ? [] : ['root'],
    read.head.signedAt === signedAt.getTime() ? [] : ['time'],
    read.signatures.some((signature) => signature.keyId === keyId) ? [] : ['key'],
  ].flat()
  return differing.length === 0
    ? null
    : `is stored with another ${differing.join(' and ')} than it was signed with`
}

/** Whether a key is stored under its own id and with the first checkpoint that it signed. */
export function keyProblem(key: CheckpointKey): string | null {
  const { keyId, introducedBy } = key
  if (keyIdOf(key) !== keyId) return `the key ${keyIdOf(key)} is stored as ${keyId}`
  const note = introducedBy === null ? null : readNote(introducedBy)
  if (note !== null && signersOf(note, [key]).length > 0) return null
  return `the checkpoint that introduced the key ${keyId} is not in the database: no checkpoint of ${key.sinceSize} events has its signature`
}

/** Compares the stored state of the tree with its last leaf and with the event there. */
export async function checkTreeRow(
  { db, store }: { readonly db: Kysely<Tables>; readonly store: Pick<EventStore, 'eventAt'> },
  { size, position, eventId }: Tree,
  found: Findings,
): Promise<void> {
  const [last] = size === 0 ? [] : await sealedFrom(db, size - 1, 1)
  // A missing leaf is reported separately.
  if (size > 0 && last === undefined) return
  const expected = last?.position ?? null
  if (position !== expected) {
    found.add(
      null,
      `the tree is stored as sealed up to position ${position}, but its last event is at ${expected}`,
    )
    return
  }
  if (position === null || eventId === null) return
  const event = await store.eventAt(position)
  // A missing event is reported separately.
  if (event === null || event.id === eventId) return
  found.add(
    null,
    `the tree is stored as sealed up to event ${eventId}, but ${event.id} is at position ${position}`,
  )
}

/** Cosignatures per read. */
const pageMax = 1_000

type Row = {
  readonly tree_size: string
  readonly name: string
  readonly key_id: string
  readonly line: string
  readonly is_known: boolean
}

/** Checks that each cosignature is stored under its own key, with an existing checkpoint. */
export async function checkCosignatureRows(db: Kysely<Tables>, found: Findings): Promise<void> {
  let after: Pick<Row, 'tree_size' | 'name' | 'key_id'> = { tree_size: '-1', name: '', key_id: '' }
  for (;;) {
    const { rows } = await sql<Row>`
      SELECT c.tree_size, c.name, c.key_id, c.line,
        EXISTS (SELECT FROM checkpoints p WHERE p.tree_size = c.tree_size) AS is_known
      FROM checkpoint_cosignatures c
      WHERE (c.tree_size, c.name, c.key_id) > (${after.tree_size}, ${after.name}, ${after.key_id})
      ORDER BY c.tree_size, c.name, c.key_id LIMIT ${pageMax}`.execute(db)
    for (const row of rows) {
      const problem = cosignatureProblem(row)
      if (problem === null) continue
      found.add(null, `the cosignature of ${row.name} of ${row.tree_size} events ${problem}`)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageMax) return
    after = last
  }
}

function cosignatureProblem({ name, key_id: keyId, line, is_known: isKnown }: Row): string | null {
  if (!isKnown) return 'has no checkpoint in the database'
  const signatures = readSignatures(line) ?? []
  const [signature] = signatures
  if (signatures.length === 1 && signature?.name === name && signature.keyId === keyId) return null
  return 'is not stored under the name and key of its own line'
}
