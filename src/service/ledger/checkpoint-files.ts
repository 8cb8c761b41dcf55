import { appendFile, type FileHandle, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { isWholeSignature } from './signed-note.ts'

/**
 * Signed checkpoints outside the database, one file a day: notes separated by an empty line. An
 * attacker who changes the ledger in the database must change these files as well.
 */

const fileName = /^checkpoints-\d{4}-\d{2}-\d{2}\.txt$/

/** Creates the folder, if one is configured. Throws StartError if it is not writable. */
export async function openCheckpointFolder(folder: string | undefined, log: Log): Promise<void> {
  if (folder === undefined) {
    log.warn(
      'checkpoints are stored only in the database: set CHECKPOINT_DIR to store them outside it too',
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

/** Appends a note to its day's file and flushes it to disk. */
export async function keepNote(folder: string, note: string, signedAt: Date): Promise<void> {
  const file = await open(fileOf(folder, signedAt), 'a+', 0o600)
  try {
    // Terminates a note that a crash or a full disk has cut off, so that it does not run into the
    // next one.
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

type StoredNotes = { readonly file: string; readonly notes: readonly string[] }

/** The names of the files of all days, in order. */
export async function storedFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => fileName.test(name)).sort()
}

/** The notes of these files. Incomplete notes, left by a crash, are skipped. */
export async function* storedNotes(
  folder: string,
  files: readonly string[],
): AsyncIterable<StoredNotes> {
  for (const file of files) {
    yield { file, notes: notesOf(await readFile(join(folder, file), 'utf8')) }
  }
}

/** Bytes read from the end of a file when only its newest notes are needed. */
const tailBytes = 64 * 1024

/** The notes of the last days; empty if the folder is missing. */
export async function lastNotes(folder: string, filesMax: number): Promise<readonly string[]> {
  const files = await lastFiles(folder, filesMax)
  const texts = files.map((name) => readFile(join(folder, name), 'utf8'))
  return (await Promise.all(texts)).flatMap(notesOf)
}

async function lastFiles(folder: string, filesMax: number): Promise<readonly string[]> {
  return (await storedFiles(folder).catch(() => [])).slice(-filesMax)
}

/** The notes at the ends of the last days' files; empty if the folder is missing. */
export async function newestNotes(folder: string, filesMax: number): Promise<readonly string[]> {
  const newest: string[] = []
  for (const name of await lastFiles(folder, filesMax)) {
    const file = await open(join(folder, name), 'r')
    try {
      const { size } = await file.stat()
      const from = Math.max(0, size - tailBytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
      const tail = buffer.toString('utf8', 0, bytesRead)
      // The tail may begin in the middle of a note.
      const whole = from === 0 ? tail : tail.slice(tail.indexOf('\n\n') + 2)
      newest.push(...notesOf(whole))
    } finally {
      await file.close()
    }
  }
  return newest
}

/** The notes of files with other names, which a person may have put there. */
export async function* otherNotes(folder: string): AsyncIterable<StoredNotes> {
  for (const file of (await readdir(folder)).filter((name) => !fileName.test(name)).sort()) {
    const path = join(folder, file)
    if (await holdsNotes(path)) yield { file, notes: readNotes(await readFile(path, 'utf8')).notes }
  }
}

/** A file is read as checkpoints only if its beginning matches this. */
const noteSign = /\n\r?\n— |"note"/
/** Bytes of the beginning: an incomplete note, and one with many signatures. */
const beginningBytes = 4_096

/** Whether the file begins with notes. The folder may contain other files. */
async function holdsNotes(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(beginningBytes),
      0,
      beginningBytes,
      0,
    )
    return noteSign.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

/** The notes of a file that the service wrote. Incomplete notes are skipped. */
export function notesOf(text: string): readonly string[] {
  return pairsOf(text.split(/\n{2,}/).slice(0, -1)).notes
}

/** The notes of a file from any source. */
type ReadNotes = {
  readonly notes: readonly string[]
  /** Parts that are not a complete note, such as those that a crash leaves. */
  readonly broken: number
  /**
   * One of them is the last part, or has no beginning, which a crash of the service cannot cause.
   */
  readonly isDamaged: boolean
}

/**
 * Reads the text of one or many notes, or the JSON answer of `GET /v1/ledger/checkpoint`. The final
 * empty line may be missing, and lines may end with CR LF.
 */
export function readNotes(text: string): ReadNotes {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim()
  const note = plain.startsWith('{') ? noteOfAnswer(plain) : plain
  return pairsOf(note.trim() === '' ? [] : note.trim().split(/\n{2,}/))
}

/** Empty if the answer has no note. */
function noteOfAnswer(json: string): string {
  try {
    const { note } = JSON.parse(json)
    return typeof note === 'string' ? note : ''
  } catch {
    return ''
  }
}

/**
 * A note has two parts, each ended by an empty line. An incomplete one has one part or half a line.
 */
function pairsOf(parts: readonly string[]): ReadNotes {
  const notes: string[] = []
  let head: string | null = null
  let isCut = false
  let hasStray = false
  for (const part of parts) {
    isCut = true
    if (!part.startsWith('— ')) {
      head = part
      continue
    }
    if (head !== null && part.split('\n').every(isWholeSignature)) {
      notes.push(`${head}\n\n${part}\n`)
      isCut = false
    }
    hasStray ||= head === null
    head = null
  }
  return { notes, broken: parts.length - 2 * notes.length, isDamaged: isCut || hasStray }
}
