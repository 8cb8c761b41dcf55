import { EventEmitter } from 'node:events'

export type ProposedEvent = {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export type RecordedEvent = ProposedEvent & {
  readonly stream: string
  readonly revision: number
  /** The position in the log, in bytes: commit and prepare position are the same. */
  readonly position: bigint
}

export type Expected = 'any' | 'no_stream' | 'stream_exists' | number

export type Written =
  | {
      readonly kind: 'success'
      readonly revision: number
      readonly position: bigint
      readonly isRepeated: boolean
    }
  | { readonly kind: 'wrong_expected_version'; readonly current: number | null }

/** The length of a log at a point in time, like a copy of a node's files. */
export type LogBackup = { readonly length: number; readonly end: bigint }

/**
 * The approximate size of a record without its data; it makes the gaps between positions uneven.
 */
const recordBytes = 181n

/**
 * The stand-in's log, in memory: it outlives a stop of its server, and several nodes may share one.
 * Like a real log it begins with the server's own events.
 */
export class StandInLog {
  readonly events: RecordedEvent[] = []
  readonly #streams = new Map<string, RecordedEvent[]>()
  #end: bigint
  /** Emits `written` after every append. Each open subscription has a listener. */
  readonly changes = new EventEmitter().setMaxListeners(0)

  constructor(firstPosition: bigint) {
    this.#end = firstPosition
    this.#write('$users', [systemEvent('$UserCreated')])
    this.#write('$$$scavenges', [systemEvent('$metadata')])
    this.writeStatistics(3)
  }

  get length(): number {
    return this.events.length
  }

  stream(name: string): readonly RecordedEvent[] {
    return this.#streams.get(name) ?? []
  }

  backUp(): LogBackup {
    return { length: this.events.length, end: this.#end }
  }

  /** Only for a stopped server: everything written since is gone, and new events take its place. */
  restore({ length, end }: LogBackup): void {
    this.events.length = length
    this.#end = end
    this.#streams.clear()
    for (const event of this.events) {
      const own = this.#streams.get(event.stream)
      if (own === undefined) this.#streams.set(event.stream, [event])
      else own.push(event)
    }
  }

  /** A real server begins each of its terms as leader with such an event. */
  writeEpoch(): void {
    this.#write('$epoch-information', [systemEvent('$epoch-information')])
  }

  /** Events outside the ledger: a real server writes some every half minute. */
  writeStatistics(count: number): void {
    this.#write(
      '$stats-0.0.0.0:2113',
      Array.from({ length: count }, () => systemEvent('$statsCollected')),
    )
  }

  /**
   * With an explicit revision, appends are idempotent by the ids at that very revision, however
   * much has followed; the payload is not compared. `any` writes again, as the real server does
   * after a restart.
   */
  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): Written {
    const own = this.stream(stream)
    const current = own.length === 0 ? null : own.length - 1
    if (expected === 'any') return this.#success(stream, events)
    if (expected === 'stream_exists') {
      return current === null ? wrong(current) : this.#success(stream, events)
    }
    const from = expected === 'no_stream' ? 0 : expected + 1
    if (from === own.length) return this.#success(stream, events)
    const there = own.slice(from, from + events.length)
    const last = there.at(-1)
    const isSame =
      there.length === events.length && there.every(({ id }, n) => id === events[n]?.id)
    if (last === undefined || !isSame) return wrong(current)
    return {
      kind: 'success',
      revision: last.revision,
      position: last.position,
      isRepeated: true,
    }
  }

  #success(stream: string, events: readonly ProposedEvent[]): Written {
    this.#write(stream, events)
    const last = this.stream(stream).at(-1)
    const { revision, position } = last ?? { revision: -1, position: this.#end }
    return { kind: 'success', revision, position, isRepeated: false }
  }

  #write(stream: string, events: readonly ProposedEvent[]): void {
    const own = this.#streams.get(stream) ?? []
    this.#streams.set(stream, own)
    for (const event of events) {
      const recorded = { ...event, stream, revision: own.length, position: this.#end }
      own.push(recorded)
      this.events.push(recorded)
      this.#end += recordBytes + BigInt(event.data.length + event.metadata.length + stream.length)
    }
    this.changes.emit('written')
  }
}

function wrong(current: number | null): Written {
  return { kind: 'wrong_expected_version', current }
}

function systemEvent(type: string): ProposedEvent {
  return {
    id: crypto.randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: new Uint8Array(),
  }
}
