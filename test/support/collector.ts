import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A span as a collector receives it. */
export type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: number
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly statusCode: number
  readonly statusMessage: string
  /** Attributes of the process that made it. */
  readonly resource: Readonly<Record<string, unknown>>
}

export type Collector = {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The body of each export as received. */
  readonly bodies: readonly Buffer[]
  readonly headers: readonly IncomingHttpHeaders[]
}

/** An OpenTelemetry collector on a real socket, which takes spans in OTLP's protobuf form. */
export async function collector(t: Test): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    bodies.push(body)
    headers.push(request.headers)
    spans.push(...spansIn(body))
    const isExpected = request.url === '/v1/traces' && request.method === 'POST'
    response.writeHead(isExpected ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, bodies, headers }
}

/** The fields of a protobuf message, by number: bytes, or the number of a varint or fixed value. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>

/** The encoding is that of https://protobuf.dev/programming-guides/encoding. */
function messageIn(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('a message is cut off')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    if (at + length > bytes.length) throw new Error('a message is cut off')
    at += length
    return bytes.subarray(at - length, at)
  }
  const fieldValue = (type: number) => {
    if (type === 0) return varint()
    if (type === 1) return take(8).readBigUInt64LE()
    if (type === 2) return take(Number(varint()))
    if (type === 5) return BigInt(take(4).readUInt32LE())
    throw new Error(`a field of the wire type ${type}`)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const field = tag >> 3
    fields.set(field, [...(fields.get(field) ?? []), fieldValue(tag & 7)])
  }
  return fields
}

function bytesIn(message: Message, field: number): readonly Buffer[] {
  return (message.get(field) ?? []).filter((value) => Buffer.isBuffer(value))
}

function textIn(message: Message, field: number, encoding: 'utf8' | 'hex' = 'utf8'): string {
  return bytesIn(message, field)[0]?.toString(encoding) ?? ''
}

/** Field numbers are those of opentelemetry-proto's trace.proto, resource.proto and common.proto. */
function spansIn(body: Buffer): readonly ReceivedSpan[] {
  return bytesIn(messageIn(body), 1).flatMap((bytes) => {
    const ofResource = messageIn(bytes)
    const resources = bytesIn(ofResource, 1).map((each) => attributesIn(messageIn(each), 1))
    const resource = Object.assign({}, ...resources)
    return bytesIn(ofResource, 2)
      .flatMap((scope) => bytesIn(messageIn(scope), 2))
      .map((span) => spanIn(messageIn(span), resource))
  })
}

function spanIn(span: Message, resource: ReceivedSpan['resource']): ReceivedSpan {
  const [status = Buffer.alloc(0)] = bytesIn(span, 15)
  return {
    traceId: textIn(span, 1, 'hex'),
    spanId: textIn(span, 2, 'hex'),
    parentSpanId: textIn(span, 4, 'hex'),
    name: textIn(span, 5),
    kind: Number(span.get(6)?.[0] ?? 0),
    attributes: attributesIn(span, 9),
    events: bytesIn(span, 11).length,
    links: bytesIn(span, 13).map((each) => {
      const link = messageIn(each)
      return { traceId: textIn(link, 1, 'hex'), spanId: textIn(link, 2, 'hex') }
    }),
    statusCode: Number(messageIn(status).get(3)?.[0] ?? 0),
    statusMessage: textIn(messageIn(status), 2),
    resource,
  }
}

function attributesIn(message: Message, field: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    bytesIn(message, field).map((bytes) => {
      const pair = messageIn(bytes)
      const [value = Buffer.alloc(0)] = bytesIn(pair, 2)
      return [textIn(pair, 1), valueIn(messageIn(value))]
    }),
  )
}

function valueIn(value: Message): unknown {
  if (value.has(1)) return textIn(value, 1)
  if (value.has(2)) return value.get(2)?.[0] === 1n
  if (value.has(3)) return Number(value.get(3)?.[0])
  if (value.has(5)) {
    return bytesIn(value, 5).flatMap((list) =>
      bytesIn(messageIn(list), 1).map((each) => valueIn(messageIn(each))),
    )
  }
  throw new Error(`a value of another type: ${[...value.keys()]}`)
}
