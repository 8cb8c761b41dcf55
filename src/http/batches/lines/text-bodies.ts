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
  /** Whether a request counts among them. */
  readonly isLarge: (request: FastifyRequest) => boolean
  /** What a JSON body is checked by. */
  readonly validator: Validator
}

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
    if (!isLarge(request)) return payload
    if (reading >= atOnceMax) throw new Problem('overloaded', { retryAfterSeconds: 1 })
    reading += 1
    reply.raw.once('close', () => {
      reading -= 1
    })
    return payload
  })
}

export function isCsv({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-type']?.startsWith(csv) === true
}
