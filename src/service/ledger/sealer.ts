import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import { base62, idValueLength, ledgerPrefixes } from '../domain/ids.ts'
import { metadataOf } from '../event-store/codec.ts'
import type { EventStore, Place, StoredEvent, Subscribed } from '../event-store/event-store.ts'
import { Wake } from '../event-store/wake.ts'
import type { Log } from '../log.ts'
import { forever } from '../processes/due/worker.ts'
import { noteUnwritable, noteWritten } from '../processes/unwritable-files.ts'
import { whileLeased } from '../projector/lease.ts'
import { keepNote } from './checkpoint-files.ts'
import {
  type CheckpointKeys,
  lastCheckpoint,
  signCheckpoint,
  thinCheckpoints,
} from './checkpoints.ts'
import { damageOfFiles, type FindDamageDeps } from './recovery/find-damage.ts'
import { signerOf } from './signed-note.ts'
import {
  appendToTree,
  type Growing,
  growing,
  type NewLeaf,
  nameTree,
  placeOfTree,
  readTree,
} from './tree.ts'
import { runWitnessing, type WitnessingDeps } from './witnesses/witnessing.ts'

export type SealerDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly log: Log
  readonly keys: CheckpointKeys
  /** Where checkpoints are kept outside the database; null = nowhere. */
  readonly checkpointDir: string | null
  /** The keys that sign now, for a tree of that name. */
  readonly verifiers: FindDamageDeps['verifiers']
} & Pick<WitnessingDeps, 'witnesses' | 'submitted' | 'noticed'>

/** The longest wait of an event for the checkpoint that covers it, while the sealer keeps up. */
const sealEveryMs = 1_000
/** Events from one checkpoint to the next. */
const sealedMax = 1_000
const thinEveryMs = 60_000

/** The sealer's state between checkpoints. */
type Sealing = { readonly tree: Growing; readonly signedSize: number }

/**
 * Seals the ledger in one process of any number that run this: appends the leaves of new events to
 * the Merkle tree, in the order of the ledger, and signs a checkpoint every second or thousand
 * events, but none while nothing happens. If killed anywhere, it continues: leaves and tree move in
 * one transaction, and unsigned leaves are signed next. Witnesses get each new checkpoint beside
 * this; it never waits for them.
 */
export async function runSealer(deps: SealerDeps, signal: AbortSignal): Promise<void> {
  await whileLeased(deps, 'sealer', signal, async (held) => {
    const hasSigned = new Wake()
    const keep = noteKeeper(deps, held)
    const runOnce = async () => {
      await follow({ ...deps, keep }, hasSigned, held)
      return 0
    }
    await Promise.all([
      forever({ name: 'seal', runOnce, restMs: sealEveryMs }, deps.log, held),
      runWitnessing(deps, hasSigned, held),
    ])
  })
}

/** Runs until the signal aborts. After a failed attempt, the next one reads the state again. */
async function follow(
  deps: SealerDeps & SigningDeps,
  hasSigned: Wake,
  signal: AbortSignal,
): Promise<void> {
  // Before anything is signed: a checkpoint outside the database may cover more than the ledger has.
  const damage = await damageOfFiles(deps)
  if (damage !== null) return deps.noticed(damage)
  let sealing = await signed(deps, await begin(deps.db))
  hasSigned.ring()
  const ended = new AbortController()
  const coming = new Coming(
    deps.store,
    placeOfTree(sealing.tree),
    AbortSignal.any([signal, ended.signal]),
  )
  let thinnedAt = Number.NEGATIVE_INFINITY
  try {
    while (!signal.aborted && !coming.isOver) {
      if (performance.now() - thinnedAt >= thinEveryMs) {
        thinnedAt = performance.now()
        await thinCheckpoints(deps.db)
      }
      const events = await coming.gather(thinnedAt + thinEveryMs)
      for (let from = 0; from < events.length; from += sealedMax) {
        const leaves = events.slice(from, from + sealedMax).map(newLeaf)
        const tree = await appendToTree(deps.db, sealing.tree, leaves)
        sealing = await signed(deps, { ...sealing, tree })
        hasSigned.ring()
      }
    }
  } finally {
    ended.abort()
  }
}

async function begin(db: Kysely<ReadModels>): Promise<Sealing> {
  const tree = (await readTree(db)) ?? (await firstTree(db))
  const last = await lastCheckpoint(db)
  return { tree: await growing(db, tree), signedSize: last?.size ?? 0 }
}

/** Events of the ledger as they arrive. */
class Coming {
  readonly #items: AsyncIterator<Subscribed>
  #next: Promise<IteratorResult<Subscribed>> | null = null
  isOver = false

  constructor(store: EventStore, after: Place | null, signal: AbortSignal) {
    const options = { prefixes: ledgerPrefixes, signal, batchMax: sealedMax }
    this.#items = store.subscribe(after, options)[Symbol.asyncIterator]()
  }

  /**
   * The events for one checkpoint, now and then a few more; none if none arrive by `until`, or
   * after an abort.
   */
  async gather(until: number): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = []
    let endsAt = until
    while (events.length < sealedMax && performance.now() < endsAt) {
      const item = await this.#itemBy(endsAt)
      if (item === null) break
      if (item.kind !== 'batch') continue
      if (events.length === 0 && item.events.length > 0) endsAt = performance.now() + sealEveryMs
      events.push(...item.events)
    }
    return events
  }

  /** The next one; null if none arrives by then. */
  async #itemBy(endsAt: number): Promise<Subscribed | null> {
    if (this.#next === null) {
      this.#next = this.#items.next()
      // It may fail while nothing awaits it; the next caller gets the error.
      this.#next.catch(() => undefined)
    }
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(resolve, Math.max(0, endsAt - performance.now()), null)
    try {
      const next = await Promise.race([this.#next, late])
      if (next === null) return null
      this.#next = null
      this.isOver = next.done === true
      return next.done === true ? null : next.value
    } finally {
      clearTimeout(timer)
    }
  }
}

async function firstTree(db: Kysely<ReadModels>) {
  await nameTree(db, `shipping-ledger/${base62(randomBytes(24), idValueLength)}`)
  const tree = await readTree(db)
  if (tree === null) throw new Error('bug: the tree was not named')
  return tree
}

type SigningDeps = Pick<SealerDeps, 'db' | 'keys'> & {
  /** Keeps a note outside the database. */
  readonly keep: (note: string, signedAt: Date) => Promise<void>
}

/**
 * Keeps notes in the folder. One that cannot be written is tried until the signal aborts; meanwhile
 * the database says so, for every process to see.
 */
function noteKeeper(
  { db, log, checkpointDir }: Pick<SealerDeps, 'db' | 'log' | 'checkpointDir'>,
  signal: AbortSignal,
): SigningDeps['keep'] {
  let isFailing = false
  // An earlier process may have noted that it could not.
  let isNoted = true
  return async (note, signedAt) => {
    for (;;) {
      try {
        if (checkpointDir !== null) await keepNote(checkpointDir, note, signedAt)
        break
      } catch (error) {
        if (!isFailing) log.error({ err: error }, 'checkpoints cannot be written; trying on')
        isFailing = true
        isNoted = true
        await noteUnwritable(db, 'checkpoints', error)
        await delay(sealEveryMs, undefined, { signal })
      }
    }
    if (isNoted) await noteWritten(db, 'checkpoints')
    if (isFailing) log.info('checkpoints are written again')
    isFailing = false
    isNoted = false
  }
}

/** Signs a checkpoint, unless one covers the tree. */
async function signed(deps: SigningDeps, { tree, signedSize }: Sealing): Promise<Sealing> {
  if (tree.size > signedSize) await sign(deps, tree)
  return { tree, signedSize: tree.size }
}

function newLeaf(event: StoredEvent): NewLeaf {
  const { position, stream, revision, id: eventId } = event
  const leaf = Buffer.from(metadataOf(event).leaf, 'hex')
  return { position, stream, revision, eventId, leaf }
}

async function sign({ db, keys, keep }: SigningDeps, tree: Growing): Promise<void> {
  const current = signerOf(tree.origin, keys.current)
  const previous = keys.previous === null ? null : signerOf(tree.origin, keys.previous)
  await signCheckpoint(db, tree, { current, previous }, keep)
}
