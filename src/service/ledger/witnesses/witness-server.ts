import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WitnessAnswer } from './witness.ts'

/** The protocol's 63 hashes, and a note with many signatures. */
const bodyBytesMax = 64 * 1024
/** The whole request must have arrived within this time. */
const requestTimeoutMs = 10_000
const headersBytesMax = 8 * 1024
/** Ledgers keep one connection each. */
const connectionsMax = 256

export type WitnessServer = { readonly port: number; close(): Promise<void> }

/**
 * Serves `POST /add-checkpoint`. Rejects if it cannot listen. `failed` is called with errors of
 * `add`.
 */
export async function witnessServer(options: {
  readonly host: string
  readonly port: number
  readonly add: (body: string) => Promise<WitnessAnswer>
  readonly failed: (error: unknown) => void
}): Promise<WitnessServer> {
  const { host, port, add, failed } = options
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      maxHeaderSize: headersBytesMax,
    },
    (request, response) => {
      answer(request, response, add).catch((error: unknown) => {
        failed(error)
        if (!response.headersSent) say(response, 500, 'the checkpoint could not be stored')
        else response.destroy()
      })
    },
  )
  server.maxConnections = connectionsMax
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  add: (body: string) => Promise<WitnessAnswer>,
): Promise<void> {
  const [path] = (request.url ?? '').split('?', 1)
  if (path !== '/add-checkpoint') return refuse(request, response, 404, 'no such path')
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return refuse(request, response, 405, 'POST only')
  }
  const body = await bodyOf(request)
  if (body === 'too_long') return refuse(request, response, 413, 'too long')
  if (body === 'cut_off') return void response.destroy()
  const text = decoded(body)
  if (text === null) return say(response, 400, 'not UTF-8')
  const { status, contentType, text: told } = await add(text)
  response.writeHead(status, { 'content-type': contentType }).end(told)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | 'too_long' | 'cut_off'> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      bytes += part.length
      if (bytes > bodyBytesMax) return 'too_long'
      parts.push(part)
    }
  } catch {
    return 'cut_off'
  }
  return Buffer.concat(parts)
}

function decoded(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return null
  }
}

function say(response: ServerResponse, status: number, problem: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${problem}\n`)
}

/** The rest of the request is not read, so its connection cannot serve another. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  problem: string,
): void {
  response.setHeader('connection', 'close')
  say(response, status, problem)
  response.once('finish', () => request.destroy())
}
