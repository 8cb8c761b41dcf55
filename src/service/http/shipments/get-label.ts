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
import { Problem } from '../../errors.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { inFlightRetrySeconds, unknownOutcome } from '../../processes/calls/creation-refusal.ts'
import { nameOfShipment } from '../../processes/documents/document-name.ts'
import type { LabelPrint } from '../../processes/documents/labels.ts'
import {
  fetchLabel,
  labelTimes,
  requestLabelWithinLimit,
} from '../../processes/labels/fetch-label.ts'
import type { ApiServices, App } from '../api-services.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import { labelPrintOf, labelQuery, labelTypes } from '../documents/label-style.ts'
import { busy } from '../documents/print-request.ts'
import { savedFormat } from '../documents/saved-format.ts'
import { fileOf, pathId } from '../openapi/schemas.ts'
import { askedLanguage, languageParameter } from '../rules/asked-language.ts'
import { authenticated } from '../rules/authenticate.ts'
import { clockOf, shipmentResource } from './find-shipment.ts'

export function getLabelRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/documents/label',
    config: {
      resource: shipment,
      produces: labelTypes,
      isVersioned: true,
      headers: ['accept-language'],
      problems: [
        'label_not_ready',
        'label_unreadable',
        'shipment_has_no_guide',
        'unknown_outcome',
        'personal_data_erased',
        'papers_too_large',
      ],
    },
    schema: {
      operationId: 'getLabel',
      summary: 'Download the label',
      description: `One page per piece, in the \`label_format\` of the workspace unless the query names another. As \`pdf\` in A6 or A4 without a caption, it is the courier's own file, and otherwise the courier's label on a page of ours: \`lang\` chooses only the name and title of the file. If the label is not made yet, the courier is asked for it, at most once every ${labelTimes.askApartMs / 1_000} s, and the response is 409 \`label_not_ready\` with \`Retry-After\`. It is 409 \`label_unreadable\` for a label that cannot be printed, and 410 \`personal_data_erased\` after an erasure. ${busy}`,
      tags: ['Documents'],
      params: pathId('shp'),
      querystring: z.strictObject({ ...labelQuery, ...languageParameter }),
      response: { 200: fileOf(labelTypes, 'The label.') },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { state } = shipment.of(request)
      refuseWithoutGuide(id, state)
      const withLabel = await shipmentWithLabel(deps, id, state)
      const { language, languageHeaders } = askedLanguage(request)
      const { principal: scope } = authenticated(request)
      const saved = await savedFormat(deps.db, scope, state.request.workspace_id)
      const print = labelPrintOf(request.query, saved, language)
      const pdf = await bytesOf(deps, id, withLabel, print.size === 'a4' ? 'a4' : 'a6')
      const order = { scope, shipmentId: id, state: withLabel, pdf, print }
      const file = isCouriersOwn(print)
        ? {
            bytes: pdf,
            media: 'application/pdf' as const,
            name: nameOfShipment({ kind: 'label', language }, withLabel),
          }
        : await deps.documents.label(order)
      return reply
        .header('etag', `"${digestOf(file.bytes)}"`)
        .headers({ ...fileHeaders(file), ...languageHeaders })
        .send(file.bytes)
    },
  })
}

/** Whether the file that the courier made is what was asked for. */
function isCouriersOwn({ format, size, isCaptioned }: LabelPrint): boolean {
  return format === 'pdf' && !isCaptioned && (size === 'a6' || size === 'a4')
}

export function digestOf(pdf: Buffer): string {
  return createHash('sha256').update(pdf).digest('hex')
}

/** The refusal for a shipment in each status; null if it has a guide to print. */
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

/** How long a request waits while another one asks the courier for the same label. */
const othersWaitMs = 3_000

async function shipmentWithLabel(
  deps: ApiServices,
  id: string,
  state: Shipment,
): Promise<ShipmentWithLabel> {
  const { unreadableLabels } = deps
  if (state.label !== null) {
    if (await unreadableLabels.has(id, state.label.ref)) throw new Problem('label_unreadable')
    return state as ShipmentWithLabel
  }
  const now = await clockOf(deps, state)
  const asked = await fetchLabel(deps, id, now)
  const read = async () => {
    const { state: after } = await loadShipment(deps.store, id)
    return after?.label ? (after as ShipmentWithLabel) : null
  }
  const found = asked
    ? await read()
    : await deps.watch.until(shipmentStream(id), othersWaitMs, read)
  if (found !== null) return found
  throw (await unreadableLabels.has(id, null)) ? new Problem('label_unreadable') : notReady()
}

async function bytesOf(
  deps: ApiServices,
  id: string,
  state: ShipmentWithLabel,
  size: 'a6' | 'a4',
): Promise<Buffer> {
  const ref = size === 'a6' ? state.label.ref : state.label.a4Ref
  if (ref === null) {
    const snapshot = await loadShipment(deps.store, id)
    const wanted = { shipmentId: id, snapshot, now: await clockOf(deps, state) }
    const pdf = await requestLabelWithinLimit(deps, wanted, size)
    if (pdf === null) throw notReady()
    return pdf
  }
  const pdf = await deps.vault.openItem(ref)
  if (!Buffer.isBuffer(pdf)) throw new Problem('personal_data_erased')
  return pdf
}
