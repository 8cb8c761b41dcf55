import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { otherNotes, storedFiles, storedNotes } from '../checkpoint-files.ts'
import { allCheckpoints } from '../checkpoints.ts'
import type { Findings } from '../findings.ts'
import { readNote } from '../signed-note.ts'
import { checkpointProblem } from './check-seal-rows.ts'
import type { Claim } from './check-tree.ts'

/** The checkpoints in the database, smallest first. */
export async function* inDatabase(db: Kysely<Tables>, found: Findings): AsyncGenerator<Claim> {
  for await (const checkpoint of allCheckpoints(db)) {
    const { size, note, position } = checkpoint
    const where = `the checkpoint of ${size} events in the database`
    const problem = checkpointProblem(checkpoint)
    if (problem !== null) found.add(null, `${where} ${problem}`)
    yield { note, where, position, isOutside: false }
  }
}

type Unreadable = (code: string) => void

/** The checkpoints in the folder: the service's own files, then all others. */
export function inFolder(
  folder: string | null,
  isWanted: (note: string) => boolean,
  unreadable: Unreadable,
): readonly AsyncGenerator<Claim>[] {
  if (folder === null) return []
  return [
    skipUnreadable(wanted(dailyCheckpoints(folder), isWanted), unreadable),
    // Other files can be from any time, so they are read without an order.
    skipUnreadable(wanted(otherCheckpoints(folder), isWanted), unreadable),
  ]
}

async function* wanted(
  claims: AsyncIterable<Claim>,
  isWanted: (note: string) => boolean,
): AsyncGenerator<Claim> {
  for await (const claim of claims) if (isWanted(claim.note)) yield claim
}

/**
 * A missing or inaccessible folder is not a problem of the ledger: `unreadable` gets the error
 * code.
 */
async function* skipUnreadable(
  claims: AsyncIterable<Claim>,
  unreadable: Unreadable,
): AsyncGenerator<Claim> {
  try {
    yield* claims
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    unreadable(code)
  }
}

type Sized = { readonly file: string; readonly note: string; readonly size: number }

async function* dailyCheckpoints(folder: string): AsyncGenerator<Claim> {
  for (const files of await inOrder(folder)) {
    const together: Sized[] = []
    for await (const { file, notes } of storedNotes(folder, files))
      together.push(...withSizes(file, notes))
    yield* bySize(together)
  }
}

/**
 * The daily files in the order of what they cover. Files are named after the clock: if it was set
 * back, days overlap, and overlapping files are read together.
 */
async function inOrder(folder: string): Promise<readonly (readonly string[])[]> {
  const spans: { readonly file: string; readonly from: number; readonly to: number }[] = []
  for await (const { file, notes } of storedNotes(folder, await storedFiles(folder))) {
    const sizes = withSizes(file, notes).map(({ size }) => size)
    const from = sizes.reduce((least, size) => Math.min(least, size), Number.POSITIVE_INFINITY)
    const to = sizes.reduce((most, size) => Math.max(most, size), 0)
    spans.push({ file, from, to })
  }
  const runs: string[][] = []
  let covered = -1
  for (const { file, from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const run = runs.at(-1)
    if (run !== undefined && from <= covered) run.push(file)
    else runs.push([file])
    covered = Math.max(covered, to)
  }
  return runs
}

async function* otherCheckpoints(folder: string): AsyncGenerator<Claim> {
  const all: Sized[] = []
  for await (const { file, notes } of otherNotes(folder)) all.push(...withSizes(file, notes))
  yield* bySize(all)
}

function withSizes(file: string, notes: readonly string[]): readonly Sized[] {
  return notes.map((note) => ({ file, note, size: readNote(note)?.head.size ?? 0 }))
}

function* bySize(notes: readonly Sized[]): Generator<Claim> {
  for (const { file, note, size } of notes.toSorted((a, b) => a.size - b.size)) {
    yield { note, where: `the checkpoint of ${size} events in ${file}`, isOutside: true }
  }
}
