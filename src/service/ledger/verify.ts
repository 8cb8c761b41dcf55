import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
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
import { checkGaps, checkTrustedOfLost, type TrustedOfLost } from './check/check-gaps.ts'
import { holdsCheck } from './check/check-holds.ts'
import { believedKeys } from './check/check-keys.ts'
import { OrderCheck, type Placed } from './check/check-order.ts'
import { checkCosignatureRows, checkTreeRow, keyProblem } from './check/check-seal-rows.ts'
import { tileCheck } from './check/check-tiles.ts'
import { treeCheck } from './check/check-tree.ts'
import { inDatabase, inFolder } from './check/checkpoint-claims.ts'
import { checkpointKeys, lastCheckpoint } from './checkpoints.ts'
import { atPosition, type Finding, type Findings, findings, type Where } from './findings.ts'
import { isOfGap } from './lost-checkpoints.ts'
import { readNote, signerOf, type TreeHead, type Verifier } from './signed-note.ts'
import { readTree, type Tree } from './tree.ts'
import {
  checkTrusted,
  sizesOf,
  type TrustedCheckOptions,
  type TrustedCheckpoint,
  type TrustedCheckResult,
} from './trusted-checkpoints.ts'

export type VerifyDeps = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  /** Whether the store numbers its events from 1 without gaps. */
  readonly isContiguous: boolean
  /**
   * The seed of the current signing key, which an attacker with access to the database does not
   * have.
   */
  readonly checkpointKey: Buffer
  /** The seed of the previous key, which is trusted until the new one has signed. */
  readonly checkpointKeyPrevious?: Buffer | null
  /** The folder for checkpoints outside the database; null if none is configured. */
  readonly checkpointDir: string | null
  /** Checkpoints that the user holds. */
  readonly held?: readonly TrustedCheckpoint[]
  /** A public key that the user trusts, which may have signed held checkpoints. */
  readonly heldKey?: Verifier | null
}

export type Verified = {
  readonly events: number
  /** Events at the end that no checkpoint covers yet, so nothing proves that they are unchanged. */
  readonly unsealed: number
  /**
   * Checkpoints with a valid signature and the right tree, including those outside the database.
   */
  readonly checkpoints: number
  readonly outside: Outside
  /** The user's checkpoints that belong to this history. */
  readonly held: readonly TrustedCheckpoint[]
  /** The user's checkpoints that cover events that the ledger has lost. */
  readonly heldOfLost: readonly TrustedOfLost[]
  /** Losses that were recorded when the ledger was recovered, and so are not problems. */
  readonly gaps: readonly Gap[]
  /** The first findings. The first one has the first bad position. */
  readonly findings: readonly Finding[]
  /** The number of problems, including those that are not listed. */
  readonly problems: number
}

/**
 * The checkpoints stored outside the database, in the folder or by the user. Only they prove that
 * the end of the ledger is complete: with access to the database, an attacker can remove the last
 * events together with their seals and checkpoints.
 */
type Outside = {
  /** Checkpoints there with a valid signature and the right tree. */
  readonly checkpoints: number
  /** The number of events that the last of them covers. */
  readonly events: number
  readonly signedAt: Instant | null
  /** The error code if something there could not be read; otherwise, or without a folder, null. */
  readonly unreadable: string | null
}

/** Events per read. */
const pageMax = 2_000

/**
 * Checks the whole ledger: each event's leaf, form and place in its stream, the order in which
 * events were sealed, the tree and its tiles, and every signed checkpoint: in the database, in the
 * folder outside it, and those that the user holds. Reads only; safe beside the running service.
 */
export async function verifyLedger(
  deps: VerifyDeps,
  progress: (position: Position | null, events: number) => void = () => undefined,
): Promise<Verified> {
  const { db } = deps
  const gaps = await recoveredGaps(db)
  const { held, heldOfLost } = trustedApart(deps.held ?? [], gaps)
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
  // Checkpoints may have been signed while this ran.
  const sizeNow = (await readTree(db))?.size ?? 0
  await check.end((covered) => covered > size && covered <= sizeNow)
  await tiles.end()
  const rootAt = (at: number) => roots.get(at) ?? null
  const against = { origin: tree?.origin ?? null, size: check.size(), rootAt }
  const trusted = deps.heldKey == null ? verifiers : [...verifiers, deps.heldKey]
  const own = trustedOnes({ ...deps, held }, trusted, against, found)
  for (const { head } of own.confirmed) confirmed.add(head, true)
  return {
    events,
    unsealed: Math.max(0, events - confirmed.covered()),
    checkpoints: confirmed.checkpoints(),
    outside: confirmed.outside,
    held: own.confirmed,
    heldOfLost: await checkTrustedOfLost(db, { gaps, held: heldOfLost, verifiers: trusted, found }),
    gaps,
    findings: found.list,
    problems: found.count,
  }
}

function trustedOnes(
  { held = [] }: VerifyDeps,
  verifiers: readonly Verifier[],
  against: Omit<TrustedCheckOptions['against'], 'what'>,
  found: Findings,
): TrustedCheckResult {
  return checkTrusted({
    held,
    verifiers,
    found,
    against: { what: 'ledger', ...against },
  })
}

/** Separates checkpoints of lost events, which are compared with the lost history. */
function trustedApart(all: readonly TrustedCheckpoint[], gaps: readonly Gap[]) {
  const isOfLost = ({ head }: TrustedCheckpoint) => isOfGap(gaps, head)
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

/** Counts the correct checkpoints and the events that they cover. */
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
  /** Filled with the damages whose recovery is recorded in the platform's events. */
  readonly recoveries: Set<string>
}

/**
 * Checks each event by itself and in its stream, and passes it on. Returns the number of events.
 */
async function checkEvents(
  { store, isContiguous, found, order, checker, recoveries }: EventsCheck,
  afterPage: (position: Position | null, events: number) => Promise<void>,
): Promise<number> {
  let count = 0
  let before: Position | null = null
  const holdProblem = holdsCheck()
  for (let after: Position | null = null; ; ) {
    // A store of its own has only the ledger, so any other event is reported.
    const own = isContiguous ? {} : { prefixes: ledgerPrefixes }
    const page = await store.readAll(after, { ...own, limit: pageMax, overGaps: true })
    if (page.last === after) return count
    for (const event of page.events) {
      // Only a store with consecutive positions shows a gap.
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
      // A problem with the sealed place says more, so it takes precedence.
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
  // The stream continues after the event that belongs here. Only its place is known.
  if (!isOutOfOrder) checker.skip({ stream: place.stream, revision: place.revision })
  if (typeof checked === 'string') return checked
  return checker.contentProblemOf(checked) ?? placed.problem
}

/** The place of a finding. The seal is the best source for the shipment. */
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
