import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connectorLimits } from '../service/couriers/protocol-codes.ts'
import { urlAt } from '../service/url-at.ts'
import type { Reply } from './replies.ts'
import { replyTo } from './reply-to.ts'
import { type SimulatorRecord, simulatorRecord } from './simulator-record.ts'

export type Simulator = {
  readonly url: string
  readonly port: number
  /** Aborts calls in flight, as a crash would, and closes the record. Safe to call twice. */
  close(): Promise<void>
}

export type SimulatorOptions = {
  /** The record's file, created on the first start. */
  readonly file: string
  /** 32 bytes. Encrypts all personal data in the record. */
  readonly key: Buffer
  readonly host: string
  /** 0 or absent for any free port. */
  readonly port?: number
  /**
   * Called with unexpected errors, such as a full disk. The connection of the call is then closed.
   */
  readonly onFault?: (fault: unknown) => void
}

/** The simulated courier: a server of the connector protocol with its own durable record. */
export async function simulator(options: SimulatorOptions): Promise<Simulator> {
  const record = simulatorRecord(options)
  const delays = new Set<NodeJS.Timeout>()
  const server = createServer(
    {
      // A slow client must not occupy a socket forever.
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: connectorLimits.headerBytesMax,
    },
    (request, response) => {
      answer(record, delays, request, response).catch((fault) => {
        request.socket.destroy()
        options.onFault?.(fault)
      })
    },
  )
  try {
    server.listen(options.port ?? 0, options.host)
    await once(server, 'listening')
  } catch (error) {
    record.close()
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('bug: no port was bound')
  const end = async () => {
    for (const delay of delays) clearTimeout(delay)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
    record.close()
  }
  let ended: Promise<void> | null = null
  return {
    url: urlAt(options.host, address.port),
    port: address.port,
    close() {
      ended ??= end()
      return ended
    },
  }
}

async function answer(
  record: SimulatorRecord,
  delays: Set<NodeJS.Timeout>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  const path = (request.url ?? '/').replace(/\?.*$/s, '')
  const reply = await replyTo(record, request.method ?? '', path, body)
  if ('pdf' in reply) {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(reply.pdf)
    return
  }
  const send = () => deliver(reply, request, response)
  if (!reply.delayMs) {
    send()
    return
  }
  const delay = setTimeout(() => {
    delays.delete(delay)
    send()
  }, reply.delayMs)
  delays.add(delay)
}

/** Simulates failures by actually breaking the connection. */
function deliver(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  if (reply.sent === 'cut') {
    socket.resetAndDestroy()
    return
  }
  const text = Buffer.from(JSON.stringify(reply.body))
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': text.length,
    'x-request-id': `sim_${randomUUID()}`,
    ...reply.headers,
  })
  if (reply.sent === 'half') {
    response.write(text.subarray(0, Math.floor(text.length / 2)), () => socket.destroySoon())
    return
  }
  response.end(text)
}

/** The request's body; null if it is longer than any request of the protocol. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new Error('bug: a request stream with an encoding')
    bytes += chunk.length
    if (bytes > connectorLimits.requestBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
