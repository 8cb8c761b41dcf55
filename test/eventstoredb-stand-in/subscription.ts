import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type grpc from '@grpc/grpc-js'
import type { RecordedEvent, StandInLog } from './log.ts'
import {
  caughtUpAnswer,
  checkpointAnswer,
  confirmationAnswer,
  eventAnswer,
  noRecord,
  type Product,
  type Refusal,
  refusals,
} from './messages.ts'
import type { Drop, SubscribeTrick } from './script.ts'

export type ReadCall = grpc.ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** The number of events by which a live subscriber may lag; with one more, it is dropped. */
const liveBufferMax = 32
/** A checkpoint is sent every so many events examined, times the caller's multiplier. */
const checkpointEvery = 32
/** How many historical events a subscription gives before it is dropped midway. */
const midway = 5

/** A subscription to `$all`: the history after a position, then new events. */
export class StandInSubscription {
  readonly #call: ReadCall
  readonly #log: StandInLog
  readonly #trick: SubscribeTrick | null
  readonly #product: Product
  readonly #prefixes: readonly string[] | null
  readonly #checkpointEvery: number
  #isOver = false
  /** Events given to the caller; those it has not read yet wait in its connection. */
  given = 0

  constructor(call: ReadCall, log: StandInLog, trick: SubscribeTrick | null, product: Product) {
    this.#call = call
    this.#log = log
    this.#trick = trick
    this.#product = product
    const filter = call.request.getOptions()?.getFilter()
    this.#prefixes = filter?.getStreamIdentifier()?.getPrefixList() ?? null
    this.#checkpointEvery = checkpointEvery * (filter?.getCheckpointintervalmultiplier() || 1)
    call.on('cancelled', () => this.#over())
    call.on('close', () => this.#over())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async serve(): Promise<void> {
    if (this.#trick === 'silent') return
    if (this.#trick === 'unavailable') return this.refuse(refusals.unavailable)
    if (this.#trick === 'access_denied') return this.refuse(refusals.accessDenied)
    let next = this.#firstIndex()
    if (next === null) return this.refuse(noRecord[this.#product].subscribe)
    await this.#say(confirmationAnswer())
    let lookedAt = 0
    let isLive = false
    while (!this.#isOver) {
      while (next < this.#log.length && !this.#isOver) {
        if (isLive && this.#log.length - next > liveBufferMax) return this.refuse(refusals.tooSlow)
        const event: RecordedEvent | undefined = this.#log.events[next]
        next += 1
        lookedAt += 1
        if (event !== undefined && this.#isWanted(event)) {
          this.given += 1
          await this.#say(eventAnswer(event))
        }
        if (this.#trick === 'too_slow_midway' && this.given >= midway) {
          return this.refuse(refusals.tooSlow)
        }
        if (event !== undefined && lookedAt % this.#checkpointEvery === 0) {
          await this.#say(checkpointAnswer(event.position))
        }
      }
      if (!isLive) {
        isLive = true
        await this.#say(caughtUpAnswer())
        if (this.#trick === 'ended') return this.drop('ended')
        if (this.#trick === 'stalled') return
      }
      if (next >= this.#log.length) await this.#more()
    }
  }

  drop(how: Exclude<Drop, 'connection_lost'>): void {
    if (this.#isOver) return
    if (how === 'too_slow') this.refuse(refusals.tooSlow)
    else if (how === 'unavailable') this.refuse(refusals.unavailable)
    else {
      this.#call.end()
      this.#over()
    }
  }

  refuse(refusal: Refusal): void {
    if (this.#isOver) return
    this.#call.emit('error', refusal)
    this.#over()
  }

  /** After the position, which must be that of a record; beyond the end it goes live silently. */
  #firstIndex(): number | null {
    const all = this.#call.request.getOptions()?.getAll()
    if (all?.hasEnd()) return this.#log.length
    const from = all?.getPosition()
    if (from === undefined) return 0
    const position = BigInt(from.getCommitPosition())
    const last = this.#log.events.at(-1)
    if (last === undefined || position > last.position) return this.#log.length
    const index = this.#log.events.findIndex((event) => event.position === position)
    return index === -1 ? null : index + 1
  }

  #isWanted(event: RecordedEvent): boolean {
    return (
      this.#prefixes === null || this.#prefixes.some((prefix) => event.stream.startsWith(prefix))
    )
  }

  async #say(answer: streams.ReadResp): Promise<void> {
    if (this.#isOver || this.#call.write(answer)) return
    await this.#until(this.#call, 'drain')
  }

  async #more(): Promise<void> {
    if (!this.#isOver) await this.#until(this.#log.changes, 'written')
  }

  #wakeUp: () => void = () => undefined

  async #until(source: NodeJS.EventEmitter, name: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wakeUp = resolve
    source.once(name, resolve)
    await promise
    source.off(name, resolve)
  }

  #over(): void {
    this.#isOver = true
    this.#wakeUp()
  }
}
