import { createHash } from 'node:crypto'
import { z } from 'zod'
import { shipmentStream } from '../../domain/ids.ts'
import {
  currentAttempt,
  isCancelled,
  type Shipment,
  type ShipmentStatus,
  statusOf,
} from '../../domain/shipment/shipment.ts'
import { labelStatusOf } from '../../domain/shipment/shown-shipment.ts'
import { Problem } from '../../errors.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { inFlightRetrySeconds, unknownOutcome } from '../../processes/calls/creation-refusal.ts'
import { askLabelInTurn, fetchLabel, labelTimes } from '../../processes/labels/fetch-label.ts'
import { openEnum, pathId } from '../openapi/schemas.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { shipmentResource } from './find-shipment.ts'
import { clockOf } from './shipment-clock.ts'

type Deps = Pick<RouteDeps, 'owners' | 'processes' | 'store'>

const documentsSchema = z
  .object({
    data: z
      .array(
        z.object({
          type: openEnum(['label']).meta({
            description: '`label`: what is stuck on the parcel.',
          }),
          status: openEnum(['pending', 'ready', 'unreadable', 'erased']).meta({
            description:
              '`pending`: not made yet. `ready`: it can be downloaded. `unreadable`: the courier made a file that cannot be printed. `erased`: with the personal data.',
          }),
          content_type: z.string().nullable().meta({
            description: 'Its media type. `null`: not made yet.',
            example: 'application/pdf',
          }),
          size: z
            .int()
            .nullable()
            .meta({ description: 'Its size in bytes. `null`: not made yet.' }),
          sha256: z.string().nullable().meta({
            description: 'The SHA-256 of its bytes, hexadecimal. `null`: not made yet, or erased.',
          }),
        }),
      )
      .meta({ description: 'One item for each kind of document.' }),
  })
  .meta({ description: 'The documents. All of them are on one page.' })
const tags = ['Documents']

export function documentRoutes(app: App, deps: Deps): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/documents',
    config: { resource: shipment, isVersioned: true },
    schema: {
      operationId: 'listDocuments',
      summary: "List a shipment's documents",
      description: 'Use it to see whether the label is ready, without downloading it.',
      tags,
      params: pathId('shp'),
      response: { 200: documentsSchema },
    },
    handler: async (request) => {
      const { state } = shipment.of(request)
      const { label } = state
      const isErased = state.erasedAt !== null
      const { unreadableLabels, vault } = deps.processes
      const pdf = label === null || isErased ? null : await vault.openItem(label.ref)
      const isUnreadable =
        !isErased && (await unreadableLabels.has(request.params.id, label?.ref ?? null))
      return {
        data: [
          {
            type: 'label' as const,
            status: isUnreadable ? ('unreadable' as const) : labelStatusOf(state, isErased),
            content_type: label === null ? null : 'application/pdf',
            size: label?.sizeBytes ?? null,
            sha256: Buffer.isBuffer(pdf) ? digestOf(pdf) : null,
          },
        ],
      }
    },
  })
  labelRoute(app, deps)
}

function labelRoute(app: App, deps: Deps): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/documents/label',
    config: {
      resource: shipment,
      produces: 'application/pdf',
      isVersioned: true,
      problems: [
        'label_not_ready',
        'label_unreadable',
        'shipment_has_no_guide',
        'unknown_outcome',
        'personal_data_erased',
      ],
    },
    schema: {
      operationId: 'getLabel',
      summary: 'Download the label as a PDF',
      description: `A page for each piece. If the courier has not made the label yet, it is asked, at most once in ${labelTimes.askApartMs / 1_000} s, and the answer is 409 \`label_not_ready\` with \`Retry-After\`. A label that cannot be printed is 409 \`label_unreadable\`. After an erasure the answer is 410 \`personal_data_erased\`.`,
      tags,
      params: pathId('shp'),
      querystring: z.strictObject({
        size: z.enum(['a6', 'a4']).optional().meta({
          description: 'The size of a page. The default is `a6`.',
        }),
      }),
      response: {
        200: {
          description: 'The label.',
          content: {
            'application/pdf': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { state } = shipment.of(request)
      refuseWithoutGuide(id, state)
      const withLabel = await shipmentWithLabel(deps, id, state)
      const pdf = await bytesOf(deps, id, withLabel, request.query.size ?? 'a6')
      reply
        .header('etag', `"${digestOf(pdf)}"`)
        .header('content-disposition', `inline; filename="${id}.pdf"`)
        .type('application/pdf')
      return reply.send(pdf)
    },
  })
}

function digestOf(pdf: Buffer): string {
  return createHash('sha256').update(pdf).digest('hex')
}

/** What a shipment of each status answers instead of a label; null: it has a guide to print. */
const refusals: Readonly<
  Record<ShipmentStatus, 'label_not_ready' | 'unknown_outcome' | 'shipment_has_no_guide' | null>
> = {
  creating: 'label_not_ready',
  created: null,
  rejected: 'shipment_has_no_guide',
  not_executed: 'shipment_has_no_guide',
  unknown_outcome: 'unknown_outcome',
  not_created: 'shipment_has_no_guide',
  cancelling: null,
  cancelled: 'shipment_has_no_guide',
}

function refuseWithoutGuide(shipmentId: string, state: Shipment): void {
  const refusal = refusals[statusOf(state)]
  if (refusal === 'unknown_outcome') {
    throw unknownOutcome({ id: shipmentId, version: state.version }, currentAttempt(state))
  }
  if (state.erasedAt !== null) throw new Problem('personal_data_erased')
  if (refusal === 'label_not_ready') {
    const detail = 'The guide is still being created.'
    throw new Problem(refusal, { detail, retryAfterSeconds: inFlightRetrySeconds })
  }
  if (refusal === null) return
  if (!isCancelled(state)) throw new Problem(refusal)
  // A label that was already made stays available.
  if (state.label !== null) return
  throw new Problem(refusal, { detail: 'The guide was cancelled before its label was made.' })
}

function notReady(): Problem {
  return new Problem('label_not_ready', { retryAfterSeconds: labelTimes.askApartMs / 1_000 })
}

type ShipmentWithLabel = Shipment & { readonly label: NonNullable<Shipment['label']> }

/** How long a request waits for the answer of another one that is asking the courier already. */
const othersWaitMs = 3_000

async function shipmentWithLabel(
  deps: Deps,
  id: string,
  state: Shipment,
): Promise<ShipmentWithLabel> {
  const { unreadableLabels } = deps.processes
  if (state.label !== null) {
    if (await unreadableLabels.has(id, state.label.ref)) throw new Problem('label_unreadable')
    return state as ShipmentWithLabel
  }
  const now = await clockOf(deps, state)
  const asked = await fetchLabel(deps.processes, id, now)
  const read = async () => {
    const { state: after } = await loadShipment(deps.store, id)
    return after?.label ? (after as ShipmentWithLabel) : null
  }
  const found = asked
    ? await read()
    : await deps.processes.watch.until(shipmentStream(id), othersWaitMs, read)
  if (found !== null) return found
  throw (await unreadableLabels.has(id, null)) ? new Problem('label_unreadable') : notReady()
}

async function bytesOf(
  deps: Deps,
  id: string,
  state: ShipmentWithLabel,
  size: 'a6' | 'a4',
): Promise<Buffer> {
  const ref = size === 'a6' ? state.label.ref : state.label.a4Ref
  if (ref === null) {
    const snapshot = await loadShipment(deps.store, id)
    const wanted = { shipmentId: id, snapshot, now: await clockOf(deps, state) }
    const pdf = await askLabelInTurn(deps.processes, wanted, size)
    if (pdf === null) throw notReady()
    return pdf
  }
  const pdf = await deps.processes.vault.openItem(ref)
  if (!Buffer.isBuffer(pdf)) throw new Problem('personal_data_erased')
  return pdf
}
