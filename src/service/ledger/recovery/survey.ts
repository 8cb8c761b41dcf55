import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { Instant } from '../../domain/decider.ts'
import {
  type EventPlace,
  type EventStore,
  type Place,
  placeAt,
} from '../../event-store/event-store.ts'
import { type Damage, readCondition, recoveredGaps } from '../../processes/recovery/damages.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import { lastNotes } from '../checkpoint-files.ts'
import { allCheckpoints } from '../checkpoints.ts'
import { isOfGap } from '../lost-checkpoints.ts'
import { readNote, signersOf, type TreeHead } from '../signed-note.ts'
import { placeOfTree, readTree, type Sealed, sealedFrom, type Tree } from '../tree.ts'
import { divergence, type FindDamageDeps, holdsSealed, isProved } from './find-damage.ts'
import { rootOfLedger } from './root-of-ledger.ts'

type Db = Kysely<ReadModels>

/** A place that is remembered, and what the ledger has there. */
type ComparedPlace = {
  /** What remembers it: the name of a projection, `sealed tree`, or `checkpoint`. */
  readonly what: string
  readonly expected: EventPlace
  /** The id of the event that is there; null = there is none. */
  readonly found: string | null
}

/** What a recovery would do, found out without changing anything. */
export type Survey = {
  /** The open damage; null = none was noticed. */
  readonly damage: Damage | null
  /** The remembered places that the ledger does not hold. */
  readonly lostPlaces: readonly ComparedPlace[]
  /** The furthest place that is remembered and that the ledger holds; null = none. */
  readonly held: Place | null
  /** How many events are sealed, and how many of them the ledger still holds. */
  readonly sealed: { readonly size: number; readonly held: number }
  /** The last checkpoint whose events the ledger holds; size 0 = there is none. */
  readonly proven: {
    readonly size: number
    readonly signedAt: Instant | null
  }
  /** Where the seal must be cut off; null = all that was sealed and signed is held. */
  readonly cut: { readonly size: number; readonly event: EventPlace | null } | null
  /** The largest size that a checkpoint covers and the ledger does not prove; null = none does. */
  readonly lostSize: number | null
  /** When the checkpoints after the proven one were signed, as far as they are known. */
  readonly lostSignedAt: { readonly first: Instant; readonly last: Instant } | null
  /** The last event that the ledger holds: what was recorded after it, and before the damage, is lost. */
  readonly lastRecordedAt: string | null
  readonly isIntact: boolean
}

/** Compares all that is remembered of the ledger with it. Reads only; safe beside the running service. */
export async function surveyLedger(deps: FindDamageDeps): Promise<Survey> {
  const { db, store } = deps
  const { damage } = await readCondition(db)
  const tree = await readTree(db)
  const sealed = { size: tree?.size ?? 0, held: tree === null ? 0 : await heldOf(db, store, tree) }
  const places = await comparedPlaces(db, store, tree)
  const lastHeld = await lastOf(db, store, sealed.held)
  const held = [...places.filter(holds).map(({ expected }) => expected), lastHeld]
    .filter((event) => event !== null)
    .toSorted((a, b) => (a.position < b.position ? -1 : 1))
    .at(-1)
  const checkpoints = await compareCheckpoints(deps, tree, sealed.held)
  const isCut = sealed.held < sealed.size || checkpoints.lostSize !== null
  const cutSize = Math.min(checkpoints.proven.size, sealed.held)
  return {
    damage,
    lostPlaces: places.filter((place) => !holds(place)),
    held: held === undefined ? null : { position: held.position, event: held },
    sealed,
    ...checkpoints,
    cut: isCut ? { size: cutSize, event: await lastOf(db, store, cutSize) } : null,
    lastRecordedAt: await lastRecordedAt(store, held ?? null),
    isIntact: damage === null && places.every(holds) && !isCut,
  }
}

function holds({ expected, found }: ComparedPlace): boolean {
  return found === expected.id
}

async function comparedPlaces(
  db: Db,
  store: Pick<EventStore, 'eventAt'>,
  tree: Tree | null,
): Promise<readonly ComparedPlace[]> {
  const statuses = (await projectionStatuses(db)).filter(({ active }) => active)
  const remembered = statuses.map(({ name, place }) => ({ what: name, event: place?.event }))
  const treeEvent = tree === null ? null : placeOfTree(tree)?.event
  const all = [...remembered, { what: 'sealed tree', event: treeEvent }]
  const compared: ComparedPlace[] = []
  for (const { what, event } of all) {
    if (!event) continue
    const diverged = await divergence(store, event)
    compared.push({ what, expected: event, found: diverged === null ? event.id : diverged.found })
  }
  return compared
}

/** How many of the sealed events the ledger holds from the first on: two histories share a beginning. */
async function heldOf(db: Db, store: Pick<EventStore, 'eventAt'>, tree: Tree): Promise<number> {
  let [low, high] = [0, tree.size]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [sealed] = await sealedFrom(db, middle, 1)
    if (sealed !== undefined && (await holdsSealed(store, sealed))) low = middle + 1
    else high = middle
  }
  return low
}

/** The last of the first `size` sealed events; null if there are none. */
async function lastOf(
  db: Db,
  store: Pick<EventStore, 'eventAt'>,
  size: number,
): Promise<EventPlace | null> {
  if (size === 0) return null
  const [sealed] = await sealedFrom(db, size - 1, 1)
  return sealed === undefined ? null : await placeOfSealed(store, sealed)
}

async function placeOfSealed(
  store: Pick<EventStore, 'eventAt'>,
  { position }: Sealed,
): Promise<EventPlace | null> {
  const event = await store.eventAt(position)
  return event === null ? null : { position, id: event.id }
}

/** Events read at once. */
const pageMax = 1_000
/** Days of checkpoint files: an older one that is not of this history would have been noticed. */
const filesMax = 3

/** The heads of all checkpoints that are known, in the database and in the folder. */
async function knownHeads(
  { db, checkpointDir, verifiers }: FindDamageDeps,
  { origin }: Tree,
): Promise<readonly TreeHead[]> {
  const heads: TreeHead[] = []
  for await (const { note } of allCheckpoints(db)) {
    const head = readNote(note)?.head
    if (head?.origin === origin) heads.push(head)
  }
  const trusted = verifiers(origin)
  const files = checkpointDir === null ? [] : await lastNotes(checkpointDir, filesMax)
  for (const note of files) {
    const read = readNote(note)
    if (read?.head.origin === origin && signersOf(read, trusted).length > 0) heads.push(read.head)
  }
  const gaps = await recoveredGaps(db)
  return heads.filter((head) => !isOfGap(gaps, head))
}

/** The last checkpoint up to which the ledger proves all of them, and those that it does not prove. */
async function compareCheckpoints(
  deps: FindDamageDeps,
  tree: Tree | null,
  held: number,
): Promise<Pick<Survey, 'proven' | 'lostSize' | 'lostSignedAt'>> {
  const none = { size: 0, signedAt: null }
  if (tree === null) return { proven: none, lostSize: null, lostSignedAt: null }
  const { db, store } = deps
  // Beyond what the ledger holds, the sealed tree is of another history.
  const roots = rootOfLedger({ db, store, tree: await cutTree(db, store, tree, held) })
  const lost: TreeHead[] = []
  let proven: TreeHead | null = null
  for (const head of (await knownHeads(deps, tree)).toSorted((a, b) => a.size - b.size)) {
    if (!(await isProved(roots, head))) lost.push(head)
    else if (lost.length === 0) proven = head
  }
  const times = lost.map(({ signedAt }) => signedAt)
  return {
    proven: { size: proven?.size ?? 0, signedAt: proven?.signedAt ?? null },
    lostSize: lost.at(-1)?.size ?? (held < tree.size ? tree.size : null),
    lostSignedAt:
      times.length === 0 ? null : { first: Math.min(...times), last: Math.max(...times) },
  }
}

/** The tree as it was when it had only the events that the ledger holds. */
async function cutTree(
  db: Db,
  store: Pick<EventStore, 'eventAt'>,
  tree: Tree,
  size: number,
): Promise<Tree> {
  if (size === tree.size && tree.eventId !== null) return tree
  const last = await lastOf(db, store, size)
  return { ...tree, size, position: last?.position ?? null, eventId: last?.id ?? null }
}

/** When the last event was recorded; null = the ledger is empty. */
async function lastRecordedAt(
  store: Pick<EventStore, 'eventAt' | 'readAll'>,
  held: EventPlace | null,
): Promise<string | null> {
  let last = held === null ? null : await store.eventAt(held.position)
  for (let after = held === null ? null : placeAt(held); ; ) {
    const page = await store.readAll(after, { limit: pageMax })
    last = page.events.at(-1) ?? last
    if (page.last === (after?.position ?? null)) break
    after = page.place
  }
  const { recorded_at: recordedAt } = last?.metadata ?? {}
  return typeof recordedAt === 'string' ? recordedAt : null
}
