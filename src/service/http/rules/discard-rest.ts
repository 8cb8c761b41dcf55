import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type DiscardLimits = { readonly bytesMax: number; readonly ms: number }

/**
 * Bytes that a client may still send after its answer: the rest of a body that it began to write.
 */
const discardBytesMax = 8 * 1024 * 1024
const discardMs = 2_000
export const discardLimits: DiscardLimits = { bytesMax: discardBytesMax, ms: discardMs }

/**
 * Closing a connection with unread bytes resets it, and the reset can destroy the answer before the
 * client reads it, because many clients read only after they have written everything. So the answer
 * to an incomplete request is sent at once but ended only after the rest was read and discarded. A
 * client that sends too much, or too slowly, is disconnected.
 */
export function endAfterRest(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  limits: DiscardLimits,
): unknown {
  // `complete` is undefined for a request that did not arrive over a connection.
  if (request.raw.complete !== false) return payload
  const rest = discardRest(request.raw, limits).then((isWhole) => {
    if (!isWhole) reply.raw.once('finish', () => request.raw.socket.destroySoon())
  })
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (!isText || request.method === 'HEAD') return payload
  reply.header('content-length', Buffer.byteLength(payload))
  return Readable.from(payloadThen(payload, rest), { objectMode: false })
}

async function* payloadThen(payload: string | Buffer, rest: Promise<void>) {
  yield payload
  await rest
}

/** Whether the request ended; false if it exceeded a limit first. */
function discardRest(request: IncomingMessage, limits: DiscardLimits): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.bytesMax) finish(false)
    }
    const end = () => finish(true)
    const timer = setTimeout(() => finish(false), limits.ms)
    const finish = (isWhole: boolean) => {
      clearTimeout(timer)
      request.off('data', count).off('end', end).off('close', end).off('error', end)
      if (!isWhole) request.pause()
      resolve(isWhole)
    }
    request.on('data', count).on('end', end).on('close', end).on('error', end)
  })
}
