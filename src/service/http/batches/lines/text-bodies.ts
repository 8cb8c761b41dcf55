import type { FastifyRequest } from 'fastify'
import type { validatorCompiler } from '../../rules/validation.ts'
import type { App } from '../../server-deps.ts'

export const csv = 'text/csv'

type Validator = typeof validatorCompiler

/** How the routes of a scope take lines of text beside JSON. */
type TextBodies = {
  readonly types: readonly string[]
  readonly bodyLimit: number
  /** What a JSON body is checked by. */
  readonly validator: Validator
}

/** Gives text to the handlers as it came, as a Buffer. */
export function textBodies(scope: App, bodies: TextBodies): void {
  const { types, bodyLimit, validator } = bodies
  scope.addContentTypeParser(
    [...types],
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  scope.setValidatorCompiler((route: Parameters<Validator>[0]) => {
    const validate = validator(route)
    return (body: unknown) => (Buffer.isBuffer(body) ? { value: body } : validate(body))
  })
}

export function isCsv({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-type']?.toLowerCase().startsWith(csv) === true
}
