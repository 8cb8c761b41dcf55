import type { FastifyRequest } from 'fastify'

/** How often the header occurs in the raw request. Node joins duplicates with a comma. */
export function headerCount(request: FastifyRequest, name: string): number {
  const raw = request.raw.rawHeaders
  let count = 0
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === name) count++
  return count
}
