import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import type gossipMessages from '@eventstore/db-client/generated/gossip_pb.js'
import type shared from '@eventstore/db-client/generated/shared_pb.js'
import service from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import grpc from '@grpc/grpc-js'
import { StandInAccess } from './access.ts'
import type { Certificate } from './certificates.ts'
import { StandInFront } from './front.ts'
import { type Expected, type ProposedEvent, StandInLog } from './log.ts'
import {
  appendAnswer,
  appendBytesMax,
  eventAnswer,
  eventsAskedFor,
  expectedOf,
  gossipAnswer,
  noRecord,
  notFoundAnswer,
  notLeader,
  type Product,
  proposedOf,
  type Refusal,
  refusals,
  streamNameOf,
} from './messages.ts'
import { type AppendTrick, type Drop, StandInScript } from './script.ts'
import { type ReadCall, StandInSubscription } from './subscription.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type StandInOptions = {
  /** How long a late answer or write takes: longer than the caller's deadline. */
  readonly lateMs?: number
  /**
   * The first position in the log. Positions are 64 bits wide, more than a JavaScript number holds.
   */
  readonly firstPosition?: bigint
  /** The log of another node. */
  readonly log?: StandInLog
  /** With a certificate the server accepts only TLS. */
  readonly certificate?: Certificate
  /**
   * Administrators may create users; otherwise all callers have all rights, as in insecure mode.
   */
  readonly hasUsers?: boolean
  /** Whose answers it gives; EventStoreDB 23.10's by default. */
  readonly product?: Product
}

/** How long a write is in flight whose caller was told otherwise. */
const inFlightMs = 40
const lateMsDefault = 600
const firstPositionDefault = 2n ** 53n - 2_000n

/**
 * A stand-in for EventStoreDB 23.10, made from the client's own generated stubs: it speaks the real
 * protocol over a real socket and keeps its events in memory. Its faults are scripted (`script`),
 * each as observed on the real server. It gives KurrentDB's answers if asked to. It does not implement durability, elections, links,
 * deletions and batch appends.
 */
export class EventStoreStandIn {
  readonly script = new StandInScript()
  readonly log: StandInLog
  readonly #server: grpc.Server
  readonly #front: StandInFront
  readonly #lateMs: number
  readonly #access: StandInAccess | null
  readonly #product: Product
  readonly #subscriptions = new Set<{ peer: string; subscription: StandInSubscription }>()
  /** The nodes of its cluster, including itself. */
  #nodes: readonly EventStoreStandIn[] = [this]
  #leader: EventStoreStandIn = this
  #isOver = false

  constructor(options: StandInOptions, server: grpc.Server, front: StandInFront) {
    this.log = options.log ?? new StandInLog(options.firstPosition ?? firstPositionDefault)
    this.#lateMs = options.lateMs ?? lateMsDefault
    this.#access = options.hasUsers ? new StandInAccess(this.log) : null
    this.#access?.serve(server)
    this.#product = options.product ?? 'EventStoreDB'
    this.#server = server
    this.#front = front
    server.addService(service.StreamsService, {
      append: (call: AppendCall, answer: AppendAnswer) => this.#heardAppend(call, answer),
      read: (call: ReadCall) => void this.#read(call),
    })
    server.addService(gossip.GossipService, {
      read: (_: grpc.ServerUnaryCall<shared.Empty, unknown>, answer: GossipAnswer) => {
        if (this.script.take('gossip') === null) answer(null, gossipAnswer(this.#members()))
      },
    })
  }

  get port(): number {
    return this.#front.port
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`
  }

  /** Open subscriptions, with the number of events each was given. */
  get subscriptions(): readonly { readonly given: number }[] {
    return [...this.#subscriptions].map(({ subscription }) => subscription)
  }

  /**
   * Joins the nodes to a cluster: one log, one leader. Calls that require the leader are redirected
   * by the others.
   */
  formCluster(nodes: readonly EventStoreStandIn[], leader: EventStoreStandIn): void {
    for (const node of nodes) {
      node.#nodes = nodes
      node.#leader = leader
    }
  }

  /** Another user of the server, in no group. */
  addUser(name: string, password: string): void {
    this.#access?.add(name, password)
  }

  /** As an administrator does it: the last event of such a stream applies. */
  writeState(stream: string, state: Readonly<Record<string, unknown>>): void {
    const data = Buffer.from(JSON.stringify(state))
    const rest = { contentType: 'application/json', metadata: new Uint8Array() }
    this.log.append(stream, 'any', [{ id: crypto.randomUUID(), type: 'state', data, ...rest }])
  }

  /** Ends every open subscription this way. */
  drop(how: Drop): void {
    for (const { peer, subscription } of [...this.#subscriptions]) {
      if (how === 'connection_lost') this.#front.cut(peer)
      else subscription.drop(how)
    }
  }

  /** Like a kill: connections die and new ones are refused. What was written stays. */
  async stop(): Promise<void> {
    await this.#front.shut()
  }

  /** Starts again on the same port. */
  async start(): Promise<void> {
    await this.#front.open()
  }

  /** Like SIGSTOP and SIGCONT. */
  freeze(): void {
    this.#front.freeze()
  }

  thaw(): void {
    this.#front.thaw()
  }

  /** Open connections hang for good and new ones work, like a firewall that has forgotten them. */
  forgetConnections(): void {
    this.#front.forget()
  }

  /** All connections die; new ones are accepted at once. */
  cut(): void {
    this.#front.cut()
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#front.shut()
    this.#server.forceShutdown()
  }

  #members() {
    return this.#nodes.map((node) => ({
      port: node.port,
      isLeader: node === this.#leader,
      isAlive: node.#front.isOpen,
    }))
  }

  /** The refusal of a call that only the leader may answer; null to continue. */
  #redirection(metadata: grpc.Metadata): Refusal | null {
    const requiresLeader = metadata.get('requires-leader')[0] === 'true'
    if (!requiresLeader || this.#leader === this) return null
    return notLeader('127.0.0.1', this.#leader.port)
  }

  #heardAppend(call: AppendCall, answer: AppendAnswer): void {
    const trick = this.script.take('append')
    let header: streams.AppendReq.Options | undefined
    const events: ProposedEvent[] = []
    call.on('data', (request: streams.AppendReq) => {
      header ??= request.getOptions()
      const message = request.getProposedMessage()
      if (message !== undefined) events.push(proposedOf(message))
    })
    call.on('error', () => undefined)
    call.on('end', async () => {
      // A request cut off by its connection ends too; that it was cut off is reported a moment
      // later.
      await immediate()
      if (header === undefined || call.cancelled) return
      const redirection = this.#redirection(call.metadata)
      if (redirection !== null) return answer(redirection)
      const stream = streamNameOf(header.getStreamIdentifier())
      const refusal = this.#access?.refusal(call.metadata, 'write', stream) ?? null
      if (refusal !== null) return answer(refusal)
      const bytes = events.reduce((sum, { data }) => sum + data.length, 0)
      if (bytes > appendBytesMax) return answer(refusals.tooLarge)
      void this.#append(call, answer, trick, { stream, expected: expectedOf(header), events })
    })
  }

  async #append(
    call: AppendCall,
    answer: AppendAnswer,
    trick: AppendTrick | null,
    { stream, expected, events }: Proposal,
  ): Promise<void> {
    if (trick === 'silent') return
    const refusal = trick === null ? undefined : unwritten[trick]
    if (refusal !== undefined) return answer(refusal)
    if (trick === 'unwritten_connection_lost') return this.#front.cut(call.getPeer())
    if (trick === 'deadline_exceeded_in_flight') {
      answer(refusals.deadlineExceeded)
      await delay(inFlightMs)
    }
    if (trick === 'late_write') await delay(this.#lateMs)
    if (this.#isOver) return
    const written = this.log.append(stream, expected, events)
    if (trick === 'written_silent' || trick === 'deadline_exceeded_in_flight') return
    if (trick === 'written_answer_lost') return this.#front.cut(call.getPeer())
    if (trick === 'timed_out_written') return answer(refusals.timedOut)
    if (trick === 'rst_stream_written') return answer(refusals.rstStream)
    if (trick === 'late_answer') await delay(this.#lateMs)
    const isRepeat = written.kind === 'success' && written.isRepeated
    const withPosition = !(isRepeat && trick === 'repeat_without_position')
    answer(null, appendAnswer(written, expected, withPosition))
  }

  async #read(call: ReadCall): Promise<void> {
    call.on('error', () => undefined)
    const options = call.request.getOptions()
    const name = streamNameOf(options?.getStream()?.getStreamIdentifier())
    const redirection =
      this.#redirection(call.metadata) ??
      this.#access?.refusal(call.metadata, 'read', name === '' ? '$all' : name) ??
      null
    if (options?.hasSubscription()) {
      const trick = this.script.take('subscribe')
      const open = {
        peer: call.getPeer(),
        subscription: new StandInSubscription(call, this.log, trick, this.#product),
      }
      if (redirection !== null) return open.subscription.refuse(redirection)
      this.#subscriptions.add(open)
      call.on('close', () => this.#subscriptions.delete(open))
      call.on('cancelled', () => this.#subscriptions.delete(open))
      return await open.subscription.serve()
    }
    const trick = this.script.take('read')
    if (redirection !== null) return void call.emit('error', redirection)
    if (trick === 'silent') return
    if (trick === 'not_ready') return void call.emit('error', refusals.notReadyUnavailable)
    if (trick === 'unavailable') return void call.emit('error', refusals.unavailable)
    if (trick === 'access_denied') return void call.emit('error', refusals.accessDenied)
    if (trick === 'failed') return void call.emit('error', refusals.readFailed)
    const found = options === undefined ? 'no_stream' : eventsAskedFor(this.log, options)
    if (found === 'no_record') return void call.emit('error', noRecord[this.#product].read)
    if (found === 'no_stream') {
      call.write(notFoundAnswer(options?.getStream()?.getStreamIdentifier()))
      return void call.end()
    }
    for (const event of found) {
      if (call.cancelled) return
      if (!call.write(eventAnswer(event))) await drained(call)
      if (trick === 'silent_midway') return
      if (trick === 'connection_lost_midway') return this.#front.cut(call.getPeer())
    }
    call.end()
  }
}

type AppendCall = grpc.ServerReadableStream<streams.AppendReq, streams.AppendResp>
type AppendAnswer = (refusal: Refusal | null, answer?: streams.AppendResp) => void
type GossipAnswer = grpc.sendUnaryData<gossipMessages.ClusterInfo>
type Proposal = {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly ProposedEvent[]
}

/** Tricks that are just a status, before anything is written. */
const unwritten: Readonly<Partial<Record<AppendTrick, Refusal>>> = {
  not_ready: refusals.notReady,
  not_ready_unavailable: refusals.notReadyUnavailable,
  no_leader_info: refusals.noLeaderInfo,
  unavailable_unwritten: refusals.unavailable,
  deadline_exceeded_unwritten: refusals.deadlineExceeded,
  access_denied: refusals.accessDenied,
  event_too_large: refusals.eventTooLarge,
}

function credentialsOf({ certificate }: StandInOptions): grpc.ServerCredentials {
  if (certificate === undefined) return grpc.ServerCredentials.createInsecure()
  const { key, certificate: chain } = certificate
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(chain) }
  return grpc.ServerCredentials.createSsl(null, [pair])
}

async function drained(call: ReadCall): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const events = ['drain', 'close', 'cancelled'] as const
  for (const event of events) call.on(event, resolve)
  await promise
  for (const event of events) call.off(event, resolve)
}

/** A node that runs until the end of the test. */
export async function eventStoreStandIn(
  t: Test,
  options: StandInOptions = {},
): Promise<EventStoreStandIn> {
  const server = new grpc.Server()
  const inner = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentialsOf(options), (error, port) => {
      if (error === null) resolve(port)
      else reject(error)
    })
  })
  const front = new StandInFront(inner)
  const standIn = new EventStoreStandIn(options, server, front)
  await front.open()
  t.teardown(() => standIn.close())
  return standIn
}

/** Nodes with one log, the first of them the leader, and the URL that finds it by gossip. */
export async function eventStoreCluster(
  t: Test,
  size: number,
): Promise<{ readonly nodes: readonly EventStoreStandIn[]; readonly url: string }> {
  const first = await eventStoreStandIn(t)
  const nodes = [first]
  while (nodes.length < size) nodes.push(await eventStoreStandIn(t, { log: first.log }))
  first.formCluster(nodes, first)
  return { nodes, url: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`)}?tls=false` }
}
