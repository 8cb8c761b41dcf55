import type { FastifyRequest } from 'fastify'
import { nextTurn } from '../../couriers/slices.ts'
import { Problem } from '../../errors.ts'
import { refuseCompressed, requireUtf8 } from '../rules/json-body.ts'
import { validatorCompiler } from '../rules/validation.ts'
import type { App } from '../server-deps.ts'
import { type BatchQuery, batchBody, batchRequest, jsonLinesMax } from './batch-schema.ts'
import { charsetOf } from './lines/charset.ts'
import { batchFiles } from './lines/csv-columns.ts'
import { jsonListBodies } from './lines/json-list-body.ts'
import { linesOfCsv } from './lines/lines-of-csv.ts'
import { linesOfNdjson } from './lines/lines-of-ndjson.ts'
import type { RawLine } from './lines/raw-line.ts'
import { csv, isCsv, textBodies } from './lines/text-bodies.ts'
import { linesOfJson } from './read-lines.ts'

export const ndjson = 'application/x-ndjson'
/** Of NDJSON and CSV. */
const bodyLimitBytes = 8 * 1024 * 1024
/** 2 KiB for each of 1,000 lines. */
const jsonLimitBytes = 2 * 1024 * 1024

/** The scope of the route: it takes lines as well as JSON. */
export function batchBodies(scope: App): App {
  jsonListBodies(scope, { bodyLimit: jsonLimitBytes, member: 'items', itemsMax: jsonLinesMax })
  textBodies(scope, {
    types: [ndjson, csv],
    bodyLimit: bodyLimitBytes,
    // The document describes the lines, but a bad one must not refuse the others.
    validator: (route) =>
      validatorCompiler(route.schema === batchRequest ? { ...route, schema: batchBody } : route),
  })
  return scope
}

type Given = {
  readonly forAll: Omit<BatchQuery, 'external_reference'> & { readonly external_reference: string }
  readonly lines: Iterable<RawLine> | AsyncIterable<RawLine>
}

/** The lines of a request in any of its forms, and what is said for all of them. */
export function rawLinesOf(request: FastifyRequest): Given {
  const { body, query } = request
  const asked = query as BatchQuery
  if (!Buffer.isBuffer(body)) {
    refuseInQuery(asked)
    const { items, ...forAll } = body as ReturnType<typeof batchBody.parse>
    return { forAll, lines: linesOfJson(items) }
  }
  const { external_reference, ...rest } = asked
  if (external_reference === undefined) {
    const pointer = '#/query/external_reference'
    const detail = 'NDJSON and CSV need it in the query: the keys of the lines are derived from it.'
    throw new Problem('validation_failed', { errors: [{ pointer, reason: 'required', detail }] })
  }
  const forAll = { external_reference, ...rest }
  refuseCompressed(request)
  if (isCsv(request)) {
    return { forAll, lines: linesOfCsv(body, nextTurn, batchFiles, charsetOf(request)) }
  }
  requireUtf8(request)
  return { forAll, lines: linesOfNdjson(body) }
}

function refuseInQuery(asked: BatchQuery): void {
  const given = Object.keys(asked)
  if (given.length === 0) return
  throw new Problem('validation_failed', {
    errors: given.map((name) => ({
      pointer: `#/query/${name}`,
      reason: 'unknown_field',
      detail: 'A JSON body has it among its fields.',
    })),
  })
}
