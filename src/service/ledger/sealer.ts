import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { base62, idValueLength, ledgerPrefixes } from '../domain/ids.ts'
import { metadataOf } from '../event-store/codec.ts'
import type { EventStore, Place, StoredEvent, Subscribed } from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { noteUnwritable, noteWritten } from '../processes/unwritable-files.ts'
import { whileLeased } from '../queue/lease.ts'
import { forever } from '../queue/run.ts'
import { Signal } from '../queue/signal.ts'
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
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly log: Log
  readonly checkpointKeys: CheckpointKeys
  /** The folder for checkpoints outside the database; null if none is configured. */
  readonly checkpointDir: string | null
  /** The current signing keys for a tree of that name. */
  readonly verifiers: FindDamageDeps['verifiers']
} & Pick<WitnessingDeps, 'witnesses' | 'witnessSubmitted' | 'damageNoticed'>

/** The longest time from an event to the checkpoint that covers it, while the sealer keeps up. */
const sealEveryMs = 1_000
/** The most events between two checkpoints. */
const sealedMax = 1_000
const thinEveryMs = 60_000

/** The sealer's state between checkpoints. */
type Sealing = { readonly tree: Growing; readonly signedSize: number }

/**
 * Seals the ledger. Any number of processes may run it; one of them is active. Appends the leaves
 * of new events to the Merkle tree, in the order of the ledger, and signs a checkpoint every second
 * or every thousand events, but only if there are new events. After a crash it continues: leaves
 * and tree are updated in one transaction, and unsigned leaves are signed next. It never waits for
 * witnesses.
 */
export async function runSealer(deps: SealerDeps, signal: AbortSignal): Promise<void> {
  await whileLeased(deps, 'sealer', signal, async (held) => {
    const hasSigned = new Signal()
    const keep = noteWriter(deps, held)
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

/** Runs until the signal aborts. After a failure, the next run reads the state again. */
async function follow(
  deps: SealerDeps & SigningDeps,
  hasSigned: Signal,
  signal: AbortSignal,
): Promise<void> {
  // Checked before anything is signed: a checkpoint outside the database may cover more events.
  const damage = await damageOfFiles(deps)
  if (damage !== null) return deps.damageNoticed(damage)
  let sealing = await signed(deps, await begin(deps.db))
  hasSigned.notify()
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
        hasSigned.notify()
      }
    }
  } finally {
    ended.abort()
  }
}

async function begin(db: Kysely<Tables>): Promise<Sealing> {
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
   * The events for one checkpoint, sometimes a few more; empty if none arrive by `until`, or after
   * an abort.
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

  /** The next item; null if none arrives by then. */
  async #itemBy(endsAt: number): Promise<Subscribed | null> {
    if (this.#next === null) {
      this.#next = this.#items.next()
      // It may reject while nothing awaits it. The next caller gets the error.
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

async function firstTree(db: Kysely<Tables>) {
  await nameTree(db, `shipping-ledger/${base62(randomBytes(24), idValueLength)}`)
  const tree = await readTree(db)
  if (tree === null) throw new Error('bug: the tree was not named')
  return tree
}

type SigningDeps = Pick<SealerDeps, 'db' | 'checkpointKeys'> & {
  /** Stores a note outside the database. */
  readonly keep: (note: string, signedAt: Date) => Promise<void>
}

/**
 * Writes notes to the folder, and retries until the signal aborts. While writing fails, a row in
 * the database shows it to every process.
 */
function noteWriter(
  { db, log, checkpointDir }: Pick<SealerDeps, 'db' | 'log' | 'checkpointDir'>,
  signal: AbortSignal,
): SigningDeps['keep'] {
  let isFailing = false
  // An earlier process may have stored a failure.
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

/** Signs a checkpoint, unless one already covers the tree. */
async function signed(deps: SigningDeps, { tree, signedSize }: Sealing): Promise<Sealing> {
  if (tree.size > signedSize) await sign(deps, tree)
  return { tree, signedSize: tree.size }
}

function newLeaf(event: StoredEvent): NewLeaf {
  const { position, stream, revision, id: eventId } = event
  const leaf = Buffer.from(metadataOf(event).leaf, 'hex')
  return { position, stream, revision, eventId, leaf }
}

async function sign({ db, checkpointKeys, keep }: SigningDeps, tree: Growing): Promise<void> {
  const current = signerOf(tree.origin, checkpointKeys.current)
  const previous =
    checkpointKeys.previous === null ? null : signerOf(tree.origin, checkpointKeys.previous)
  await signCheckpoint(db, tree, { current, previous }, keep)
}
