import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
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

type Db = Kysely<Tables>

/** A stored position of the ledger, compared with the event there. */
type ComparedPlace = {
  /** The source of the position: the name of a projection, `sealed tree`, or `checkpoint`. */
  readonly what: string
  readonly expected: EventPlace
  /** The id of the event at this position; null if no event is there. */
  readonly found: string | null
}

/** What a recovery would do. */
export type Survey = {
  /** The open damage; null if none was detected. */
  readonly damage: Damage | null
  /** The stored positions that the ledger does not have. */
  readonly lostPlaces: readonly ComparedPlace[]
  /** The furthest stored position that the ledger has; null if it has none of them. */
  readonly held: Place | null
  /** How many events are sealed, and how many of them the ledger still has. */
  readonly sealed: { readonly size: number; readonly held: number }
  /** The last checkpoint whose events the ledger has; size 0 if there is no such checkpoint. */
  readonly proven: {
    readonly size: number
    readonly signedAt: Instant | null
  }
  /**
   * Where the sealed tree must be cut; null if the ledger has everything that was sealed and
   * signed.
   */
  readonly cut: { readonly size: number; readonly event: EventPlace | null } | null
  /**
   * The size of the largest checkpoint that the ledger does not prove; null if it proves all of
   * them.
   */
  readonly lostSize: number | null
  /** When the known checkpoints after the proven one were signed. */
  readonly lostSignedAt: { readonly first: Instant; readonly last: Instant } | null
  /**
   * When the ledger's last event was recorded. Events recorded between then and the damage are
   * lost.
   */
  readonly lastRecordedAt: string | null
  readonly isIntact: boolean
}

/**
 * Compares the ledger with every stored position of it. Reads only; safe beside the running
 * service.
 */
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

/**
 * How many of the sealed events, from the first on, the ledger has. Two histories share a
 * beginning.
 */
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

/** The last of the first `size` sealed events; null if `size` is 0. */
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

/** Events per read. */
const pageMax = 1_000
/**
 * Daily checkpoint files that are read. A mismatch in an older one would have been detected before.
 */
const filesMax = 3

/** The heads of all checkpoints in the database and in the folder. */
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

/**
 * The last checkpoint up to which the ledger proves every one, and those that it does not prove.
 */
async function compareCheckpoints(
  deps: FindDamageDeps,
  tree: Tree | null,
  held: number,
): Promise<Pick<Survey, 'proven' | 'lostSize' | 'lostSignedAt'>> {
  const none = { size: 0, signedAt: null }
  if (tree === null) return { proven: none, lostSize: null, lostSignedAt: null }
  const { db, store } = deps
  // Beyond the events that the ledger has, the sealed tree belongs to another history.
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

/** The tree as it was when it had only the events that the ledger still has. */
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

/** When the last event was recorded; null if the ledger is empty. */
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
