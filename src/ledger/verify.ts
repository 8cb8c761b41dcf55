import type { Kysely } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { ledgerPrefixes } from '../domain/ids.ts'
import type { EventStore, Position } from '../event-store/event-store.ts'
import { positionOf, positionValue } from '../event-store/position.ts'
import { checkedEvent, eventChecker } from './check-event.ts'
import { believedKeys } from './check-keys.ts'
import { type OrderCheck, orderCheck } from './check-order.ts'
import { tileCheck } from './check-tiles.ts'
import { type Claim, treeCheck } from './check-tree.ts'
import { keptNotes } from './checkpoint-files.ts'
import { checkpointKeys, checkpointsAfter, lastCheckpoint } from './checkpoints.ts'
import { type Finding, type Findings, findings } from './findings.ts'
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
  /** Checkpoints whose signature and tree are right. */
  readonly checkpoints: number
  /** The first ones; the first of all is the first bad position. */
  readonly findings: readonly Finding[]
  /** How many there are, listed or not. */
  readonly problems: number
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
  if (checkpointDir !== null) sources.push(inFolder(checkpointDir, found))
  const check = await treeCheck({
    sources,
    verifiers: await ownKeys(deps, tree, found),
    found,
    confirmed(size) {
      checkpoints++
      covered = Math.max(covered, size)
    },
  })
  const order = orderCheck(db, tree?.size ?? 0, found)
  const tiles = tileCheck(db, found)
  const rebuild = async () => tiles.add(await check.add(order.passed()))

  const events = await checkEvents(deps, found, order, async (position, count) => {
    await rebuild()
    progress(position, count)
  })
  while (!(await order.end())) await rebuild()
  await rebuild()
  const size = tree?.size ?? 0
  if (check.size() !== size) {
    found.add(null, `${size} events were sealed, and the places of ${check.size()} are there`)
  }
  if (checkpoints > 0 && (await lastCheckpoint(db)) === null) {
    found.add(null, 'the folder has checkpoints, and the database has lost its own')
  }
  // Signed while this ran.
  const sizeNow = (await readTree(db))?.size ?? 0
  await check.end((covered) => covered > size && covered <= sizeNow)
  await tiles.end()
  return {
    events,
    unsealed: Math.max(0, events - covered),
    checkpoints,
    findings: found.list,
    problems: found.count,
  }
}

/** Checks each event by itself and in its stream, and passes it on. Answers how many there are. */
async function checkEvents(
  { store, isContiguous }: VerifyDeps,
  found: Findings,
  order: OrderCheck,
  afterPage: (position: Position | null, events: number) => Promise<void>,
): Promise<number> {
  const problemOf = eventChecker(true)
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
      if (isContiguous && positionValue(event.position) !== expected) {
        found.add(
          positionOf(expected),
          `no event stands here, and one follows at ${event.position}`,
        )
      }
      before = event.position
      await order.event(event)
      const checked = checkedEvent(event)
      const problem = typeof checked === 'string' ? checked : problemOf(checked)
      if (problem !== null) found.add(event.position, problem)
    }
    count += page.events.length
    after = page.last
    await afterPage(after, page.events.length)
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
      yield { note, where: `the checkpoint of ${size} events in the database` }
      after = size
    }
    if (page.length < checkpointPageMax) return
  }
}

/** That a folder is gone, or closed, is told: what stood in it is not compared. */
async function* inFolder(folder: string, found: Findings): AsyncGenerator<Claim> {
  try {
    for await (const { file, notes } of keptNotes(folder)) {
      const sized = notes.map((note) => ({ note, size: readNote(note)?.head.size ?? 0 }))
      for (const { note, size } of sized.sort((a, b) => a.size - b.size)) {
        yield { note, where: `the checkpoint of ${size} events in ${file}` }
      }
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    found.add(null, `the checkpoints outside the database cannot be read (${code})`)
  }
}
