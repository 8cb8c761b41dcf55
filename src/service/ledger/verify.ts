import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import type { Instant } from '../domain/decider.ts'
import {
  auditStream,
  ledgerPrefixes,
  platform,
  shipmentIdOfStream,
  shipmentStreamPrefix,
} from '../domain/ids.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { positionOf, positionValue } from '../event-store/position.ts'
import { type Gap, recoveredGaps } from '../processes/recovery/damages.ts'
import { checkedEvent, type EventChecker, eventChecker } from './check/check-event.ts'
import { checkGaps, checkHeldOfLost, type HeldOfLost } from './check/check-gaps.ts'
import { holdsCheck } from './check/check-holds.ts'
import { believedKeys } from './check/check-keys.ts'
import { OrderCheck, type Placed } from './check/check-order.ts'
import { checkCosignatureRows, checkTreeRow, keyProblem } from './check/check-seal-rows.ts'
import { tileCheck } from './check/check-tiles.ts'
import { treeCheck } from './check/check-tree.ts'
import { inDatabase, inFolder } from './check/checkpoint-claims.ts'
import { checkpointKeys, lastCheckpoint } from './checkpoints.ts'
import { atPosition, type Finding, type Findings, findings, type Where } from './findings.ts'
import {
  checkHeld,
  type HeldCheckOptions,
  type HeldCheckpoint,
  type HeldResult,
  sizesOf,
} from './held-checkpoints.ts'
import { isOfGap } from './lost-checkpoints.ts'
import { readNote, signerOf, type TreeHead, type Verifier } from './signed-note.ts'
import { readTree, type Tree } from './tree.ts'

export type VerifyDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  /** The store numbers its events from 1 without gaps. */
  readonly isContiguous: boolean
  /** Seed of the current signing key: an attacker who can change the database does not have it. */
  readonly checkpointKey: Buffer
  /** Seed of the previous key: until the new one has signed, the previous one vouches. */
  readonly checkpointKeyPrevious?: Buffer | null
  /** Where checkpoints are kept outside the database; null = nowhere. */
  readonly checkpointDir: string | null
  /** Checkpoints in the hands of the user. */
  readonly held?: readonly HeldCheckpoint[]
  /** A public key that the user trusts: it may have signed held checkpoints. */
  readonly heldKey?: Verifier | null
}

export type Verified = {
  readonly events: number
  /** Events at the end that no checkpoint covers yet, so nothing vouches for them. */
  readonly unsealed: number
  /** Checkpoints with the right signature and tree, including those from outside the database. */
  readonly checkpoints: number
  readonly outside: Outside
  /** Those of the user that are of this history. */
  readonly held: readonly HeldCheckpoint[]
  /** Those of the user that cover events which the ledger has lost, and what is known of them. */
  readonly heldOfLost: readonly HeldOfLost[]
  /** What was lost before a person recovered the ledger: on record, so no problem. */
  readonly gaps: readonly Gap[]
  /** The first ones; the very first is the first bad position. */
  readonly findings: readonly Finding[]
  /** How many there are, listed or not. */
  readonly problems: number
}

/**
 * The checkpoints kept outside the database, in the folder or by the user. Only they vouch for the end of the ledger: with access
 * to the database, an attacker can remove the last events together with their seals and
 * checkpoints.
 */
type Outside = {
  /** Checkpoints there with the right signature and tree. */
  readonly checkpoints: number
  /** Events that the last of them covers. */
  readonly events: number
  readonly signedAt: Instant | null
  /** The error code if not everything there was readable; null = all was, or there is no folder. */
  readonly unreadable: string | null
}

/** Events read at once. */
const pageMax = 2_000

/**
 * Checks the whole ledger against itself and against the signatures: each event's leaf, form and
 * place in its stream, the order in which events were sealed, the tree and its tiles, and every
 * checkpoint: in the database, in the folder outside it, and those that the user holds. Reads only;
 * safe beside the running service.
 */
export async function verifyLedger(
  deps: VerifyDeps,
  progress: (position: Position | null, events: number) => void = () => undefined,
): Promise<Verified> {
  const { db } = deps
  const gaps = await recoveredGaps(db)
  const { held, heldOfLost } = heldApart(deps.held ?? [], gaps)
  const found = findings()
  // Events sealed meanwhile count as not sealed: the tree is checked as it was at the start.
  const tree = await readTree(db)
  const confirmed = confirmations()
  const isOfNow = (note: string) => !isOfGap(gaps, readNote(note)?.head)
  const sources = [
    inDatabase(db, found),
    ...inFolder(deps.checkpointDir, isOfNow, confirmed.unreadable),
  ]
  const verifiers = await ownKeys(deps, tree, found)
  const roots = new Map<number, Buffer>()
  const check = await treeCheck({
    sources,
    verifiers,
    found,
    confirmed: (_size, { note, isOutside }) => confirmed.add(readNote(note)?.head, isOutside),
    wanted: sizesOf(held),
    root: (at, root) => roots.set(at, root),
  })
  const size = tree?.size ?? 0
  const checker = eventChecker(true)
  const order = new OrderCheck({ db, size, found, gone: checker.skip, lost: checker.lose })
  const tiles = tileCheck(db, found)
  const rebuild = async () => tiles.add(await check.add(order.passed()))

  const recoveries = new Set<string>()
  const events = await checkEvents(
    { ...deps, found, order, checker, recoveries },
    async (position, count) => {
      await rebuild()
      progress(position, count)
    },
  )
  while (!(await order.end())) await rebuild()
  await rebuild()
  if (check.size() !== size) {
    found.add(null, `${size} events were sealed, but only ${check.size()} seals are left`)
  }
  checkGaps(gaps, recoveries, found)
  await checkRows(deps, { tree, found, hasCheckpoints: confirmed.checkpoints() > 0 })
  // Signed while this ran.
  const sizeNow = (await readTree(db))?.size ?? 0
  await check.end((covered) => covered > size && covered <= sizeNow)
  await tiles.end()
  const rootAt = (at: number) => roots.get(at) ?? null
  const against = { origin: tree?.origin ?? null, size: check.size(), rootAt }
  const trusted = deps.heldKey == null ? verifiers : [...verifiers, deps.heldKey]
  const own = heldOnes({ ...deps, held }, trusted, against, found)
  for (const { head } of own.confirmed) confirmed.add(head, true)
  return {
    events,
    unsealed: Math.max(0, events - confirmed.covered()),
    checkpoints: confirmed.checkpoints(),
    outside: confirmed.outside,
    held: own.confirmed,
    heldOfLost: await checkHeldOfLost(db, { gaps, held: heldOfLost, verifiers: trusted, found }),
    gaps,
    findings: found.list,
    problems: found.count,
  }
}

function heldOnes(
  { held = [] }: VerifyDeps,
  verifiers: readonly Verifier[],
  against: Omit<HeldCheckOptions['against'], 'what'>,
  found: Findings,
): HeldResult {
  return checkHeld({
    held,
    verifiers,
    found,
    against: { what: 'ledger', ...against },
  })
}

/** Those of what was lost before a recovery are compared with that. */
function heldApart(all: readonly HeldCheckpoint[], gaps: readonly Gap[]) {
  const isOfLost = ({ head }: HeldCheckpoint) => isOfGap(gaps, head)
  return { heldOfLost: all.filter(isOfLost), held: all.filter((one) => !isOfLost(one)) }
}

type RowsCheck = {
  readonly tree: Tree | null
  readonly found: Findings
  readonly hasCheckpoints: boolean
}

async function checkRows(
  deps: Pick<VerifyDeps, 'db' | 'store'>,
  { tree, found, hasCheckpoints }: RowsCheck,
): Promise<void> {
  if (tree !== null) await checkTreeRow(deps, tree, found)
  await checkCosignatureRows(deps.db, found)
  if (hasCheckpoints && (await lastCheckpoint(deps.db)) === null) {
    found.add(null, 'the database has lost its checkpoints: those outside it are still there')
  }
}

/** Counts the correct checkpoints, and how far they reach. */
function confirmations() {
  const outside: Mutable<Outside> = { checkpoints: 0, events: 0, signedAt: null, unreadable: null }
  let checkpoints = 0
  let covered = 0
  return {
    outside,
    checkpoints: () => checkpoints,
    covered: () => covered,
    add(head: TreeHead | undefined, isOutside: boolean): void {
      checkpoints++
      covered = Math.max(covered, head?.size ?? 0)
      if (!isOutside) return
      outside.checkpoints++
      if (head === undefined || head.size <= outside.events) return
      outside.events = head.size
      outside.signedAt = head.signedAt
    },
    unreadable(code: string): void {
      outside.unreadable = code
    },
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type EventsCheck = Pick<VerifyDeps, 'store' | 'isContiguous'> & {
  readonly found: Findings
  readonly order: OrderCheck
  readonly checker: EventChecker
  /** Gets the damages that events of the platform say a person has recovered. */
  readonly recoveries: Set<string>
}

/** Checks each event by itself and in its stream, and passes it on. Returns how many there are. */
async function checkEvents(
  { store, isContiguous, found, order, checker, recoveries }: EventsCheck,
  afterPage: (position: Position | null, events: number) => Promise<void>,
): Promise<number> {
  let count = 0
  let before: Position | null = null
  const holdProblem = holdsCheck()
  for (let after: Position | null = null; ; ) {
    // A separate store holds only the ledger: any other content is reported.
    const own = isContiguous ? {} : { prefixes: ledgerPrefixes }
    const page = await store.readAll(after, { ...own, limit: pageMax, overGaps: true })
    if (page.last === after) return count
    for (const event of page.events) {
      // Only a store with consecutive positions says which one comes next.
      const expected = positionValue(isContiguous ? before : null) + 1n
      let gap: Position | null = null
      if (isContiguous && positionValue(event.position) !== expected) {
        gap = positionOf(expected)
      }
      before = event.position
      if (event.type === 'LedgerRecovered' && event.stream === auditStream(platform)) {
        recoveries.add(String(event.data.damage_id))
      }
      const told = found.count
      const placed = await order.event(event)
      // The place sealed here says more, if it is known.
      if (gap !== null && found.count === told && placed.problem === null) {
        found.add(atPosition(gap), `no event is here, and the next one is at ${event.position}`)
      }
      const problem = problemOf(event, placed, checker) ?? holdProblem(event)
      if (problem !== null) found.add(whereOf(event, placed), problem)
    }
    count += page.events.length
    after = page.last
    await afterPage(after, page.events.length)
  }
}

/** The event's own problem comes first: problems with its place follow from it. */
function problemOf(event: StoredEvent, placed: Placed, checker: EventChecker): string | null {
  const { sealedAs, isOutOfOrder } = placed
  const checked = checkedEvent(event)
  const place = sealedAs ?? event
  const isItself = place.stream === event.stream && place.revision === event.revision
  if (typeof checked !== 'string' && isItself && !isOutOfOrder) {
    return checker.problemOf(checked, sealedAs) ?? placed.problem
  }
  // Its stream continues after the event that belongs here, about which nothing else is known.
  if (!isOutOfOrder) checker.skip({ stream: place.stream, revision: place.revision })
  if (typeof checked === 'string') return checked
  return checker.contentProblemOf(checked) ?? placed.problem
}

/** What is known about an event; its seal is the best source for its shipment. */
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
  for (const key of keys) {
    const problem = keyProblem(key)
    if (problem !== null) found.add(null, problem)
  }
  const current = signerOf(tree.origin, checkpointKey)
  const hasSigned = keys.some(({ publicKey }) => publicKey.equals(current.publicKey))
  const anchor = hasSigned || before === null ? current : signerOf(tree.origin, before)
  return believedKeys(keys, anchor, found)
}
