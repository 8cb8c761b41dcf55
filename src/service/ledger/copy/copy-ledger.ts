import { setTimeout as pause } from 'node:timers/promises'
import { leafHolds, metadataOf } from '../../event-store/codec.ts'
import {
  AppendUnknown,
  type EventStore,
  EventStoreOverloaded,
  EventStoreUnavailable,
  type Position,
  type StoredEvent,
} from '../../event-store/event-store.ts'
import { eventsMax } from '../../event-store/prepared-append.ts'

export type Source = Pick<EventStore, 'readAll'>
type Target = Pick<EventStore, 'readAll' | 'append'>

/** The target cannot become a copy of the source. The message is one sentence for the operator. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

/** Events per read from either side: a page of a few hundred kilobytes. */
const pageMax = 500
/**
 * The limit for one append, and for appends sent together: half of what a store accepts in one
 * batch.
 */
const bytesMax = 512 * 1024
/** Attempts while a store does not answer. Then the copy ends, and can be resumed. */
const triesMax = 20
const retryMs = 500

/** Called after each page: the position reached in the source, and the number of events. */
export type ReportProgress = (position: Position | null, events: number) => void

export type Pair = { readonly source: StoredEvent; readonly target: StoredEvent }

type Walked = {
  /** The number of events that both have. */
  readonly events: number
  /** The position of the last of them, in the source and in the target. */
  readonly source: Position | null
  readonly target: Position | null
  /** The source has no further events. */
  readonly isWhole: boolean
}

/**
 * Reads both ledgers side by side from their beginning to the end of the target. Throws CopyRefused
 * at the first event of the target that differs from the source's: stream, revision, id and leaf
 * must be equal, and the content must match the leaf.
 */
export async function walkTogether(
  from: Source,
  to: Source,
  report: ReportProgress,
  onPairs: (pairs: readonly Pair[]) => Promise<void> = async () => undefined,
): Promise<Walked> {
  let walked: Walked = { events: 0, source: null, target: null, isWhole: false }
  for (;;) {
    const { events: copies } = await to.readAll(walked.target, { limit: pageMax })
    const limit = copies.length === 0 ? 1 : copies.length
    const { events: originals } = await from.readAll(walked.source, { limit })
    if (copies.length === 0) return { ...walked, isWhole: originals.length === 0 }
    const pairs = copies.map((target, at) => pairOf(originals[at], target))
    await onPairs(pairs)
    walked = {
      ...walked,
      events: walked.events + pairs.length,
      source: pairs.at(-1)?.source.position ?? null,
      target: pairs.at(-1)?.target.position ?? null,
    }
    report(walked.source, pairs.length)
  }
}

function pairOf(source: StoredEvent | undefined, target: StoredEvent): Pair {
  const what = `event ${target.id} at position ${target.position} of the target`
  if (source === undefined) {
    throw new CopyRefused(`The target is not a copy of the source: it continues with ${what}.`)
  }
  const isSame =
    source.stream === target.stream &&
    source.revision === target.revision &&
    source.id === target.id &&
    metadataOf(source).leaf === metadataOf(target).leaf
  if (!isSame) {
    throw new CopyRefused(
      `The target is not a copy of the source: ${what} is where the source has event ${source.id} at position ${source.position}. Copy into an empty store or namespace.`,
    )
  }
  if (!leafHolds(target)) {
    throw new CopyRefused(`The target is damaged: the content of ${what} does not match its leaf.`)
  }
  return { source, target }
}

/**
 * Checks that the target is a beginning of the source, then appends the missing events in the order
 * of the ledger, up to the source's current end. If it is interrupted, calling it again continues.
 * `appendsAtOnce` is how many appends the target keeps in order when they are sent together. Throws
 * CopyRefused.
 */
export async function copyLedger(
  from: Source,
  to: Target,
  options: {
    readonly appendsAtOnce: number
    readonly checked: ReportProgress
    readonly copied: ReportProgress
  },
): Promise<{ readonly found: number; readonly copied: number }> {
  const begun = await walkTogether(from, to, options.checked)
  let after = begun.source
  let copied = 0
  for (;;) {
    const { events } = await from.readAll(after, { limit: pageMax })
    if (events.length === 0) return { found: begun.events, copied }
    for (const event of events) refuseDamaged(event)
    for (const wave of wavesOf(events, options.appendsAtOnce)) await appendWave(to, wave)
    after = events.at(-1)?.position ?? after
    copied += events.length
    options.copied(after, events.length)
  }
}

function refuseDamaged(event: StoredEvent): void {
  if (leafHolds(event)) return
  throw new CopyRefused(
    `The source is damaged: the content of event ${event.id} at position ${event.position} does not match its leaf. It is copied up to the event before.`,
  )
}

type Append = { readonly stream: string; readonly events: readonly StoredEvent[] }

/** Consecutive events of one stream, as one append. */
function appendsOf(events: readonly StoredEvent[]): readonly Append[] {
  const appends: { stream: string; events: StoredEvent[]; bytes: number }[] = []
  for (const event of events) {
    const bytes = bytesOf(event)
    const last = appends.at(-1)
    const fits =
      last?.stream === event.stream &&
      last.events.length < eventsMax &&
      last.bytes + bytes <= bytesMax
    if (last !== undefined && fits) {
      last.events.push(event)
      last.bytes += bytes
    } else appends.push({ stream: event.stream, events: [event], bytes })
  }
  return appends
}

/**
 * Groups of appends that may be sent together. No group has a stream twice: the second append would
 * wait and lose its order.
 */
function wavesOf(events: readonly StoredEvent[], appendsAtOnce: number): readonly Append[][] {
  const waves: Append[][] = []
  let streams = new Set<string>()
  let bytes = 0
  for (const append of appendsOf(events)) {
    const size = append.events.reduce((sum, event) => sum + bytesOf(event), 0)
    const wave = waves.at(-1)
    const fits =
      wave !== undefined &&
      wave.length < appendsAtOnce &&
      !streams.has(append.stream) &&
      bytes + size <= bytesMax
    if (fits) {
      wave.push(append)
      bytes += size
    } else {
      waves.push([append])
      streams = new Set()
      bytes = size
    }
    streams.add(append.stream)
  }
  return waves
}

function bytesOf({ data, metadata }: StoredEvent): number {
  return Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata)) + 100
}

/** Sends the whole group again until it is answered. Events with the same ids are written once. */
async function appendWave(to: Target, wave: readonly Append[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answers = await Promise.allSettled(wave.map((append) => appendTo(to, append)))
    const failed = answers.find(({ status }) => status === 'rejected')
    if (failed === undefined) return
    const { reason } = failed as PromiseRejectedResult
    if (tries >= triesMax || !isTransient(reason)) throw reason
    await pause(retryMs)
  }
}

/** Retrying does not help if the store refuses the user. */
function isTransient(reason: unknown): boolean {
  if (reason instanceof EventStoreUnavailable) return reason.trouble?.passes !== false
  return reason instanceof AppendUnknown || reason instanceof EventStoreOverloaded
}

async function appendTo(to: Target, { stream, events }: Append): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const expected = first.revision === 0 ? 'no_stream' : first.revision - 1
  const plain = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))
  const outcome = await to.append(stream, expected, plain)
  if (outcome.kind === 'committed' || outcome.kind === 'duplicate') return
  throw new CopyRefused(
    `The target was changed by another writer during the copy (stream ${stream}): copy into a store that is not in use.`,
  )
}
