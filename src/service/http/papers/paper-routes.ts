import { z } from 'zod'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { labelLayouts } from '../../processes/papers/paper-messages.ts'
import { exampleShipment } from '../openapi/examples.ts'
import { idOf, valuesText } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { requireShipments } from './require-shipments.ts'

type Deps = Pick<RouteDeps, 'db' | 'papers'>

/** As many labels as a printer prints in some minutes. */
const shipmentsMax = 200

const shipmentIds = z
  .array(idOf('shp'))
  .min(1)
  .max(shipmentsMax)
  .superRefine((ids, context) => {
    const seen = new Set<string>()
    for (const [index, id] of ids.entries()) {
      const params = { reason: 'duplicate' }
      if (seen.has(id)) {
        context.addIssue({ code: 'custom', path: [index], message: 'It is named twice.', params })
      }
      seen.add(id)
    }
  })
const aboutIds = `1 to ${shipmentsMax} shipments within the key's reach, none of them twice. An id that does not exist, or that the key does not reach, is 404 \`not_found\` with its pointer in \`errors\`, and nothing is printed.`
const exampleIds = [exampleShipment.id]

export const layout = z
  .enum(labelLayouts)
  .optional()
  .meta({
    description: valuesText<(typeof labelLayouts)[number]>('How the labels are arranged.', {
      a6: 'a page for each piece, as the courier made it. The default',
      four_on_a4: 'four of these pages on each sheet of A4',
    }),
    example: 'four_on_a4',
  })

const labelsRequest = z
  .strictObject({
    shipment_ids: shipmentIds.meta({
      description: `The shipments, in the order of the labels: ${aboutIds}`,
      uniqueItems: true,
      example: exampleIds,
    }),
    layout,
  })
  .meta({
    description: 'What to print.',
    examples: [{ shipment_ids: exampleIds, layout: 'four_on_a4' }],
  })

const manifestRequest = z
  .strictObject({
    shipment_ids: shipmentIds.meta({
      description: `The shipments, in the order of the lists: ${aboutIds}`,
      uniqueItems: true,
      example: exampleIds,
    }),
  })
  .meta({ description: 'What to list.', examples: [{ shipment_ids: exampleIds }] })

export const pdf = (description: string) => ({
  description,
  content: {
    'application/pdf': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) },
  },
})

/** A suspended organization still reads: these routes change nothing. */
const readOnly = {
  collectionScope: 'shipments:read',
  produces: 'application/pdf',
  whileSuspended: true,
} as const
const tags = ['Documents']
export const busy =
  'One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.'

export function paperRoutes(app: App, deps: Deps): void {
  labelsRoute(app, deps)
  manifestRoute(app, deps)
}

function labelsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/labels',
    config: { ...readOnly, problems: ['not_found', 'papers_too_large'] },
    schema: {
      operationId: 'printLabels',
      summary: 'Print the labels of many shipments as one PDF',
      description: `A shipment without a label is not skipped silently: pages at the front name it and say why. It was not created or was cancelled, its label was not fetched yet, was erased, or cannot be read. Nothing changes, and the courier is not asked. ${busy}`,
      tags,
      body: labelsRequest,
      response: { 200: pdf('The labels, and at the front what is missing.') },
    },
    handler: async (request, reply) => {
      const { shipment_ids: ids, layout = 'a6' } = request.body
      const { principal } = authenticated(request)
      const file = await readingOnly(async () => {
        await requireShipments(deps.db, principal, ids)
        return await deps.papers.labels({ reach: principal, shipmentIds: ids, layout })
      })
      return reply.headers(fileHeaders('labels')).send(file)
    },
  })
}

function manifestRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/manifests',
    config: { ...readOnly, problems: ['not_found'] },
    schema: {
      operationId: 'printManifest',
      summary: 'Print the hand-over list of many shipments as one PDF',
      description: `For each workspace and origin agency a list for both sides to sign, with each guide number as text and as Code 128. Shipments that must not be handed over are named at the end, with why: there is no guide, the outcome is unknown, or it was or is being cancelled. No recipient is shown. Nothing changes. ${busy}`,
      tags,
      body: manifestRequest,
      response: { 200: pdf('The lists, and at the end what is not to be handed over.') },
    },
    handler: async (request, reply) => {
      const { shipment_ids: ids } = request.body
      const { principal } = authenticated(request)
      const file = await readingOnly(async () => {
        await requireShipments(deps.db, principal, ids)
        return await deps.papers.manifest({ reach: principal, shipmentIds: ids })
      })
      return reply.headers(fileHeaders('hand-over-list')).send(file)
    },
  })
}

/** These routes use POST for the sake of their body, and whatever fails has changed nothing. */
async function readingOnly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw beforeExecution(error)
  }
}

export function fileHeaders(name: string) {
  return {
    'content-disposition': `inline; filename="${name}.pdf"`,
    'content-type': 'application/pdf',
  }
}
