import { z } from 'zod'
import { labelStatusOf } from '../../domain/shipment/shipment-to-api.ts'
import type { ApiServices, App } from '../api-services.ts'
import { openEnum, pathId } from '../openapi/schemas.ts'
import { shipmentResource } from './find-shipment.ts'
import { digestOf } from './get-label.ts'

const documentsSchema = z
  .object({
    data: z
      .array(
        z.object({
          type: openEnum(['label']).meta({
            description: '`label`: the label for the parcel.',
          }),
          status: openEnum(['pending', 'ready', 'unreadable', 'erased']).meta({
            description:
              "`pending`: not made yet. `ready`: available for download. `unreadable`: the courier's file cannot be printed. `erased`: erased with the personal data.",
          }),
          content_type: z.string().nullable().meta({
            description: 'Its media type. `null` until it is made.',
            example: 'application/pdf',
          }),
          size: z
            .int()
            .nullable()
            .meta({ description: 'Its size in bytes. `null` until it is made.' }),
          sha256: z.string().nullable().meta({
            description:
              'The SHA-256 of its bytes in hexadecimal. `null` until it is made, and once it is erased.',
          }),
        }),
      )
      .meta({ description: 'One item for each kind of document.' }),
  })
  .meta({ description: 'All documents of the shipment, on one page.' })

export function listDocumentsRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/documents',
    config: { resource: shipment, isVersioned: true },
    schema: {
      operationId: 'listDocuments',
      summary: "List a shipment's documents",
      description: 'Use it to check whether the label is ready, without downloading it.',
      tags: ['Documents'],
      params: pathId('shp'),
      response: { 200: documentsSchema },
    },
    handler: async (request) => {
      const { state } = shipment.of(request)
      const { label } = state
      const isErased = state.erasedAt !== null
      const { unreadableLabels, vault } = deps
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
}
