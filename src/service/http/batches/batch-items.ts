import { sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { existing, loadShipment } from '../../event-store/transact.ts'
import { openRefusal } from '../../processes/batches/refusals.ts'
import { type BatchRow, hasGuide, shownState } from '../../processes/batches/shown-batch.ts'
import type { LineSealer } from '../../security/encryption/batch-keys.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { problemBody } from '../problems/problem.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import type { Resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { decryptFor, shipmentObject } from '../shipments/shipment-schema.ts'
import { batchItemSchema, lineStates } from './batch-schema.ts'

type Deps = Pick<RouteDeps, 'processes' | 'secrets' | 'store'>
type Row = {
  readonly line: number
  readonly idempotency_key: string | null
  readonly shipment_id: string | null
  readonly external_reference: string | null
  readonly state: string
  readonly reason: string | null
  readonly refusal: Buffer | null
}

export function batchItemRoute(app: App, deps: Deps, batch: Resource<BatchRow>): void {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/items',
    config: { resource: batch },
    schema: {
      operationId: 'listBatchItems',
      summary: 'List the lines of a batch in their order, with their errors',
      description: 'To retry what failed, correct these lines and send the batch again.',
      tags: ['Batches'],
      params: pathId('bat'),
      querystring: listQuery({
        state: z.enum(lineStates).optional().meta({ description: 'Only lines in this state.' }),
      }),
      response: { 200: listOf(batchItemSchema, 'A page of lines, in their order.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const row = batch.of(request)
      const { query } = request
      const page = await listPage<Row, Row>({
        deps,
        principal,
        route: `/v1/batches/${row.id}/items`,
        query,
        read: ({ after, limit }) => readItems(deps, row, query.state ?? null, { after, limit }),
        sortKey: ({ line }) => [String(line)],
        item: (item) => item,
      })
      const sealer = deps.processes.batchSealer.open(
        { organizationId: row.organization_id, batchId: row.id },
        { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key },
      )
      const words = await courierWords(deps, page.data)
      return { ...page, data: page.data.map((item) => itemObject(row, item, sealer, words)) }
    },
  })
}

async function readItems(
  { processes }: Deps,
  { id, organization_id: organizationId }: BatchRow,
  state: string | null,
  { after, limit }: { readonly after: readonly string[] | null; readonly limit: number },
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    SELECT * FROM (
      SELECT l.line, l.idempotency_key, l.reason, l.refusal, ${shownState} AS state,
        CASE WHEN l.state IN ('begun', 'answered') THEN l.shipment_id END AS shipment_id,
        s.external_reference
      FROM batch_lines l
      LEFT JOIN projections.shipments s ON s.shipment_id = l.shipment_id AND l.state = 'answered'
      WHERE l.batch_id = ${id} AND l.organization_id = ${organizationId} AND l.line > ${Number(after?.[0] ?? 0)}
    ) lines
    WHERE ${state}::text IS NULL OR state = ${state}
    ORDER BY line LIMIT ${limit}`.execute(processes.db)
  return rows
}

/** The courier's words for its refusals, which only the vault has, by shipment. */
async function courierWords(
  { processes, store }: Deps,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const refused = rows.flatMap(({ reason, shipment_id: id }) =>
    reason === 'courier_rejected' && id !== null ? [id] : [],
  )
  if (refused.length === 0) return new Map()
  const found = await Promise.all(
    refused.map(async (id) => ({ id, state: existing(await loadShipment(store, id)) })),
  )
  const decrypted = await decryptFor(
    processes.vault,
    found.map(({ state }) => state),
  )
  return new Map(
    found.flatMap(({ id, state }) => {
      const { failure } = shipmentObject(id, state, decrypted)
      return failure?.detail == null ? [] : [[id, failure.detail]]
    }),
  )
}

function itemObject(
  batch: BatchRow,
  row: Row,
  sealer: LineSealer,
  words: ReadonlyMap<string, string>,
) {
  const { line, shipment_id: shipmentId, refusal } = row
  const isRefused = !hasGuide(row.state) && row.state !== 'waiting'
  const problem = isRefused ? openRefusal(sealer, { line, refusal, shipmentId }) : null
  const detail = shipmentId === null ? undefined : words.get(shipmentId)
  return {
    object: 'batch_item' as const,
    line,
    key: row.idempotency_key,
    state: row.state as (typeof lineStates)[number],
    shipment_id: shipmentId,
    external_reference: row.external_reference,
    error: problem === null ? null : errorOf(batch, problem, detail),
  }
}

/** The body that a single creation would have had, with the courier's words if there are any. */
function errorOf({ request_id }: BatchRow, { reason, options }: Problem, detail?: string) {
  const problem = new Problem(reason, { ...options, ...(detail === undefined ? {} : { detail }) })
  const request = { id: request_id, changing: true, keyed: true }
  return problemBody(problem, request) as NonNullable<z.infer<typeof batchItemSchema>['error']>
}
