import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import grpc from '@grpc/grpc-js'
import type { Expected, ProposedEvent, RecordedEvent, StandInLog, Written } from './log.ts'

/** A status with the trailers by which the client recognizes its meaning. */
export type Refusal = {
  readonly code: grpc.status
  readonly details: string
  readonly metadata?: grpc.Metadata
}

/** The server's default, for the events' data alone. */
export const appendBytesMax = 1024 * 1024

export const refusals = {
  notReady: { code: grpc.status.UNKNOWN, details: 'Could not recognize Server Is Not Ready' },
  notReadyUnavailable: { code: grpc.status.UNAVAILABLE, details: 'Server Is Not Ready' },
  noLeaderInfo: { code: grpc.status.UNKNOWN, details: 'No leader info available in response' },
  deadlineExceeded: { code: grpc.status.DEADLINE_EXCEEDED, details: '' },
  timedOut: { code: grpc.status.ABORTED, details: 'Operation timed out: prepare' },
  tooSlow: {
    code: grpc.status.ABORTED,
    details:
      'Operation timed out: Consumer too slow to handle event while live. Client resubscribe',
  },
  rstStream: { code: grpc.status.INTERNAL, details: 'Received RST_STREAM with code 2' },
  unavailable: { code: grpc.status.UNAVAILABLE, details: '' },
  readFailed: { code: grpc.status.UNKNOWN, details: 'Unexpected ReadAllResult: Error' },
  accessDenied: {
    code: grpc.status.PERMISSION_DENIED,
    details: 'Access Denied',
    metadata: trailers({ exception: 'access-denied' }),
  },
  unauthenticated: { code: grpc.status.UNAUTHENTICATED, details: 'Unauthenticated' },
  tooLarge: {
    code: grpc.status.INVALID_ARGUMENT,
    details: `Maximum Append Size of ${appendBytesMax} Exceeded.`,
    metadata: trailers({
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(appendBytesMax),
    }),
  },
  eventTooLarge: {
    code: grpc.status.INVALID_ARGUMENT,
    details: `Event with Id: 1, Size: 2000000, exceeds Maximum Append Event Size of ${appendBytesMax}.`,
    metadata: trailers({
      exception: 'maximum-append-event-size-exceeded',
      'maximum-append-event-size': String(appendBytesMax),
    }),
  },
} as const satisfies Readonly<Record<string, Refusal>>

/** The servers whose answers differ in what the service reads of them. */
export type Product = 'EventStoreDB' | 'KurrentDB'

/** The answer if no record of the log begins at the given position: EventStoreDB 23.10 and KurrentDB 26.1. */
export const noRecord = {
  EventStoreDB: {
    read: refusals.readFailed,
    subscribe: {
      code: grpc.status.UNKNOWN,
      details: 'Unexpected FilteredReadAllResult: Error',
    },
  },
  KurrentDB: {
    read: {
      code: grpc.status.UNKNOWN,
      details: 'Unexpected ReadAllResult: InvalidPosition >> Log record at position is invalid.',
    },
    subscribe: {
      code: grpc.status.INVALID_ARGUMENT,
      details: 'Trying to read from an invalid position.',
    },
  },
} as const satisfies Readonly<Record<Product, Readonly<Record<'read' | 'subscribe', Refusal>>>>

export function userRefusal(exception: 'user-conflict' | 'user-not-found', name: string): Refusal {
  const { ALREADY_EXISTS, NOT_FOUND } = grpc.status
  return {
    code: exception === 'user-conflict' ? ALREADY_EXISTS : NOT_FOUND,
    details: `User '${name}'`,
    metadata: trailers({ exception, 'login-name': name }),
  }
}

export function notLeader(host: string, port: number): Refusal {
  return {
    code: grpc.status.NOT_FOUND,
    details: 'Leader info available',
    metadata: trailers({
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  }
}

function trailers(texts: Readonly<Record<string, string>>): grpc.Metadata {
  const metadata = new grpc.Metadata()
  for (const [name, text] of Object.entries(texts)) metadata.set(name, text)
  return metadata
}

export function expectedOf(options: streams.AppendReq.Options): Expected {
  if (options.hasRevision()) return Number(options.getRevision())
  if (options.hasNoStream()) return 'no_stream'
  return options.hasStreamExists() ? 'stream_exists' : 'any'
}

export function streamNameOf(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString()
}

export function proposedOf(message: streams.AppendReq.ProposedMessage): ProposedEvent {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

export function appendAnswer(
  written: Written,
  expected: Expected,
  withPosition: boolean,
): streams.AppendResp {
  const { AppendResp } = streams
  if (written.kind === 'wrong_expected_version') {
    const wrong = new AppendResp.WrongExpectedVersion()
    if (written.current === null) wrong.setCurrentNoStream(new shared.Empty())
    else wrong.setCurrentRevision(String(written.current))
    if (typeof expected === 'number') wrong.setExpectedRevision(String(expected))
    else wrong.setExpectedNoStream(new shared.Empty())
    return new AppendResp().setWrongExpectedVersion(wrong)
  }
  const success = new AppendResp.Success().setCurrentRevision(String(written.revision))
  if (withPosition) {
    const position = new AppendResp.Position()
    position.setCommitPosition(String(written.position))
    position.setPreparePosition(String(written.position))
    success.setPosition(position)
  } else {
    success.setNoPosition(new shared.Empty())
  }
  return new AppendResp().setSuccess(success)
}

export function eventAnswer(event: RecordedEvent): streams.ReadResp {
  const { ReadEvent } = streams.ReadResp
  const recorded = new ReadEvent.RecordedEvent()
  recorded.setId(new shared.UUID().setString(event.id))
  recorded.setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(event.stream))),
  )
  recorded.setStreamRevision(String(event.revision))
  recorded.setCommitPosition(String(event.position))
  recorded.setPreparePosition(String(event.position))
  recorded.getMetadataMap().set('type', event.type).set('content-type', event.contentType)
  // In ticks; our code does not read it.
  recorded.getMetadataMap().set('created', '16094592000000000')
  recorded.setData(event.data)
  recorded.setCustomMetadata(event.metadata)
  const answer = new ReadEvent().setEvent(recorded).setCommitPosition(String(event.position))
  return new streams.ReadResp().setEvent(answer)
}

export function checkpointAnswer(position: bigint): streams.ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
  checkpoint.setCommitPosition(String(position))
  checkpoint.setPreparePosition(String(position))
  return new streams.ReadResp().setCheckpoint(checkpoint)
}

export function confirmationAnswer(): streams.ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation()
  confirmation.setSubscriptionId(crypto.randomUUID())
  return new streams.ReadResp().setConfirmation(confirmation)
}

export function caughtUpAnswer(): streams.ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())
}

export function notFoundAnswer(identifier: shared.StreamIdentifier | undefined): streams.ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound()
  notFound.setStreamIdentifier(identifier)
  return new streams.ReadResp().setStreamNotFound(notFound)
}

/**
 * The result of a read. In reads of the whole log, the position itself is included forwards and
 * excluded backwards. Beyond the end, a forward read is empty; any other position must be that of a
 * record.
 */
export function eventsAskedFor(
  log: StandInLog,
  options: streams.ReadReq.Options,
): readonly RecordedEvent[] | 'no_stream' | 'no_record' {
  const count = Number(options.getCount())
  const stream = options.getStream()
  if (stream !== undefined) {
    const own = log.stream(streamNameOf(stream.getStreamIdentifier()))
    if (own.length === 0) return 'no_stream'
    if (options.getReadDirection() === 1) {
      const end = stream.hasRevision() ? Number(stream.getRevision()) + 1 : own.length
      return own.slice(Math.max(end - count, 0), end).reverse()
    }
    const from = stream.hasRevision() ? Number(stream.getRevision()) : 0
    return own.slice(from, from + count)
  }
  const all = options.getAll()
  const from = all?.getPosition()
  const position = from === undefined ? null : BigInt(from.getCommitPosition())
  const { events } = log
  if (options.getReadDirection() === 0) {
    const last = events.at(-1)?.position ?? -1n
    if (all?.hasEnd() || (position !== null && position > last)) return []
    const first = position === null ? 0 : indexAt(events, position)
    return first === null ? 'no_record' : events.slice(first, first + count)
  }
  const end = position === null ? (all?.hasStart() ? 0 : events.length) : indexAt(events, position)
  return end === null ? 'no_record' : events.slice(Math.max(end - count, 0), end).reverse()
}

function indexAt(events: readonly RecordedEvent[], position: bigint): number | null {
  const index = events.findIndex((event) => event.position === position)
  return index === -1 ? null : index
}

export type Member = {
  readonly port: number
  readonly isLeader: boolean
  readonly isAlive: boolean
}

export function gossipAnswer(members: readonly Member[]): gossipMessages.ClusterInfo {
  const { ClusterInfo, EndPoint, MemberInfo } = gossipMessages
  const infos = members.map(({ port, isLeader, isAlive }) => {
    const { LEADER, FOLLOWER } = MemberInfo.VNodeState
    return new MemberInfo()
      .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
      .setState(isLeader ? LEADER : FOLLOWER)
      .setIsAlive(isAlive)
      .setHttpEndPoint(new EndPoint().setAddress('127.0.0.1').setPort(port))
  })
  return new ClusterInfo().setMembersList(infos)
}
