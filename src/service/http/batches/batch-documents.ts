import { sql } from 'kysely'
import { z } from 'zod'
import { errorTable, Problem, type Reason } from '../../errors.ts'
import { type BatchRow, shownState } from '../../processes/batches/shown-batch.ts'
import type { LeftOut } from '../../processes/papers/paper-messages.ts'
import { pathId } from '../openapi/schemas.ts'
import { busy, fileHeaders, layout, pdf } from '../papers/paper-routes.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { Resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'papers' | 'processes'>

const lineNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,5}$/)
  .transform(Number)
  .optional()
const lines = {
  first_line: lineNumber.meta({
    type: 'integer',
    description: 'The first line to print. Absent: the first of the batch.',
    example: 1,
  }),
  last_line: lineNumber.meta({
    type: 'integer',
    description: 'The last line to print. Absent: the last of the batch.',
    example: 200,
  }),
}
type Lines = { readonly first_line?: number | undefined; readonly last_line?: number | undefined }

export function batchDocumentRoutes(app: App, deps: Deps, batch: Resource<BatchRow>): void {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/documents/labels',
    config: { resource: batch, produces: 'application/pdf', problems: ['papers_too_large'] },
    schema: {
      operationId: 'getBatchLabels',
      summary: 'Print the labels of a batch as one PDF, in the order of its lines',
      description: `A line without a label is not skipped silently: pages at the front name it and say why. For a large batch, print some lines at a time. ${busy}`,
      tags: ['Batches'],
      params: pathId('bat'),
      querystring: z.strictObject({ layout, ...lines }),
      response: { 200: pdf('The labels, and at the front what is missing.') },
    },
    handler: async (request, reply) => {
      const { layout: asked = 'a6', ...range } = request.query
      const named = await namedBy(deps, batch.of(request), range)
      const { principal: reach } = authenticated(request)
      const file = await deps.papers.labels({ reach, layout: asked, ...named })
      return reply.headers(fileHeaders('labels')).send(file)
    },
  })
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/documents/manifest',
    config: { resource: batch, produces: 'application/pdf' },
    schema: {
      operationId: 'getBatchManifest',
      summary: 'Print the hand-over list of a batch as one PDF',
      description: `For each origin agency a list for both sides to sign, as \`POST /v1/manifests\` prints it. Lines that must not be handed over are named at the end, with why. ${busy}`,
      tags: ['Batches'],
      params: pathId('bat'),
      querystring: z.strictObject(lines),
      response: { 200: pdf('The lists, and at the end what is not to be handed over.') },
    },
    handler: async (request, reply) => {
      const named = await namedBy(deps, batch.of(request), request.query)
      const { principal: reach } = authenticated(request)
      return reply
        .headers(fileHeaders('hand-over-list'))
        .send(await deps.papers.manifest({ reach, ...named }))
    },
  })
}

type Row = {
  readonly line: number
  readonly idempotency_key: string | null
  readonly shipment_id: string | null
  readonly state: string
  readonly reason: Reason | null
}

/** The shipments of these lines in their order, and the lines that have none. */
async function namedBy(
  { processes }: Deps,
  { id, organization_id: organizationId }: BatchRow,
  { first_line: first = 1, last_line: last = 999_999 }: Lines,
) {
  const { rows } = await sql<Row>`
    SELECT l.line, l.idempotency_key, l.reason, ${shownState} AS state,
      CASE WHEN l.state = 'answered' THEN l.shipment_id END AS shipment_id
    FROM batch_lines l
    LEFT JOIN projections.shipments s ON s.shipment_id = l.shipment_id AND l.state = 'answered'
    WHERE l.batch_id = ${id} AND l.organization_id = ${organizationId}
      AND l.line BETWEEN ${first} AND ${last}
    ORDER BY l.line`.execute(processes.db)
  if (rows.length === 0) {
    const detail = 'The batch has no such line.'
    const errors = [{ pointer: '#/query/first_line', reason: 'no_such_line', detail }]
    throw new Problem('invalid_filter', { errors })
  }
  return {
    shipmentIds: rows.flatMap(({ shipment_id }) => shipment_id ?? []),
    withoutShipment: rows.flatMap((row): LeftOut[] =>
      row.shipment_id === null
        ? [
            {
              shipmentId: row.idempotency_key ?? '',
              reference: `Line ${row.line}`,
              why: whyOf(row),
            },
          ]
        : [],
    ),
  }
}

function whyOf({ state, reason }: Row): string {
  if (state === 'waiting') return 'Its turn in the batch has not come yet.'
  if (state === 'creating') return 'Its guide is still being created.'
  if (state === 'not_begun') return 'The batch was cancelled before its turn came.'
  return `It was refused: ${reason === null ? 'see the items of the batch' : errorTable[reason].title}.`
}
