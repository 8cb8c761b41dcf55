import type { Beside } from './beside.ts'
import type { AppendOptions, NewEvent } from './event-store.ts'

/** The port's limit. A decision of the domain makes only a few events. */
export const eventsMax = 50
/** The port's limit for an append's JSON in UTF-8. Larger data belongs in the vault. */
const appendBytesMax = 1024 * 1024
/** Limit for the name of a stream or type: far above ours, far below an index row's limit. */
const nameLengthMax = 255
/** Revisions are 32-bit numbers in PostgreSQL; this leaves room for the events of one more append. */
const expectedMax = 2 ** 31 - 1 - eventsMax

/** An event with its JSON already written, so that the checked text is the stored text. */
export type PreparedEvent = {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

export type PreparedAppend = {
  readonly stream: string
  /** The revision of the stream's last event; -1 if the stream must not exist. */
  readonly expected: number
  readonly events: readonly PreparedEvent[]
  /** When it must not be written any more, as `performance.now()`; null if it always may. */
  readonly endsAtMs: number | null
  readonly reserved: boolean
  readonly beside: Beside
  readonly onBatch?: ((appends: number) => void) | undefined
  /** Of the events' JSON and what is beside them. */
  readonly bytes: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
// Escapes in JSON text, after an even number of backslashes, that PostgreSQL cannot store: U+0000
// and half a surrogate pair.
const unstorable = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Checks an append before it is queued. It throws only for bugs of the caller. */
export function prepareAppend(
  stream: string,
  expected: 'no_stream' | number,
  events: readonly NewEvent[],
  options: AppendOptions = {},
): PreparedAppend {
  checkName('stream', stream)
  if (expected !== 'no_stream' && !isRevision(expected)) {
    throw new RangeError(`expected ${expected} is not the revision of an event`)
  }
  if (events.length === 0) throw new RangeError('an append has no events')
  if (events.length > eventsMax) {
    throw new RangeError(`an append of ${events.length} events; the maximum is ${eventsMax}`)
  }
  const notAfter = options.notAfter ?? null
  if (notAfter !== null && Number.isNaN(notAfter.getTime())) {
    throw new RangeError('notAfter is not a date')
  }
  const prepared = events.map(prepareEvent)
  if (new Set(prepared.map((event) => event.id)).size !== prepared.length) {
    throw new RangeError('an append with the same event id twice')
  }
  const bytes = prepared.reduce((sum, event) => sum + bytesOf(event), 0)
  if (bytes > appendBytesMax) {
    throw new RangeError(`an append of ${bytes} bytes; the maximum is ${appendBytesMax}`)
  }
  const { beside = {} } = options
  const { row, items = [] } = beside
  return {
    stream,
    expected: expected === 'no_stream' ? -1 : expected,
    events: prepared,
    endsAtMs: notAfter === null ? null : performance.now() + notAfter.getTime() - Date.now(),
    reserved: options.reserved === true,
    beside,
    onBatch: options.onBatch,
    bytes: items.reduce(
      (sum, { payload }) => sum + payload.length,
      bytes + (row?.payload.length ?? 0),
    ),
  }
}

function prepareEvent(event: NewEvent): PreparedEvent {
  if (!uuid.test(event.id)) throw new RangeError('an event id is not a lower-case UUID')
  checkName('type', event.type)
  return {
    id: event.id,
    type: event.type,
    data: jsonOf(event.type, event.data),
    metadata: jsonOf(event.type, event.metadata),
  }
}

// The message must not quote the value: it may be personal.
function jsonOf(type: string, value: NewEvent['data']): string {
  const json = JSON.stringify(value)
  if (json === undefined || !json.startsWith('{')) {
    throw new RangeError(`the data or metadata of event ${type} is not an object`)
  }
  if (json.includes('\\u') && unstorable.test(json)) {
    throw new RangeError(`event ${type} has U+0000 or half a surrogate pair in its text`)
  }
  return json
}

function checkName(what: string, name: string): void {
  if (name.length === 0 || name.length > nameLengthMax || !/^[\x21-\x7e]+$/.test(name)) {
    throw new RangeError(`the name of a ${what} has 1 to ${nameLengthMax} visible ASCII characters`)
  }
}

function isRevision(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= expectedMax
}

function bytesOf(event: PreparedEvent): number {
  return (
    Buffer.byteLength(event.data) +
    Buffer.byteLength(event.metadata) +
    event.type.length +
    event.id.length
  )
}

/** For stores outside the vault's database. */
export function refuseBeside({ beside: { row, items = [], attempt } }: PreparedAppend): void {
  if (row !== undefined || items.length > 0 || attempt !== undefined)
    throw new RangeError('this store stores nothing beside events')
}

/** Whether it must not be written any more. */
export function isOver({ endsAtMs }: Pick<PreparedAppend, 'endsAtMs'>): boolean {
  return endsAtMs !== null && endsAtMs < performance.now()
}
