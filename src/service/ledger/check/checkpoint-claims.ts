import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { keptFiles, keptNotes, otherNotes } from '../checkpoint-files.ts'
import { allCheckpoints } from '../checkpoints.ts'
import type { Findings } from '../findings.ts'
import { readNote } from '../signed-note.ts'
import { checkpointProblem } from './check-seal-rows.ts'
import type { Claim } from './check-tree.ts'

/** Checkpoints of the sealed events, the smallest first. */
export async function* inDatabase(db: Kysely<ReadModels>, found: Findings): AsyncGenerator<Claim> {
  for await (const checkpoint of allCheckpoints(db)) {
    const { size, note, position } = checkpoint
    const where = `the checkpoint of ${size} events in the database`
    const problem = checkpointProblem(checkpoint)
    if (problem !== null) found.add(null, `${where} ${problem}`)
    yield { note, where, position, isOutside: false }
  }
}

type Unreadable = (code: string) => void

/** Checkpoints of the folder: the service's own files, then all others. */
export function inFolder(
  folder: string | null,
  isWanted: (note: string) => boolean,
  unreadable: Unreadable,
): readonly AsyncGenerator<Claim>[] {
  if (folder === null) return []
  return [
    readable(wanted(ofDays(folder), isWanted), unreadable),
    // A file can be of any time, so their order says nothing.
    readable(wanted(ofOthers(folder), isWanted), unreadable),
  ]
}

async function* wanted(
  claims: AsyncIterable<Claim>,
  isWanted: (note: string) => boolean,
): AsyncGenerator<Claim> {
  for await (const claim of claims) if (isWanted(claim.note)) yield claim
}

/** A missing or inaccessible folder says nothing about the ledger: `unreadable` gets the reason. */
async function* readable(
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

async function* ofDays(folder: string): AsyncGenerator<Claim> {
  for (const files of await inOrder(folder)) {
    const together: Sized[] = []
    for await (const { file, notes } of keptNotes(folder, files))
      together.push(...sized(file, notes))
    yield* bySize(together)
  }
}

/**
 * The files of days in the order of what they cover. A file is named after the clock: where that was
 * set back, days cover parts of each other, and are read together.
 */
async function inOrder(folder: string): Promise<readonly (readonly string[])[]> {
  const spans: { readonly file: string; readonly from: number; readonly to: number }[] = []
  for await (const { file, notes } of keptNotes(folder, await keptFiles(folder))) {
    const sizes = sized(file, notes).map(({ size }) => size)
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

async function* ofOthers(folder: string): AsyncGenerator<Claim> {
  const all: Sized[] = []
  for await (const { file, notes } of otherNotes(folder)) all.push(...sized(file, notes))
  yield* bySize(all)
}

function sized(file: string, notes: readonly string[]): readonly Sized[] {
  return notes.map((note) => ({ file, note, size: readNote(note)?.head.size ?? 0 }))
}

function* bySize(notes: readonly Sized[]): Generator<Claim> {
  for (const { file, note, size } of notes.toSorted((a, b) => a.size - b.size)) {
    yield { note, where: `the checkpoint of ${size} events in ${file}`, isOutside: true }
  }
}
