import { sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { existing, loadShipment } from '../../event-store/transact.ts'
import { type BatchRow, hasGuide, lineStateSql } from '../../processes/batches/batch-to-api.ts'
import { openRefusal } from '../../processes/batches/refusals.ts'
import type { LineSealer } from '../../security/encryption/own-key.ts'
import type { BatchLine } from '../../sheets/batch-line.ts'
import type { ApiServices, App } from '../api-services.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { problemBody } from '../problems/problem.ts'
import { answerList } from '../rules/answer-list.ts'
import type { PagePlace } from '../rules/lists.ts'
import { decryptFor, shipmentObject } from '../shipments/shipment-schema.ts'
import { batchItemSchema, lineStates } from './batch-schema.ts'
import { batchResource } from './find-batch.ts'

type Row = {
  readonly line: number
  readonly idempotency_key: string | null
  readonly shipment_id: string | null
  readonly external_reference: string | null
  readonly state: string
  readonly reason: string | null
  readonly refusal: Buffer | null
  /** Sealed; null once the line has ended. */
  readonly body: Buffer | null
}

export function listBatchItemsRoute(app: App, deps: ApiServices): void {
  const batch = batchResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/items',
    config: { resource: batch },
    schema: {
      operationId: 'listBatchItems',
      summary: 'List the lines of a batch in order, with their errors',
      description: 'To retry failed lines, correct them and send the batch again.',
      tags: ['Batches'],
      params: pathId('bat'),
      querystring: listQuery({
        state: z.enum(lineStates).optional().meta({ description: 'Only lines in this state.' }),
      }),
      response: { 200: listOf(batchItemSchema, 'A page of lines, in order.') },
    },
    handler: async (request) => {
      const row = batch.of(request)
      const sealer = deps.batchSealer.open(
        { organizationId: row.organization_id, batchId: row.id },
        { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key },
      )
      return await answerList(request, deps, {
        read: (place) => readItems(deps, row, request.query.state ?? null, place),
        sortKey: ({ line }) => [String(line)],
        show: async (items) => {
          const words = await courierWords(deps, items)
          return items.map((item) => itemObject(row, item, sealer, words))
        },
      })
    },
  })
}

async function readItems(
  { db }: ApiServices,
  { id, organization_id: organizationId }: BatchRow,
  state: string | null,
  { after, limit }: PagePlace,
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    SELECT * FROM (
      SELECT l.line, l.idempotency_key, l.reason, l.refusal, l.body, ${lineStateSql} AS state,
        CASE WHEN l.state IN ('begun', 'answered') THEN l.shipment_id END AS shipment_id,
        s.external_reference
      FROM batch_lines l
      LEFT JOIN projections.shipments s ON s.shipment_id = l.shipment_id AND l.state = 'answered'
      WHERE l.batch_id = ${id} AND l.organization_id = ${organizationId} AND l.line > ${Number(after?.[0] ?? 0)}
    ) lines
    WHERE ${state}::text IS NULL OR state = ${state}
    ORDER BY line LIMIT ${limit}`.execute(db)
  return rows
}

/** What the courier said when it refused shipments, by shipment. Only the vault has it. */
async function courierWords(
  deps: ApiServices,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const refused = rows.flatMap(({ reason, shipment_id: id }) =>
    reason === 'courier_rejected' && id !== null ? [id] : [],
  )
  if (refused.length === 0) return new Map()
  const found = await Promise.all(
    refused.map(async (id) => ({ id, state: existing(await loadShipment(deps.store, id)) })),
  )
  const decrypted = await decryptFor(
    deps,
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
  const refused = isRefused ? openRefusal(sealer, { line, refusal, shipmentId }) : null
  const detail = shipmentId === null ? undefined : words.get(shipmentId)
  return {
    object: 'batch_item' as const,
    line,
    key: row.idempotency_key,
    state: row.state as (typeof lineStates)[number],
    shipment_id: shipmentId,
    external_reference:
      row.external_reference ?? refused?.reference ?? referenceIn(sealer, row) ?? null,
    error: refused === null ? null : errorOf(batch, refused.problem, detail),
  }
}

/** The order of a line that has not ended. */
function referenceIn(sealer: LineSealer, { line, body }: Row): string | undefined {
  if (body === null) return undefined
  const opened = sealer.open({ line, what: 'body' }, body) as Partial<BatchLine>
  return opened.external_reference
}

/**
 * The body that a single creation would have answered with, and what the courier said, if anything.
 */
function errorOf({ request_id }: BatchRow, { reason, options }: Problem, detail?: string) {
  const problem = new Problem(reason, { ...options, ...(detail === undefined ? {} : { detail }) })
  const request = { id: request_id, changing: true, keyed: true }
  return problemBody(problem, request) as NonNullable<z.infer<typeof batchItemSchema>['error']>
}
