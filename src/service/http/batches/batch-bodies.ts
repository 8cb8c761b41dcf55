import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { SheetRequest } from '../../sheets/read-sheet.ts'
import type { App } from '../api-services.ts'
import { refuseCompressed, requireUtf8 } from '../rules/json-body.ts'
import { charsetOf } from '../rules/sheets/charset.ts'
import { csv, isCsv, itemsInOne, lineBodies } from '../rules/sheets/line-bodies.ts'
import {
  columnChoicesOf,
  refuseQueryOfCsv,
  refuseQueryOfText,
  requiredField,
} from '../rules/sheets/sheet-query.ts'
import { type BatchQuery, batchBody, batchRequest, jsonLinesMax } from './batch-schema.ts'

export const ndjson = 'application/x-ndjson'
/** For NDJSON and CSV. */
const bodyLimitBytes = 8 * 1024 * 1024
/** 2 KiB for each of 1,000 lines. */
const jsonLimitBytes = 2 * 1024 * 1024

/** Makes the scope of the route accept lines as NDJSON and CSV as well as JSON. */
export function batchBodies(scope: App): App {
  return lineBodies(scope, {
    json: { limitBytes: jsonLimitBytes, member: 'items', linesMax: jsonLinesMax },
    text: { types: [ndjson, csv], limitBytes: bodyLimitBytes },
    documented: batchRequest,
    // A bad line must not refuse the others.
    validated: batchBody,
  })
}

type Given = {
  readonly reference: string
  /** The workspace and connection of every line that names none. */
  readonly forAll: { readonly workspace_id?: string; readonly courier_connection_id?: string }
  readonly body: Buffer
  readonly format: SheetRequest['format']
}

/** The lines of a request in any of its formats, and the fields that apply to all of them. */
export function linesGiven(request: FastifyRequest): Given {
  const { body } = request
  const query = request.query as BatchQuery
  if (!Buffer.isBuffer(body)) {
    refuseQueryOfText(query)
    const {
      items,
      external_reference: reference,
      ...rest
    } = body as ReturnType<typeof batchBody.parse>
    if (reference === undefined && !query.validate) throw requiredField('/external_reference')
    const { bytes, ends } = itemsInOne(items)
    return {
      reference: reference ?? '',
      forAll: defined(rest),
      body: bytes,
      format: { type: 'json', ends },
    }
  }
  const { external_reference: reference } = query
  if (reference === undefined && !query.validate) throw withoutReference()
  const { workspace_id, courier_connection_id } = query
  const given = {
    reference: reference ?? '',
    forAll: defined({ workspace_id, courier_connection_id }),
    body,
  }
  refuseCompressed(request)
  if (isCsv(request)) {
    const charset = charsetOf(request)
    return { ...given, format: { type: 'csv', charset, ...columnChoicesOf(query) } }
  }
  refuseQueryOfCsv(query)
  requireUtf8(request)
  return { ...given, format: { type: 'ndjson' } }
}

function withoutReference(): Problem {
  const pointer = '#/query/external_reference'
  const detail =
    'NDJSON and CSV require it in the query: the keys of the lines are derived from it.'
  return new Problem('validation_failed', { errors: [{ pointer, reason: 'required', detail }] })
}

function defined({
  workspace_id,
  courier_connection_id,
}: {
  readonly workspace_id?: string | undefined
  readonly courier_connection_id?: string | undefined
}): Given['forAll'] {
  return {
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(courier_connection_id === undefined ? {} : { courier_connection_id }),
  }
}
