import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import type { validatorCompiler } from '../../rules/validation.ts'
import type { App } from '../../server-deps.ts'

export const csv = 'text/csv'

type Validator = typeof validatorCompiler

/** How the routes of a scope take lines of text beside JSON. */
type TextBodies = {
  readonly types: readonly string[]
  readonly bodyLimit: number
  /** Bodies read at once by a process: each may take some tens of megabytes. */
  readonly atOnceMax: number
  /** Whether a request counts among them, if its body is not small. */
  readonly isLarge: (request: FastifyRequest) => boolean
  /** What a JSON body is checked by. */
  readonly validator: Validator
}

/** As a single creation may have: it needs no more memory than any other request. */
const smallBytesMax = 64 * 1024

/** Gives text to the handlers as it came, as a Buffer, and refuses more large bodies at once. */
export function textBodies(scope: App, bodies: TextBodies): void {
  const { types, bodyLimit, atOnceMax, isLarge, validator } = bodies
  scope.addContentTypeParser(
    [...types],
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  scope.setValidatorCompiler((route: Parameters<Validator>[0]) => {
    const validate = validator(route)
    return (body: unknown) => (Buffer.isBuffer(body) ? { value: body } : validate(body))
  })
  let reading = 0
  scope.addHook('preParsing', async (request, reply: FastifyReply, payload) => {
    if (isSmall(request) || !isLarge(request)) return payload
    if (reading >= atOnceMax) throw new Problem('overloaded', { retryAfterSeconds: 1 })
    reading += 1
    reply.raw.once('close', () => {
      reading -= 1
    })
    return payload
  })
}

/** A body without a length may be of any size. */
function isSmall({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return Number(headers['content-length'] ?? Number.NaN) <= smallBytesMax
}

export function isCsv({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-type']?.toLowerCase().startsWith(csv) === true
}
