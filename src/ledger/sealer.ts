import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { base62, idValueLength, ledgerPrefixes } from '../domain/ids.ts'
import { metadataOf } from '../event-store/codec.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { whileLeased } from '../processes/lease.ts'
import { forever } from '../processes/worker.ts'
import { keepNote } from './checkpoint-files.ts'
import {
  type CheckpointKeys,
  lastCheckpoint,
  signCheckpoint,
  thinCheckpoints,
} from './checkpoints.ts'
import { signerOf } from './signed-note.ts'
import { appendToTree, type Growing, growing, type NewLeaf, nameTree, readTree } from './tree.ts'

export type SealerDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly log: Log
  readonly keys: CheckpointKeys
  /** Where checkpoints are kept outside the database; null = nowhere. */
  readonly checkpointDir: string | null
}

/** An event waits at most so long for the checkpoint that covers it, while the sealer keeps up. */
const sealEveryMs = 1_000
/** Events from one checkpoint to the next. */
export const sealedMax = 1_000
/** Of the ledger in one look, so that the lease is looked at now and then. */
const pagesMax = 100
const thinEveryMs = 60_000

/** What the sealer knows from one look to the next. */
type Sealing = {
  readonly tree: Growing
  /** How far the ledger was read: others' events after the last of ours are not read again. */
  readonly readTo: Position | null
  readonly signedSize: number
  /** The last look did not come to the end of the ledger. */
  readonly hasMore: boolean
}

/**
 * Seals the ledger in one process of any number that run this: appends the leaves of new events to the
 * Merkle tree, in the order of the ledger, and signs a checkpoint every second or thousand events.
 * Killed anywhere, it goes on: leaves and tree move in one transaction, and what was not signed is
 * signed next.
 */
export async function runSealer(deps: SealerDeps, signal: AbortSignal): Promise<void> {
  await whileLeased(deps, 'sealer', signal, async (held) => {
    let known: Sealing | null = null
    let thinnedAt = Number.NEGATIVE_INFINITY
    const sealOnce = async (): Promise<number> => {
      const before = known ?? (await begin(deps))
      // What an attempt that failed has done is read anew.
      known = null
      const sealing = await sealNext(deps, before)
      known = sealing
      if (performance.now() - thinnedAt > thinEveryMs) {
        thinnedAt = performance.now()
        await thinCheckpoints(deps.db)
      }
      return sealing.hasMore ? 1 : 0
    }
    await forever('seal', deps.log, held, sealOnce, sealEveryMs)
  })
}

async function begin({ db }: SealerDeps): Promise<Sealing> {
  const tree = (await readTree(db)) ?? (await firstTree(db))
  const signed = await lastCheckpoint(db)
  const signedSize = signed?.size ?? 0
  return { tree: await growing(db, tree), readTo: tree.position, signedSize, hasMore: true }
}

async function firstTree(db: Kysely<ReadModels>) {
  await nameTree(db, `shipping-ledger/${base62(randomBytes(24), idValueLength)}`)
  const tree = await readTree(db)
  if (tree === null) throw new Error('bug: the tree was not named')
  return tree
}

async function sealNext(deps: SealerDeps, before: Sealing): Promise<Sealing> {
  const { events, readTo, hasMore } = await newEvents(deps.store, before.readTo)
  const tree = await appendToTree(deps.db, before.tree, events.map(newLeaf))
  if (tree.size > before.signedSize) await sign(deps, tree)
  return { tree, readTo, signedSize: tree.size, hasMore }
}

/** What one checkpoint covers; pages that hold only others' events are passed over. */
async function newEvents(store: EventStore, after: Position | null) {
  const events: StoredEvent[] = []
  let readTo = after
  for (let pages = 0; pages < pagesMax; pages++) {
    const limit = sealedMax - events.length
    const page = await store.readAll(readTo, { prefixes: ledgerPrefixes, limit })
    if (page.last === readTo) return { events, readTo, hasMore: false }
    readTo = page.last
    events.push(...page.events)
    if (events.length === sealedMax) break
  }
  return { events, readTo, hasMore: true }
}

function newLeaf(event: StoredEvent): NewLeaf {
  const { position, stream, revision } = event
  return { position, stream, revision, leaf: Buffer.from(metadataOf(event).leaf, 'hex') }
}

async function sign(deps: SealerDeps, tree: Growing): Promise<void> {
  const { keys, checkpointDir } = deps
  const current = signerOf(tree.origin, keys.current)
  const previous = keys.previous === null ? null : signerOf(tree.origin, keys.previous)
  await signCheckpoint(deps.db, tree, { current, previous }, async (note, signedAt) => {
    if (checkpointDir !== null) await keepNote(checkpointDir, note, signedAt)
  })
}
