import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { instant } from '../domain/decider.ts'
import { ledgerPrefixes, shipmentStream } from '../domain/ids.ts'
import { consistencyRanges, inclusionRanges } from '../domain/ledger/merkle.ts'
import { leafHolds, ledgerEventObject, metadataOf } from '../event-store/codec.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import { type Checkpoint, checkpointKeys, knownSigner } from './checkpoints.ts'
import {
  type ConsistencyEntry,
  type EventLine,
  type ExportFooter,
  type ExportHeader,
  exportFormat,
  type StreamLine,
  unstatedFormat,
} from './export-format.ts'
import { readNote, type Signer, verifierText } from './signed-note.ts'
import { signStatement, streamsDigest } from './stream-statement.ts'
import { lastSealedOf, type Sealed, sealedAtEach, sealedFrom, TreeReader } from './tree.ts'
import type { TrustedCheckpoint } from './trusted-checkpoints.ts'
import { cosignedCheckpoint } from './witnesses/stored-cosignatures.ts'

type ExportDeps = { readonly db: Kysely<Tables>; readonly store: EventStore }
type ExportOptions = {
  /**
   * Seeds of signing keys. The first one that has signed checkpoints signs the statement about the
   * streams of a partial export. Without such a key, a partial export cannot prove that it is
   * complete.
   */
  readonly signingKeys?: readonly Buffer[]
  /**
   * The checkpoint that the proofs lead to. Default: the newest one that most witnesses have
   * cosigned.
   */
  readonly checkpoint?: Checkpoint
  /** Checkpoints that the file must continue. It contains a proof for each. */
  readonly held?: readonly TrustedCheckpoint[]
  /** Called with the position read so far and the number of events since the last call. */
  readonly progress?: (position: Position | null, events: number) => void
  /**
   * Called when the file is complete, before it gets its name. If this throws, there is no file.
   */
  readonly record?: (exported: Exported) => Promise<void>
  /** Cancels the export and removes the unfinished file. */
  readonly signal?: AbortSignal
}
export type ExportScope = ExportHeader['scope']
export type Exported = Pick<ExportFooter, 'events' | 'not_sealed'> & {
  /** Whether the file proves that nothing of its scope is missing, up to its checkpoint. */
  readonly isComplete: boolean
  readonly treeSize: number
  /** The digest of the file, in hexadecimal. */
  readonly sha256: string
}

/** Events per read. */
const pageMax = 1_000

/**
 * Writes the requested scope as lines of JSON, with its proofs, to a file that gets its name when
 * it is complete. Events that the checkpoint does not cover yet are left out and counted. Throws
 * NotExportable if the ledger differs from its seals or from a held checkpoint; `verify` shows how.
 */
export async function exportLedger(
  deps: ExportDeps,
  file: string,
  scope: ExportScope,
  options: ExportOptions = {},
): Promise<Exported> {
  const checkpoint = options.checkpoint ?? (await cosignedCheckpoint(deps.db))
  // Read after the checkpoint, so that it includes every covered event. Later events are left out.
  const upTo = await deps.store.head()
  if (checkpoint !== null && checkpoint.position > (upTo ?? '')) {
    throw new NotExportable(
      'The ledger ends before its last checkpoint: "verify" says what is wrong.',
    )
  }
  const plan = await planOf(deps, scope, checkpoint, options)
  const unfinished = `${file}.${process.pid}.unfinished`
  const counts = { events: 0, not_sealed: 0 }
  const hash = createHash('sha256')
  const hashedLines = async function* () {
    for await (const line of linesOf({ ...deps, ...options, upTo }, plan, counts)) {
      hash.update(line)
      yield line
    }
  }
  try {
    const target = createWriteStream(unfinished, { mode: 0o600, flush: true })
    const { signal } = options
    await pipeline(hashedLines, target, signal === undefined ? {} : { signal })
    const exported = {
      ...counts,
      treeSize: checkpoint?.size ?? 0,
      isComplete: checkpoint !== null && (plan.isWhole || plan.signer !== null),
      sha256: hash.digest('hex'),
    }
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

type Plan = {
  readonly header: ExportHeader
  readonly checkpoint: Checkpoint | null
  readonly isWhole: boolean
  /** Signs the statement about the streams; null if the file has no statement. */
  readonly signer: Signer | null
}

async function planOf(
  { db }: ExportDeps,
  scope: ExportScope,
  checkpoint: Checkpoint | null,
  { signingKeys = [], held: trusted = [] }: ExportOptions,
): Promise<Plan> {
  const isWhole = Object.values(scope).every((value) => value === null)
  const keys = await checkpointKeys(db)
  const signer = isWhole || checkpoint === null ? null : knownSigner(keys, signingKeys)
  const isStated = isWhole || checkpoint === null || signer !== null
  if (!isStated && trusted.length > 0) {
    throw new NotExportable(
      'The key that signs checkpoints is needed to write proofs for the ones you hold: set CHECKPOINT_KEY.',
    )
  }
  const consistency = await consistencyOf(db, checkpoint, trusted)
  const header = {
    exported_at: new Date().toISOString(),
    scope,
    checkpoint: checkpoint?.note ?? null,
    keys: keys.map((key) => ({ verifier: verifierText(key), introduced_by: key.introducedBy })),
  }
  return {
    header: isStated
      ? { format: exportFormat, ...header, ...(trusted.length === 0 ? {} : { consistency }) }
      : { format: unstatedFormat, ...header },
    checkpoint,
    isWhole,
    signer,
  }
}

async function consistencyOf(
  db: ExportDeps['db'],
  checkpoint: Checkpoint | null,
  trusted: readonly TrustedCheckpoint[],
): Promise<ConsistencyEntry[]> {
  const reader = new TreeReader(db)
  const entries: ConsistencyEntry[] = []
  for (const { head, file } of trusted) {
    const { origin, size, root } = head
    const own = checkpoint === null ? undefined : readNote(checkpoint.note)?.head
    const isCovered = own !== undefined && origin === own.origin && size <= own.size
    if (!isCovered || !(await reader.rootAt(size)).equals(root)) {
      throw new NotExportable(
        `The ledger does not continue the checkpoint of ${size} events in ${file}: "verify --checkpoint" says what is wrong.`,
      )
    }
    if (entries.some((entry) => entry.size === size)) continue
    const proof = await reader.rootsOf(consistencyRanges(size, own.size))
    entries.push({
      size,
      root: root.toString('hex'),
      proof: proof.map((hash) => hash.toString('hex')),
    })
  }
  return entries
}

type UpTo = ExportDeps & { readonly upTo: Position | null }

async function* linesOf(
  deps: UpTo & Pick<ExportOptions, 'progress'>,
  plan: Plan,
  counts: { events: number; not_sealed: number },
): AsyncGenerator<string> {
  const { header, checkpoint, isWhole } = plan
  const { scope } = header
  yield `${JSON.stringify(header)}\n`
  const reader = new TreeReader(deps.db)
  const streams: Streams = new Map()
  const size = checkpoint?.size ?? 0
  for await (const page of scope.shipment_id === null
    ? eventsInOrder(deps, size)
    : eventsOfShipment(deps, scope.shipment_id, size)) {
    for (const { event, sealed } of page) {
      if (isAfter(event.position, deps.upTo) || !isWithin(scope, event)) continue
      if (sealed === null || sealed.index >= size) {
        counts.not_sealed++
        continue
      }
      if (plan.signer !== null) trackRevision(streams, event)
      const proof = isWhole ? null : await reader.rootsOf(inclusionRanges(sealed.index, size))
      counts.events++
      yield `${JSON.stringify(lineOf(event, sealed, proof))}\n`
    }
    deps.progress?.(page.at(-1)?.event.position ?? null, page.length)
  }
  if (plan.signer === null) yield `${JSON.stringify(counts satisfies ExportFooter)}\n`
  else yield* statedStreams(plan, plan.signer, streams, counts)
}

/** The first and last revision of each stream in the file. */
type Streams = Map<string, { readonly first: number; last: number }>

function trackRevision(streams: Streams, { stream, revision }: StoredEvent): void {
  const known = streams.get(stream)
  if (known === undefined) streams.set(stream, { first: revision, last: revision })
  else known.last = revision
}

/** The stream lines, then the footer with the signature. */
function* statedStreams(
  { header, checkpoint }: Plan,
  signer: Signer,
  streams: Streams,
  counts: { readonly events: number; readonly not_sealed: number },
): Generator<string> {
  const digest = streamsDigest()
  for (const [stream, { first, last }] of [...streams].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const line: StreamLine = { stream, first_revision: first, last_revision: last }
    digest.add(line)
    yield `${JSON.stringify(line)}\n`
  }
  const head = checkpoint === null ? undefined : readNote(checkpoint.note)?.head
  if (head === undefined) throw new Error('bug: a checkpoint that cannot be read')
  const stated = { scope: header.scope, head, ...digest.result() }
  const footer: ExportFooter = { ...counts, statement: signStatement(stated, signer, new Date()) }
  yield `${JSON.stringify(footer)}\n`
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

/** All events, each with its place in the tree; null if it is not sealed yet. */
async function* eventsInOrder(
  { db, store, upTo }: UpTo,
  size: number,
): AsyncGenerator<readonly Placed[]> {
  let index = 0
  for (let after: Position | null = null; ; ) {
    const page = await store.readAll(after, { prefixes: ledgerPrefixes, limit: pageMax })
    if (page.last === after || isAfter(page.events[0]?.position ?? page.last, upTo)) {
      if (index >= size) return
      throw new NotExportable(
        `${size} events were signed, but only ${index} are left: "verify" says what is wrong.`,
      )
    }
    after = page.last
    const sealed = await sealedFrom(db, index, page.events.length)
    index += sealed.length
    yield page.events.map((event, at) => placed(event, sealed[at] ?? null))
  }
}

async function* eventsOfShipment(
  { db, store }: ExportDeps,
  shipmentId: string,
  size: number,
): AsyncGenerator<readonly Placed[]> {
  const stream = shipmentStream(shipmentId)
  const refuse = (revision: number) => {
    throw new NotExportable(
      `Revision ${revision} of ${shipmentId} is missing: "verify" says what is wrong.`,
    )
  }
  let lastIndex = -1
  for (let from = 0; ; ) {
    const events = await store.readStream(stream, { from, limit: pageMax })
    if (events.length === 0) {
      // The seals show whether the last events of the stream were removed.
      const last = await lastSealedOf(db, stream, { from: lastIndex + 1, to: size })
      return last === null ? undefined : refuse(from)
    }
    const missing = events.findIndex(({ revision }, at) => revision !== from + at)
    if (missing !== -1) refuse(from + missing)
    from += events.length
    const sealed = await sealedAtEach(
      db,
      events.map(({ position }) => position),
    )
    const page = events.map((event) => placed(event, sealed.get(event.position) ?? null))
    lastIndex = page.findLast(({ sealed }) => sealed !== null)?.sealed?.index ?? lastIndex
    yield page
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
