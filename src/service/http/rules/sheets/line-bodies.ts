import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../../api-services.ts'
import { validatorCompiler } from '../validation.ts'
import { jsonListBodies } from './json-list-body.ts'

export const csv = 'text/csv'

/** How the route of a scope takes lines: as a list in a JSON body, or as text. */
type LineBodies = {
  readonly json: {
    readonly limitBytes: number
    /** The field of the body that has the lines. */
    readonly member: string
    readonly linesMax: number
  }
  readonly text: { readonly types: readonly string[]; readonly limitBytes: number }
  /** The schema of the JSON body in the document, which describes the lines. */
  readonly documented: z.ZodType
  /** The schema that the JSON body is validated by. It leaves the lines to the handler. */
  readonly validated: z.ZodType
}

/** Makes the routes of a scope take lines. Handlers get text as it came, as a Buffer. */
export function lineBodies(scope: App, bodies: LineBodies): App {
  const { json, text, documented, validated } = bodies
  jsonListBodies(scope, {
    bodyLimit: json.limitBytes,
    member: json.member,
    itemsMax: json.linesMax,
  })
  scope.addContentTypeParser(
    [...text.types],
    { parseAs: 'buffer', bodyLimit: text.limitBytes },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  scope.setValidatorCompiler((route: Parameters<typeof validatorCompiler>[0]) => {
    const isBody = route.schema === documented
    const validate = validatorCompiler(isBody ? { ...route, schema: validated } : route)
    return (body: unknown) => (Buffer.isBuffer(body) ? { value: body } : validate(body))
  })
  return scope
}

export function isCsv({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-type']?.toLowerCase().startsWith(csv) === true
}

/** The lines of a JSON body one after the other, and where each ends. */
export function itemsInOne(items: readonly unknown[]) {
  const texts = items.map((item) =>
    Buffer.isBuffer(item) ? item : Buffer.from(JSON.stringify(item) ?? 'null'),
  )
  let end = 0
  const ends = texts.map((text) => {
    end += text.length
    return end
  })
  return { bytes: Buffer.concat(texts), ends }
}
