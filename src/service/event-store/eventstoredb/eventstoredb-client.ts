import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  type Position as LogPosition,
  NO_STREAM,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { connectivityState, Metadata, type MetadataValue } from '@grpc/grpc-js'
import { StartError } from '../../start-error.ts'
import type { PreparedAppend } from '../prepared-append.ts'
import { failureOf } from './eventstoredb-errors.ts'

/**
 * The few calls of `@eventstore/db-client` 6.2.1 that the adapter makes. Only this file imports it: its
 * successor differs in about five names, and the two cannot be loaded together.
 */

export type { AllStreamResolvedEvent, AllStreamSubscription, LogPosition, ResolvedEvent }

/**
 * Defaults for settings that the connection string omits, in the client's units: seconds for gossip.
 */
const settings: Readonly<Record<string, string>> = {
  nodePreference: 'leader',
  // A frozen node costs one of these in every round of discovery.
  gossipTimeout: '1',
  // Rounds. The adapter retries by itself, and nothing may be sent long after its caller gave up.
  maxDiscoverAttempts: '3',
}
/** The client warns on the console below this. The adapter's own timers notice a dead peer. */
const keepAliveIntervalMs = 10_000
/** A checkpoint comes after every 32 × this many events examined. */
const checkpointInterval = 4

let clients = 0

/**
 * A client with its own connection. Channels with equal settings share one connection, so a new client
 * would get a silent connection again while another client holds it. Each client therefore gets a
 * different keep-alive interval, unless the connection string sets one.
 */
export function openClient(url: string): EventStoreDBClient {
  clients = (clients + 1) % 10_000
  const client = clientOf(
    withSettings(url, { ...settings, keepAliveInterval: String(keepAliveIntervalMs + clients) }),
  )
  // Without batches an append is a call of its own, with a deadline that holds. The batch path
  // keeps its pending appends in one map for the whole process: an error on any stream rejects all
  // of them, and a late answer is thrown where it cannot be caught. See the decision on this
  // client. After an error the client awaits the channel that it is opening meanwhile. If that fails
  // too, nothing catches its rejection, which would end the process. Nor does anything catch the error
  // of an append through a channel that was closed after another call's error.
  const { execute, handleError, resolveUri } = client as unknown as {
    execute(service: unknown, name: string, call: ServiceCall): Promise<unknown>
    handleError(...args: unknown[]): Promise<void>
    resolveUri(): Promise<string>
  }
  Object.assign(client, {
    supports: async () => false,
    execute: (service: unknown, name: string, call: ServiceCall) =>
      execute(service, name, (stub) => {
        if (stub.getChannel().getConnectivityState(false) === connectivityState.SHUTDOWN) {
          throw new Error('Channel has been shut down')
        }
        return call(stub)
      }),
    handleError: (...args: unknown[]) => handleError(...args).catch(() => undefined),
    resolveUri: () => resolveUri().catch((error: unknown) => withReason(error, url)),
  })
  return client
}

/**
 * With several nodes, the client reports only that it found no usable node. This asks each node alone
 * and adds the first reason as the cause.
 */
async function withReason(error: unknown, url: string): Promise<never> {
  const reasons = await Promise.all(eachNodeOf(url).map(askNode))
  const cause = reasons.find((reason) => reason !== null)
  throw error instanceof Error ? new Error(error.message, { cause }) : error
}

/** A node that does not report its problem within this time is skipped. */
const nodeSilentMs = 1_000
/** The client's message when a node answers but no leader is known. */
const noLeader = 'No leader info available'

async function askNode(url: string): Promise<unknown> {
  const client = clientOf(url)
  const { promise: silence, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, nodeSilentMs, null)
  const answer = (async () => {
    const read = client.readAll({ fromPosition: END, maxCount: 1, direction: BACKWARDS })
    // The listener stays, because an error after the end would otherwise end the process.
    read.on('error', () => undefined)
    for await (const _ of read) break
    return new Error(noLeader)
  })().catch((reason: unknown) => reason)
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
    void closeClient(client)
  }
}

/** A connection string for each node alone. */
export function eachNodeOf(url: string): readonly string[] {
  const [, credentials = '', hosts = '', query = ''] =
    /^[^:]+:\/\/([^@/?]*@)?([^/?]*)\/?(\?.*)?$/.exec(url) ?? []
  return hosts.split(',').map((host) => `esdb://${credentials}${host}${query}`)
}

/** The user in a connection string; null if it has none. */
export function credentialsOf(
  url: string,
): { readonly name: string; readonly password: string } | null {
  const [, name, password] = /^[^:]+:\/\/([^:@/?]+):([^@/?]+)@/.exec(url) ?? []
  if (name === undefined || password === undefined) return null
  return { name: decodeURIComponent(name), password: decodeURIComponent(password) }
}

/** The options that a connection string may have. */
const options = [
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
  'connectionName',
  'defaultDeadline',
  'nodePreference',
  'discoveryInterval',
  'gossipTimeout',
  'maxDiscoverAttempts',
  'keepAliveInterval',
  'keepAliveTimeout',
  'throwOnAppendFailure',
]

/**
 * The metadata of a call that asks for answers without compression. Since 25.1 KurrentDB compresses every
 * answer for a client that accepts gzip, one event at a time: reading the log then takes three times the
 * processor. The gRPC library always offers gzip and has no option for it. It sets the header on a clone of
 * the call's metadata, after every interceptor.
 */
class UncompressedMetadata extends Metadata {
  override set(key: string, value: MetadataValue): void {
    super.set(key, key === 'grpc-accept-encoding' ? 'identity' : value)
  }

  override clone(): Metadata {
    const clone = new UncompressedMetadata(this.getOptions())
    clone.merge(this)
    return clone
  }
}

type CallArguments = (...options: readonly unknown[]) => [metadata: Metadata, options: unknown]

/** Throws StartError. Never lets the client write the connection string to the console. */
function clientOf(url: string): EventStoreDBClient {
  const client = parsed(url)
  const { callArguments } = client as unknown as { callArguments: CallArguments }
  return Object.assign(client, {
    callArguments: (...given: readonly unknown[]) => {
      const [metadata, options] = callArguments(...given)
      const uncompressed = new UncompressedMetadata(metadata.getOptions())
      uncompressed.merge(metadata)
      return [uncompressed, options]
    },
  })
}

function parsed(url: string): EventStoreDBClient {
  const known = new Set(options.map(flat))
  if (!namesOf(url).every((name) => known.has(name))) {
    throw new StartError(
      `EVENT_STORE_URL has an option that is not supported: the options are ${options.join(', ')}.`,
    )
  }
  try {
    return EventStoreDBClient.connectionString(url.replace(/^kurrentdb(?=:|\+discover:)/, 'esdb'))
  } catch (error) {
    // The error's text and fields quote the connection string, so none of it is passed on.
    const isFile = error instanceof Error && ('code' in error || /File was not/.test(error.message))
    throw new StartError(
      isFile
        ? 'A file that EVENT_STORE_URL names cannot be read: check tlsCAFile, userCertFile and userKeyFile.'
        : 'EVENT_STORE_URL is not a valid connection string: write it as esdb://host:2113?tlsCAFile=FILE or kurrentdb://host:2113?tlsCAFile=FILE, with special characters of the user name and its password percent-encoded.',
    )
  }
}

/**
 * The connection string with missing settings added. Names are compared as the client does.
 */
function withSettings(url: string, wanted: Readonly<Record<string, string>>): string {
  const [address = '', query = ''] = url.split('?')
  const given = query.split('&').filter((part) => part !== '')
  const names = new Set(namesOf(url))
  const missing = Object.entries(wanted).filter(([name]) => !names.has(flat(name)))
  const all = [...given, ...missing.map(([name, value]) => `${name}=${value}`)]
  return `${address.replace(/\/+$/, '')}?${all.join('&')}`
}

function namesOf(url: string): readonly string[] {
  const [, query = ''] = url.split('?')
  const parts = query.split('&').filter((part) => part !== '')
  return parts.map((part) => flat(part.split('=')[0] ?? ''))
}

function flat(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[_-]/g, '')
}

/** How long closing waits for a channel that is still being opened, which is closed later. */
const channelWaitMs = 1_000

/** Closes the client's connection; calls in flight end at their deadlines. Never throws. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  await before(client.dispose())
  await before(channelOf(client).then((channel) => channel.close()))
}

/**
 * Resolves when the client knows which node to call. With several nodes this takes a discovery round.
 */
export async function connected(client: EventStoreDBClient): Promise<void> {
  await channelOf(client)
}

/** False once the connection of the last call has ended, even if it could be reopened at once. */
export async function isStillConnected(client: EventStoreDBClient): Promise<boolean> {
  return (await channelOf(client)).getConnectivityState(false) === connectivityState.READY
}

type ServiceCall = (stub: { getChannel(): ClientChannel }) => Promise<unknown>

type ClientChannel = { close(): void; getConnectivityState(tryToConnect: boolean): number }

/** The client has no way to close its channel; it only keeps a promise of it. */
async function channelOf(client: EventStoreDBClient): Promise<ClientChannel> {
  const { getChannel } = client as unknown as { getChannel(): Promise<ClientChannel> }
  return await getChannel()
}

async function before(work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, channelWaitMs)
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}

export type Appended = { readonly revision: bigint; readonly position: LogPosition | undefined }

/** One append through the leader. Rejects with the client's errors: see `eventstoredb-errors.ts`. */
export async function appendTo(
  client: EventStoreDBClient,
  stream: string,
  append: PreparedAppend,
  deadlineMs: number,
): Promise<Appended> {
  const events = append.events.map((event) =>
    jsonEvent({
      id: event.id,
      type: event.type,
      data: JSON.parse(event.data),
      metadata: JSON.parse(event.metadata),
    }),
  )
  const { nextExpectedRevision, position } = await client.appendToStream(stream, events, {
    expectedRevision: append.expected === -1 ? NO_STREAM : BigInt(append.expected),
    requiresLeader: true,
    deadline: deadlineMs,
  })
  return { revision: nextExpectedRevision, position }
}

export function streamEvents(
  client: EventStoreDBClient,
  stream: string,
  from: number,
  maxCount: number,
) {
  return client.readStream(stream, {
    fromRevision: BigInt(from),
    maxCount,
    direction: FORWARDS,
    requiresLeader: true,
  })
}

/** The last event of a stream; undefined if there is no such stream. */
export async function lastOf(
  client: EventStoreDBClient,
  stream: string,
): Promise<ResolvedEvent['event']> {
  const read = client.readStream(stream, {
    fromRevision: END,
    maxCount: 1,
    direction: BACKWARDS,
    requiresLeader: true,
  })
  // The listener stays: an error after the end would otherwise end the process.
  read.on('error', () => undefined)
  try {
    for await (const { event } of read) return event
  } catch (error) {
    if (failureOf(error) !== 'not_found') throw error
  }
  return undefined
}

/**
 * The whole log, including system events. Reading forwards starts with the event at the position.
 */
export function logEvents(
  client: EventStoreDBClient,
  from: LogPosition | 'start' | 'end',
  direction: 'forwards' | 'backwards',
  maxCount: number,
) {
  return client.readAll({
    fromPosition: from === 'start' ? START : from === 'end' ? END : from,
    maxCount,
    direction: direction === 'forwards' ? FORWARDS : BACKWARDS,
    requiresLeader: true,
  })
}

/** Events after the position, filtered by the server, which reports its progress at intervals. */
export function subscribeAfter(
  client: EventStoreDBClient,
  after: LogPosition | null,
  prefixes: readonly string[],
  onCheckpoint: (position: LogPosition) => void,
): AllStreamSubscription {
  return client.subscribeToAll({
    fromPosition: after ?? START,
    requiresLeader: true,
    filter: streamNameFilter({
      prefixes: [...prefixes],
      checkpointInterval,
      checkpointReached: async (_, position) => onCheckpoint(position),
    }),
  })
}
