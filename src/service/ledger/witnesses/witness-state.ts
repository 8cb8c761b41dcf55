import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '../../database/folder-lock.ts'
import { base62, idValueLength } from '../../domain/ids.ts'
import { emptyRoot } from '../../domain/ledger/merkle.ts'
import { StartError } from '../../start-error.ts'
import { type Signer, signerOf } from '../signed-note.ts'
import { readCheckpoint } from './any-checkpoint.ts'
import { witnessIdOf } from './cosignature.ts'

/**
 * The folder of a witness: its key and, for each ledger, the last checkpoint that it cosigned. It
 * must never be restored to an earlier state: a witness that has lost a checkpoint may cosign
 * another history.
 */

/** The tree that a witness cosigned last; size 0 if it has not cosigned any. */
type SeenTree = { readonly size: number; readonly root: Buffer }

/**
 * `contradiction`: a different tree of the cosigned size, which proves that the ledger signed two
 * histories. `unproved`: a larger tree with a wrong proof, which anyone can submit.
 */
type EvidenceKind = 'contradiction' | 'unproved'

export type WitnessState = {
  readonly signer: Signer
  /** The tree of this origin that was cosigned last. The origin must have been opened. */
  seen(origin: string): SeenTree
  /** Resolves when the checkpoint is on disk. If it rejects, `seen` has not changed. */
  keep(origin: string, checkpoint: SeenTree & { readonly note: string }): Promise<void>
  /**
   * Stores a note that a ledger signed and the witness could not cosign, up to a limit of files.
   */
  keepEvidence(kind: EvidenceKind, note: string): Promise<void>
  /** Releases the lock on the folder. */
  close(): void
}

const keyFile = 'key'
const originsFile = 'origins'
/** Files of each kind. The first ones are sufficient evidence. */
const evidenceMax = 100
const temporary = '.unfinished'
const seedBytes = 32

/**
 * Opens the folder, or creates a new witness there: a new key, under the given name or a random
 * one. Throws StartError if another process uses it, or if anything in it is damaged or missing.
 */
export async function openWitnessState(options: {
  readonly folder: string
  readonly origins: readonly string[]
  readonly name: string | undefined
}): Promise<WitnessState> {
  const { folder, origins, name } = options
  const lock = takeLock(folder)
  try {
    for (const file of readdirSync(folder)) {
      if (file.endsWith(temporary)) rmSync(join(folder, file))
    }
    const known = readOrigins(folder)
    const signer = await openKey(folder, name, known.length === 0)
    const seen = new Map(known.map((origin) => [origin, readSeen(folder, origin)]))
    await addOrigins(folder, origins, seen)
    return stateOf(folder, signer, seen, lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

function stateOf(
  folder: string,
  signer: Signer,
  seen: Map<string, SeenTree>,
  release: () => void,
): WitnessState {
  return {
    signer,
    seen(origin) {
      const tree = seen.get(origin)
      if (tree === undefined) throw new Error('bug: the origin was not opened')
      return tree
    },
    async keep(origin, { size, root, note }) {
      await writeWhole(folder, seenFile(origin), sealed(note))
      seen.set(origin, { size, root })
    },
    async keepEvidence(kind, note) {
      const file = `${kind}-${digest(note).slice(0, 16)}.txt`
      const kept = readdirSync(folder).filter((name) => name.startsWith(`${kind}-`))
      if (kept.length < evidenceMax && !kept.includes(file)) await writeWhole(folder, file, note)
    },
    close: release,
  }
}

function takeLock(folder: string) {
  let lock: ReturnType<typeof lockFolder>
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    lock = lockFolder(folder)
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    throw new StartError(
      `The folder ${folder} cannot be written (${code}): give it to this user, or name another folder with --state.`,
      { cause: error },
    )
  }
  if (lock !== null) return lock
  throw new StartError(
    `Another witness is using the folder ${folder}: stop it, or name another folder with --state.`,
  )
}

/** The key's line is `<name> <id> <seed in base64>`. The id shows whether the line is intact. */
async function openKey(
  folder: string,
  name: string | undefined,
  mayBeNew: boolean,
): Promise<Signer> {
  const text = readIfThere(folder, keyFile)
  if (text === null) {
    if (!mayBeNew) {
      throw damaged(folder, keyFile, 'is missing, but the witness has cosigned checkpoints')
    }
    const seed = randomBytes(seedBytes)
    const signer = signerOf(name ?? `witness/${base62(randomBytes(24), idValueLength)}`, seed)
    const line = `${signer.name} ${witnessIdOf(signer)} ${seed.toString('base64')}\n`
    await writeWhole(folder, keyFile, line)
    return signer
  }
  const [, own = '', id, encoded = ''] = /^(\S+) ([0-9a-f]{8}) (\S+)\n$/.exec(text) ?? []
  const seed = Buffer.from(encoded, 'base64')
  const signer = seed.length === seedBytes ? signerOf(own, seed) : null
  if (signer === null || witnessIdOf(signer) !== id) throw damaged(folder, keyFile, 'is damaged')
  if (name !== undefined && name !== signer.name) {
    throw new StartError(
      `The witness in ${folder} has the name ${signer.name}, not ${name}: a key never changes its name.`,
    )
  }
  return signer
}

/** The ledgers that the witness has been started for. Each has a file with its last checkpoint. */
function readOrigins(folder: string): readonly string[] {
  const text = readIfThere(folder, originsFile)
  if (text === null) {
    const lost = readdirSync(folder).some((file) => file.endsWith('.checkpoint'))
    if (lost) throw damaged(folder, originsFile, 'is missing, but checkpoints of ledgers are there')
    return []
  }
  return unsealed(folder, originsFile, text).split('\n').slice(0, -1)
}

/** Lists new ledgers and creates their files, so that a missing file is detected from then on. */
async function addOrigins(
  folder: string,
  origins: readonly string[],
  seen: Map<string, SeenTree>,
): Promise<void> {
  const added = origins.filter((origin) => !seen.has(origin))
  if (added.length === 0) return
  for (const origin of added) {
    await writeWhole(folder, seenFile(origin), sealed(`${origin}\n`))
    seen.set(origin, nothing)
  }
  await writeWhole(folder, originsFile, sealed([...seen.keys()].map((one) => `${one}\n`).join('')))
}

const nothing: SeenTree = { size: 0, root: emptyRoot }

/** The file has the last checkpoint or, before the first one, only the origin's line. */
function readSeen(folder: string, origin: string): SeenTree {
  const file = seenFile(origin)
  const text = readIfThere(folder, file)
  if (text === null) throw damaged(folder, file, `is missing: it is what was cosigned of ${origin}`)
  const content = unsealed(folder, file, text)
  if (content === `${origin}\n`) return nothing
  const checkpoint = readCheckpoint(content)
  if (checkpoint === null || checkpoint.origin !== origin) throw damaged(folder, file, 'is damaged')
  return { size: checkpoint.size, root: checkpoint.root }
}

function seenFile(origin: string): string {
  return `${digest(origin).slice(0, 32)}.checkpoint`
}

function damaged(folder: string, file: string, problem: string): StartError {
  return new StartError(
    `${join(folder, file)} ${problem}: this witness can no longer know what it has cosigned. Restore the folder only if it is certainly the last state; otherwise start a new witness, with a new key, in another folder.`,
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The digest before the content shows whether it is intact. */
function sealed(content: string): string {
  return `${digest(content)}\n${content}`
}

function unsealed(folder: string, file: string, text: string): string {
  const end = text.indexOf('\n')
  const content = text.slice(end + 1)
  if (end === -1 || text.slice(0, end) !== digest(content)) {
    throw damaged(folder, file, 'is damaged')
  }
  return content
}

function readIfThere(folder: string, file: string): string | null {
  try {
    return readFileSync(join(folder, file), 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    if (code === 'ENOENT') return null
    throw new StartError(`${join(folder, file)} cannot be read (${code}).`, { cause: error })
  }
}

/** Replaces the file atomically. Resolves when it is on disk under its name. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file)
  const unfinished = `${path}.${randomBytes(8).toString('hex')}${temporary}`
  const target = await open(unfinished, 'wx', 0o600)
  try {
    await target.writeFile(text)
    await target.sync()
  } finally {
    await target.close()
  }
  await rename(unfinished, path)
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
