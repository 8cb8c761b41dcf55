import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { instant } from '../domain/decider.ts'
import { ledgerPrefixes, shipmentStream } from '../domain/ids.ts'
import { inclusionRanges } from '../domain/ledger/merkle.ts'
import { leafHolds, ledgerEventObject, metadataOf } from '../event-store/codec.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { type Checkpoint, checkpointKeys, lastCheckpoint } from './checkpoints.ts'
import {
  type EventLine,
  type ExportFooter,
  type ExportHeader,
  exportFormat,
} from './export-format.ts'
import { verifierText } from './signed-note.ts'
import { type Sealed, sealedAt, sealedFrom, TreeReader } from './tree.ts'

type ExportDeps = { readonly db: Kysely<ReadModels>; readonly store: EventStore }
type ExportOptions = {
  /** Called with the position read so far, and the number of events at once. */
  readonly progress?: (position: Position | null, events: number) => void
  /** Called when the file is complete and before it appears: if this throws, it does not appear. */
  readonly record?: (exported: Exported) => Promise<void>
  /** Cancels it; nothing is left then. */
  readonly signal?: AbortSignal
}
export type ExportScope = ExportHeader['scope']
export type Exported = ExportFooter & {
  readonly treeSize: number
  /** Of the file, in hexadecimal. */
  readonly sha256: string
}

/** Events read at once. */
const pageMax = 1_000

/**
 * Writes the requested scope as lines of JSON, with its proofs, to a file that appears when it is
 * complete. Events that the last checkpoint does not cover yet are counted and left out. Throws
 * NotExportable when the ledger differs from its seals: `verify` then says more.
 */
export async function exportLedger(
  deps: ExportDeps,
  file: string,
  scope: ExportScope,
  options: ExportOptions = {},
): Promise<Exported> {
  const checkpoint = await lastCheckpoint(deps.db)
  // Read after the checkpoint, so that it includes everything covered; later events are left out.
  const upTo = await deps.store.head()
  if (checkpoint !== null && checkpoint.position > (upTo ?? '')) {
    throw new NotExportable(
      'The ledger ends before its last checkpoint: "verify" says what is wrong.',
    )
  }
  const unfinished = `${file}.${process.pid}.unfinished`
  const counts = { events: 0, not_sealed: 0 }
  const hash = createHash('sha256')
  const hashedLines = async function* () {
    for await (const line of linesOf({ ...deps, ...options, upTo }, scope, checkpoint, counts)) {
      hash.update(line)
      yield line
    }
  }
  try {
    const target = createWriteStream(unfinished, { mode: 0o600, flush: true })
    const { signal } = options
    await pipeline(hashedLines, target, signal === undefined ? {} : { signal })
    const exported = { ...counts, treeSize: checkpoint?.size ?? 0, sha256: hash.digest('hex') }
    await options.record?.(exported)
    await rename(unfinished, file)
    return exported
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
}

export class NotExportable extends Error {
  override readonly name = 'NotExportable'
}

type UpTo = ExportDeps & { readonly upTo: Position | null }

async function* linesOf(
  deps: UpTo & Pick<ExportOptions, 'progress'>,
  scope: ExportScope,
  checkpoint: Checkpoint | null,
  counts: { events: number; not_sealed: number },
): AsyncGenerator<string> {
  yield `${JSON.stringify(await headerOf(deps.db, scope, checkpoint))}\n`
  const isWhole = Object.values(scope).every((value) => value === null)
  const reader = new TreeReader(deps.db)
  for await (const page of scope.shipment_id === null
    ? inOrder(deps)
    : ofShipment(deps, scope.shipment_id)) {
    for (const { event, sealed } of page) {
      if (isAfter(event.position, deps.upTo) || !isWithin(scope, event)) continue
      if (checkpoint === null || sealed === null || sealed.index >= checkpoint.size) {
        counts.not_sealed++
        continue
      }
      const path = inclusionRanges(sealed.index, checkpoint.size)
      const proof = isWhole ? null : await reader.rootsOf(path)
      counts.events++
      yield `${JSON.stringify(lineOf(event, sealed, proof))}\n`
    }
    deps.progress?.(page.at(-1)?.event.position ?? null, page.length)
  }
  yield `${JSON.stringify(counts satisfies ExportFooter)}\n`
}

async function headerOf(
  db: ExportDeps['db'],
  scope: ExportScope,
  checkpoint: Checkpoint | null,
): Promise<ExportHeader> {
  const keys = await checkpointKeys(db)
  return {
    format: exportFormat,
    exported_at: new Date().toISOString(),
    scope,
    checkpoint: checkpoint?.note ?? null,
    keys: keys.map((key) => ({ verifier: verifierText(key), introduced_by: key.introducedBy })),
  }
}

function lineOf(event: StoredEvent, sealed: Sealed, proof: readonly Buffer[] | null): EventLine {
  return {
    stream: event.stream,
    organization_id: metadataOf(event).organization_id,
    leaf_index: sealed.index,
    ...(proof === null ? {} : { proof: proof.map((hash) => hash.toString('hex')) }),
    event: ledgerEventObject(event) as EventLine['event'],
  }
}

function isAfter(position: Position | null, upTo: Position | null): boolean {
  return position !== null && upTo !== null && position > upTo
}

function isWithin(scope: ExportScope, event: StoredEvent): boolean {
  const metadata = metadataOf(event)
  const { organization_id: organizationId, from, to } = scope
  if (organizationId !== null && metadata.organization_id !== organizationId) return false
  const recordedAt = instant(metadata.recorded_at)
  return (from === null || recordedAt >= instant(from)) && (to === null || recordedAt < instant(to))
}

type Placed = { readonly event: StoredEvent; readonly sealed: Sealed | null }

/** All events, each with its place in the tree; null = it is not sealed yet. */
async function* inOrder({ db, store, upTo }: UpTo): AsyncGenerator<readonly Placed[]> {
  let index = 0
  for (let after: Position | null = null; ; ) {
    const page = await store.readAll(after, { prefixes: ledgerPrefixes, limit: pageMax })
    if (page.last === after) return
    after = page.last
    if (isAfter(page.events[0]?.position ?? page.last, upTo)) return
    const sealed = await sealedFrom(db, index, page.events.length)
    index += sealed.length
    yield page.events.map((event, at) => placed(event, sealed[at] ?? null))
  }
}

async function* ofShipment(
  { db, store }: ExportDeps,
  shipmentId: string,
): AsyncGenerator<readonly Placed[]> {
  const stream = shipmentStream(shipmentId)
  for (let from = 0; ; ) {
    const events = await store.readStream(stream, { from, limit: pageMax })
    if (events.length === 0) return
    const missing = events.findIndex(({ revision }, at) => revision !== from + at)
    if (missing !== -1) {
      throw new NotExportable(
        `Revision ${from + missing} of ${shipmentId} is missing: "verify" says what is wrong.`,
      )
    }
    from += events.length
    yield await Promise.all(
      events.map(async (event) => placed(event, await sealedAt(db, event.position))),
    )
  }
}

function placed(event: StoredEvent, sealed: Sealed | null): Placed {
  const isAsSealed = sealed === null || sealed.leaf.toString('hex') === metadataOf(event).leaf
  if (!isAsSealed || !leafHolds(event)) {
    throw new NotExportable(
      `The event at position ${event.position} is not what was ${isAsSealed ? 'recorded' : 'sealed'}: "verify" says what is wrong.`,
    )
  }
  return { event, sealed }
}
