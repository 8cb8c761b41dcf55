import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import {
  type EventPlace,
  type EventStore,
  HistoryDiverged,
  type Position,
} from '../../event-store/event-store.ts'
import {
  damageOf,
  type FoundDamage,
  noDamage,
  recoveredGaps,
} from '../../processes/recovery/damages.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import { newestNotes } from '../checkpoint-files.ts'
import { isOfGap } from '../lost-checkpoints.ts'
import { readNote, signersOf, type Verifier } from '../signed-note.ts'
import { placeOfTree, readTree, sealedFrom, type Tree } from '../tree.ts'
import { type RootOfLedger, rootOfLedger } from './root-of-ledger.ts'

type Db = Kysely<Tables>
type Store = Pick<EventStore, 'end' | 'eventAt' | 'readAll'>

export type FindDamageDeps = {
  readonly db: Db
  readonly store: Store
  /** The folder for checkpoints outside the database; null if none is configured. */
  readonly checkpointDir: string | null
  /** The current signing keys for a tree of that name. Notes signed by other keys are ignored. */
  readonly verifiers: (origin: string) => readonly Verifier[]
}

/** More than one file, because a daily file may be named after a clock that was wrong. */
const filesMax = 3

/**
 * Compares the ledger with every position of it that is stored elsewhere: those of the projections
 * and of the sealed tree, and the newest checkpoint in the folder. Null if the ledger has all of
 * them. Reads only.
 */
export async function findDamage(deps: FindDamageDeps): Promise<FoundDamage | null> {
  return (
    (await damageOfProjections(deps)) ?? (await damageOfTree(deps)) ?? (await damageOfFiles(deps))
  )
}

async function damageOfProjections({ db, store }: FindDamageDeps): Promise<FoundDamage | null> {
  const statuses = (await projectionStatuses(db)).filter(({ active }) => active)
  const end = (await store.end()) ?? ''
  const compared = new Set<string>()
  for (const { place } of statuses) {
    if (place === null) continue
    if (place.event === null) {
      // Stored by a version that did not store event ids, or before the ledger's first event.
      if (!(await hasPosition(store, place.position, end))) {
        return { ...noDamage, source: 'projection', expectedPosition: place.position }
      }
      continue
    }
    if (compared.has(place.event.id)) continue
    compared.add(place.event.id)
    const diverged = await divergence(store, place.event)
    if (diverged !== null) return damageOf('projection', diverged)
  }
  return null
}

/** Whether the ledger still has a position that was stored without its event's id. */
export async function hasPosition(
  store: Pick<Store, 'readAll'>,
  position: Position,
  end: Position,
): Promise<boolean> {
  if (position > end) return false
  try {
    await store.readAll(position, { limit: 1 })
    return true
  } catch (error) {
    if (error instanceof HistoryDiverged) return false
    throw error
  }
}

/** How the ledger differs from a stored position; null if it has the event. */
export async function divergence(
  store: Pick<Store, 'eventAt'>,
  expected: EventPlace,
): Promise<HistoryDiverged | null> {
  const found = (await store.eventAt(expected.position))?.id ?? null
  return found === expected.id ? null : new HistoryDiverged(expected, found)
}

async function damageOfTree({ db, store }: FindDamageDeps): Promise<FoundDamage | null> {
  const tree = await readTree(db)
  if (tree === null || tree.size === 0) return null
  const event = placeOfTree(tree)?.event ?? null
  if (event !== null) {
    const diverged = await divergence(store, event)
    return diverged === null
      ? null
      : { ...damageOf('sealed_tree', diverged), expectedSize: tree.size }
  }
  const [last] = await sealedFrom(db, tree.size - 1, 1)
  // `verify` reports a missing seal.
  if (last === undefined || (await holdsSealed(store, last))) return null
  return {
    ...noDamage,
    source: 'sealed_tree',
    expectedPosition: last.position,
    expectedSize: tree.size,
  }
}

/** Whether the ledger still has the event that was sealed there, compared by leaf. */
export async function holdsSealed(
  store: Pick<Store, 'eventAt'>,
  sealed: { readonly position: string; readonly leaf: Buffer },
): Promise<boolean> {
  const found = await store.eventAt(sealed.position)
  return found?.metadata.leaf === sealed.leaf.toString('hex')
}

/**
 * Compares the newest checkpoint in the folder, which a restore of the database does not roll back.
 */
export async function damageOfFiles(
  deps: Pick<FindDamageDeps, 'db' | 'store' | 'checkpointDir' | 'verifiers'>,
): Promise<FoundDamage | null> {
  const { db, store, checkpointDir } = deps
  const tree = await readTree(db)
  if (checkpointDir === null || tree === null) return null
  const head = await newestHead(deps, checkpointDir, tree)
  if (head === null) return null
  const roots = rootOfLedger({ db, store, tree })
  return (await isProved(roots, head))
    ? null
    : { ...noDamage, source: 'checkpoint_file', expectedSize: head.size }
}

export async function isProved(
  roots: RootOfLedger,
  head: { readonly size: number; readonly root: Buffer },
): Promise<boolean> {
  return (await roots(head.size))?.equals(head.root) ?? false
}

async function newestHead(
  { db, verifiers }: Pick<FindDamageDeps, 'db' | 'verifiers'>,
  checkpointDir: string,
  { origin }: Tree,
) {
  const gaps = await recoveredGaps(db)
  const trusted = verifiers(origin)
  const heads = (await newestNotes(checkpointDir, filesMax)).flatMap((note) => {
    const read = readNote(note)
    if (read?.head.origin !== origin || signersOf(read, trusted).length === 0) return []
    return isOfGap(gaps, read.head) ? [] : [read.head]
  })
  return heads.toSorted((a, b) => b.size - a.size)[0] ?? null
}
