import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { jsonBodies } from '../rules/json-body.ts'
import { validatorCompiler } from '../rules/validation.ts'
import type { App } from '../server-deps.ts'

export const csv = 'text/csv'
/** 160 bytes for each of 100,000 lines; those with every column have about 80. */
const bodyLimitBytes = 16 * 1024 * 1024
/** 2 KiB for each of 1,000 lines: JSON is parsed and checked in one go, so it has less room than CSV. */
const jsonLimitBytes = 2 * 1024 * 1024
/** Bodies of invoices that a process reads at once: each may take some tens of megabytes. */
const readAtOnceMax = 2

/** The scope of the route: it takes CSV as well as JSON, and few large bodies at once. */
export function invoiceBodies(scope: App): App {
  jsonBodies(scope, jsonLimitBytes)
  scope.addContentTypeParser(
    csv,
    { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  scope.setValidatorCompiler((route: Parameters<typeof validatorCompiler>[0]) => {
    const validate = validatorCompiler(route)
    return (body: unknown) => (Buffer.isBuffer(body) ? { value: body } : validate(body))
  })
  let reading = 0
  scope.addHook('preParsing', async (request, reply, payload) => {
    if (request.headers['content-type']?.startsWith(csv) !== true) return payload
    if (reading >= readAtOnceMax) throw new Problem('overloaded', { retryAfterSeconds: 1 })
    reading += 1
    reply.raw.once('close', () => {
      reading -= 1
    })
    return payload
  })
  return scope
}
