import { appendFile, type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { isWholeSignature } from './signed-note.ts'

/**
 * Signed checkpoints outside the database, one file a day: notes separated by an empty line. An
 * attacker who changes the ledger in the database must change these files as well.
 */

const fileName = /^checkpoints-\d{4}-\d{2}-\d{2}\.txt$/

/** Creates the folder, if one is configured. Throws StartError when it is not writable. */
export async function openCheckpointFolder(folder: string | undefined, log: Log): Promise<void> {
  if (folder === undefined) {
    log.warn(
      'checkpoints are kept in the database alone: set CHECKPOINT_DIR to keep them beside it',
    )
    return
  }
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await appendFile(fileOf(folder, new Date()), '')
  } catch (error) {
    const sentence = `Nothing can be written to ${folder}: set CHECKPOINT_DIR to a folder where this user may write.`
    throw new StartError(sentence, { cause: error })
  }
}

/** Appends a note to its day's file; it is on disk when this answers. */
export async function keepNote(folder: string, note: string, signedAt: Date): Promise<void> {
  const file = await open(fileOf(folder, signedAt), 'a+', 0o600)
  try {
    // Terminates a note that a crash or a full disk cut off, so that it does not spoil the next.
    const before = (await endsWhole(file)) ? '' : '\n\n'
    await file.appendFile(`${before}${note}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Whether the file ends with an empty line, or is empty. */
async function endsWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2))
  return buffer.subarray(0, bytesRead).toString() === '\n\n'
}

function fileOf(folder: string, at: Date): string {
  return join(folder, `checkpoints-${at.toISOString().slice(0, 10)}.txt`)
}

type KeptNotes = { readonly file: string; readonly notes: readonly string[] }

/** The notes of all days in order. A note that a crash left half written is left out. */
export async function* keptNotes(folder: string): AsyncIterable<KeptNotes> {
  const files = (await readdir(folder)).filter((name) => fileName.test(name)).sort()
  for (const file of files) {
    yield { file, notes: notesOf(await readFile(join(folder, file), 'utf8')) }
  }
}

/** A note has two parts, each ended by an empty line. One that was cut off has fewer. */
export function notesOf(text: string): readonly string[] {
  const parts = text.split(/\n{2,}/).slice(0, -1)
  const notes: string[] = []
  let head: string | null = null
  for (const part of parts) {
    if (!part.startsWith('— ')) head = part
    else if (head !== null) {
      if (part.split('\n').every(isWholeSignature)) notes.push(`${head}\n\n${part}\n`)
      head = null
    }
  }
  return notes
}
