import type { Kysely } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import type { Instant } from '../domain/decider.ts'
import { ledgerPrefixes, shipmentIdOfStream, shipmentStreamPrefix } from '../domain/ids.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { positionOf, positionValue } from '../event-store/position.ts'
import { checkedEvent, type EventChecker, eventChecker } from './check-event.ts'
import { believedKeys } from './check-keys.ts'
import { OrderCheck, type Placed } from './check-order.ts'
import { tileCheck } from './check-tiles.ts'
import { type Claim, treeCheck } from './check-tree.ts'
import { keptNotes } from './checkpoint-files.ts'
import { checkpointKeys, checkpointsAfter, lastCheckpoint } from './checkpoints.ts'
import { atPosition, type Finding, type Findings, findings, type Where } from './findings.ts'
import { readNote, signerOf, type Verifier } from './signed-note.ts'
import { readTree, type Tree } from './tree.ts'

export type VerifyDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  /** The store numbers its events from 1 on without a gap. */
  readonly isContiguous: boolean
  /** Seed of the key that signs now: whoever changes the database has not got it. */
  readonly checkpointKey: Buffer
  /** That of the one before: until the new one has signed, it is the one that vouches. */
  readonly checkpointKeyPrevious?: Buffer | null
  /** Where checkpoints are kept outside the database; null = nowhere. */
  readonly checkpointDir: string | null
}

export type Verified = {
  readonly events: number
  /** Events at the end that no checkpoint covers yet: nobody has vouched for them. */
  readonly unsealed: number
  /** Checkpoints whose signature and tree are right, those from outside the database included. */
  readonly checkpoints: number
  readonly outside: Outside
  /** The first ones; the first of all is the first bad position. */
  readonly findings: readonly Finding[]
  /** How many there are, listed or not. */
  readonly problems: number
}

/**
 * What was kept outside the database. Only that vouches for the end of the ledger: whoever can change
 * the database can remove the last events together with their seals and checkpoints.
 */
export type Outside = {
  /** Checkpoints from there whose signature and tree are right. */
  readonly checkpoints: number
  /** Events that the last of them covers. */
  readonly events: number
  readonly signedAt: Instant | null
  /** The error code for which not everything there could be read; null = all was, or there is no folder. */
  readonly unreadable: string | null
}

/** Events that are read at once. */
const pageMax = 2_000
/** Checkpoints that are read at once. */
const checkpointPageMax = 1_000

/**
 * Checks the whole ledger against itself and against what was signed: each event's leaf, form and place
 * in its stream, the order in which events were sealed, the tree and its tiles, and every checkpoint, in
 * the database and in the folder outside it. Reads only; safe beside the running service.
 */
export async function verifyLedger(
  deps: VerifyDeps,
  progress: (position: Position | null, events: number) => void = () => undefined,
): Promise<Verified> {
  const { db, checkpointDir } = deps
  const found = findings()
  // What is sealed while this runs counts as not sealed: the tree is checked as it was at the beginning.
  const tree = await readTree(db)
  let checkpoints = 0
  let covered = 0
  const sources = [inDatabase(db)]
  const outside: Mutable<Outside> = { checkpoints: 0, events: 0, signedAt: null, unreadable: null }
  if (checkpointDir !== null) {
    sources.push(
      inFolder(checkpointDir, (code) => {
        outside.unreadable = code
      }),
    )
  }
  const check = await treeCheck({
    sources,
    verifiers: await ownKeys(deps, tree, found),
    found,
    confirmed(size, { isOutside, note }) {
      checkpoints++
      covered = Math.max(covered, size)
      if (!isOutside) return
      outside.checkpoints++
      if (size <= outside.events) return
      outside.events = size
      outside.signedAt = readNote(note)?.head.signedAt ?? null
    },
  })
  const checker = eventChecker(true)
  const order = new OrderCheck({
    db,
    size: tree?.size ?? 0,
    found,
    gone: checker.skip,
    lost: checker.lose,
  })
  const tiles = tileCheck(db, found)
  const rebuild = async () => tiles.add(await check.add(order.passed()))

  const events = await checkEvents({ ...deps, found, order, checker }, async (position, count) => {
    await rebuild()
    progress(position, count)
  })
  while (!(await order.end())) await rebuild()
  await rebuild()
  const size = tree?.size ?? 0
  if (check.size() !== size) {
    found.add(null, `${size} events were sealed, but only ${check.size()} seals are left`)
  }
  if (checkpoints > 0 && (await lastCheckpoint(db)) === null) {
    found.add(null, 'the database has lost its checkpoints: those outside it are still there')
  }
  // Signed while this ran.
  const sizeNow = (await readTree(db))?.size ?? 0
  await check.end((covered) => covered > size && covered <= sizeNow)
  await tiles.end()
  return {
    events,
    unsealed: Math.max(0, events - covered),
    checkpoints,
    outside,
    findings: found.list,
    problems: found.count,
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type EventsCheck = Pick<VerifyDeps, 'store' | 'isContiguous'> & {
  readonly found: Findings
  readonly order: OrderCheck
  readonly checker: EventChecker
}

/** Checks each event by itself and in its stream, and passes it on. Answers how many there are. */
async function checkEvents(
  { store, isContiguous, found, order, checker }: EventsCheck,
  afterPage: (position: Position | null, events: number) => Promise<void>,
): Promise<number> {
  let count = 0
  let before: Position | null = null
  for (let after: Position | null = null; ; ) {
    // A store of its own holds nothing but the ledger: what does not look like it is told.
    const own = isContiguous ? {} : { prefixes: ledgerPrefixes }
    const page = await store.readAll(after, { ...own, limit: pageMax, overGaps: true })
    if (page.last === after) return count
    for (const event of page.events) {
      // Only a store whose places are counted says which comes next.
      const expected = positionValue(isContiguous ? before : null) + 1n
      let gap: Position | null = null
      if (isContiguous && positionValue(event.position) !== expected) {
        gap = positionOf(expected)
      }
      before = event.position
      const told = found.count
      const placed = await order.event(event)
      // What was sealed here says more, where it is known.
      if (gap !== null && found.count === told && placed.problem === null) {
        found.add(atPosition(gap), `no event is here, and the next one is at ${event.position}`)
      }
      const problem = problemOf(event, placed, checker)
      if (problem !== null) found.add(whereOf(event, placed), problem)
    }
    count += page.events.length
    after = page.last
    await afterPage(after, page.events.length)
  }
}

/** The event's own problem comes first: what is wrong with its place follows from it. */
function problemOf(event: StoredEvent, placed: Placed, checker: EventChecker): string | null {
  const { sealedAs, isOutOfOrder } = placed
  const checked = checkedEvent(event)
  const place = sealedAs ?? event
  const isItself = place.stream === event.stream && place.revision === event.revision
  if (typeof checked !== 'string' && isItself && !isOutOfOrder) {
    return checker.problemOf(checked, sealedAs) ?? placed.problem
  }
  // Its stream goes on after the event that belongs here, of which nothing else is known.
  if (!isOutOfOrder) checker.skip({ stream: place.stream, revision: place.revision })
  if (typeof checked === 'string') return checked
  return checker.contentProblemOf(checked) ?? placed.problem
}

/** What is known of an event; which shipment it is of, its seal says best. */
function whereOf(event: StoredEvent, { sealedAs }: Placed): Where {
  const { recorded_at: recordedAt } = event.metadata
  const stream = (sealedAs ?? event).stream
  const isOfShipment = stream.startsWith(shipmentStreamPrefix)
  return {
    position: event.position,
    type: event.type,
    shipment_id: isOfShipment ? shipmentIdOfStream(stream) : null,
    recorded_at: typeof recordedAt === 'string' ? recordedAt : null,
  }
}

async function ownKeys(
  { db, checkpointKey, checkpointKeyPrevious: before = null }: VerifyDeps,
  tree: Tree | null,
  found: Findings,
): Promise<readonly Verifier[]> {
  if (tree === null) return []
  const keys = await checkpointKeys(db)
  const current = signerOf(tree.origin, checkpointKey)
  const hasSigned = keys.some(({ publicKey }) => publicKey.equals(current.publicKey))
  const anchor = hasSigned || before === null ? current : signerOf(tree.origin, before)
  return believedKeys(keys, anchor, found)
}

/** Checkpoints of what is sealed, from the smallest on. */
async function* inDatabase(db: Kysely<ReadModels>): AsyncGenerator<Claim> {
  for (let after = 0; ; ) {
    const page = await checkpointsAfter(db, after, checkpointPageMax)
    for (const { size, note } of page) {
      yield { note, where: `the checkpoint of ${size} events in the database`, isOutside: false }
      after = size
    }
    if (page.length < checkpointPageMax) return
  }
}

/** A folder that is gone or closed says nothing of the ledger: `unreadable` is told why. */
async function* inFolder(
  folder: string,
  unreadable: (code: string) => void,
): AsyncGenerator<Claim> {
  try {
    for await (const { file, notes } of keptNotes(folder)) {
      const sized = notes.map((note) => ({ note, size: readNote(note)?.head.size ?? 0 }))
      for (const { note, size } of sized.sort((a, b) => a.size - b.size)) {
        yield { note, where: `the checkpoint of ${size} events in ${file}`, isOutside: true }
      }
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    unreadable(code)
  }
}
