import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import { Turns } from '../../../turns.ts'
import { authenticated } from '../authenticate.ts'
import { HeldBytes } from './held-bytes.ts'
import type { LargeBodyLimits } from './large-body-limits.ts'

/** As a single creation may have: it needs no more memory than any other request. */
const smallBytesMax = 64 * 1024

/**
 * Large bodies are read by organizations in turn. A body takes its turn once it has arrived, so one
 * that arrives slowly keeps nobody waiting; until then only its bytes are counted. The server's
 * timeout bounds how long it may take.
 */
export function readLargeBodiesInTurn(app: FastifyInstance, limits: LargeBodyLimits): void {
  const turns = new Turns(limits, overloaded)
  const held = new HeldBytes({
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
    const { body, end } = arriving({ turns, held }, organizationId, request.raw, reply.raw)
    ends.set(request, end)
    done(null, body)
  })
  app.addHook('onSend', async (request) => ends.get(request)?.())
}

type Shared = { readonly turns: Turns; readonly held: HeldBytes }

/** The body for its parser, which ends when its turn has come; `end` ends the turn and frees its bytes. */
function arriving(
  { turns, held }: Shared,
  organizationId: string,
  from: IncomingMessage,
  answer: ServerResponse,
) {
  const body = new Readable({ read: () => undefined })
  // Its parser may have stopped listening.
  body.on('error', () => undefined)
  const gone = new AbortController()
  const hold = held.begin(organizationId, () => body.destroy(overloaded()))
  let bytes = 0
  let isOver = false
  let endTurn: (() => void) | null = null
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (hold.add(chunk.length)) body.push(chunk)
  }
  const onEnd = async () => {
    try {
      if (bytes > smallBytesMax) endTurn = await turns.take(organizationId, { signal: gone.signal })
      hold.keep()
      if (isOver) endTurn?.()
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
    endTurn?.()
  }
  answer.once('close', () => {
    gone.abort()
    // What is being read goes on until its answer, and its turn with it.
    if (endTurn === null) end()
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
