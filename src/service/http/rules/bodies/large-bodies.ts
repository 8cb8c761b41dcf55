import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import { FairSemaphore } from '../../../fair-semaphore.ts'
import { authenticated } from '../authenticate.ts'
import { BufferedBytes } from './buffered-bytes.ts'
import type { LargeBodyLimits } from './large-body-limits.ts'

/** The limit of a single creation. Such a body needs no more memory than any other request. */
const smallBytesMax = 64 * 1024

/**
 * Reads few large bodies at once, organizations in turn. A body takes a slot only once it has arrived,
 * so a slow one does not block others; until then only its bytes are counted. The server's timeout
 * bounds how long it may take.
 */
export function readLargeBodiesFairly(app: FastifyInstance, limits: LargeBodyLimits): void {
  const semaphore = new FairSemaphore(limits, overloaded)
  const buffered = new BufferedBytes({
    bytesMax: limits.heldBytesMax,
    ofOrganizationBytesMax: limits.ofOrganizationBytesMax,
  })
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (isSmall(request)) {
      done(null, payload)
      return
    }
    const { organizationId } = authenticated(request).principal
    const { body, end } = arriving({ semaphore, buffered }, organizationId, request.raw, reply.raw)
    ends.set(request, end)
    done(null, body)
  })
  app.addHook('onSend', async (request) => ends.get(request)?.())
}

type Shared = { readonly semaphore: FairSemaphore; readonly buffered: BufferedBytes }

/** The body for its parser, which ends when it gets a slot. `end` releases the slot and its bytes. */
function arriving(
  { semaphore, buffered }: Shared,
  organizationId: string,
  from: IncomingMessage,
  answer: ServerResponse,
) {
  const body = new Readable({ read: () => undefined })
  // Its parser may have stopped listening.
  body.on('error', () => undefined)
  const gone = new AbortController()
  const hold = buffered.begin(organizationId, () => body.destroy(overloaded()))
  let bytes = 0
  let isOver = false
  let release: (() => void) | null = null
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (hold.add(chunk.length)) body.push(chunk)
  }
  const onEnd = async () => {
    try {
      if (bytes > smallBytesMax)
        release = await semaphore.acquire(organizationId, { signal: gone.signal })
      hold.keep()
      if (isOver) release?.()
      body.push(null)
    } catch (error) {
      body.destroy(error as Error)
    }
  }
  const onError = (error: Error) => body.destroy(error)
  from.on('data', onData).once('end', onEnd).once('error', onError)
  const end = () => {
    isOver = true
    from.off('data', onData).off('end', onEnd).off('error', onError)
    hold.end()
    release?.()
  }
  answer.once('close', () => {
    gone.abort()
    // A body that is being read keeps its slot until its answer.
    if (release === null) end()
  })
  return { body, end }
}

/** A body without a length may be of any size. */
function isSmall({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return coding === undefined && Number(length) <= smallBytesMax
}

function overloaded(): Problem {
  return new Problem('overloaded', { retryAfterSeconds: 1 })
}
