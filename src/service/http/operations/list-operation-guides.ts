import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import { listedGuides } from '../../domain/operation/operation.ts'
import { guidePrices } from '../../processes/work/guide-prices.ts'
import type { App } from '../api-services.ts'
import { money, pathId, timestamp } from '../openapi/schemas.ts'
import { type OperationDeps, operationResource } from './operation-act.ts'

const guidesSchema = z
  .object({
    data: z
      .array(
        z.object({
          guide_number: z.string().meta({
            description: "The courier's number for it.",
            example: '100000000001',
          }),
          listed: z.boolean().meta({
            description: "Whether the courier's last clear answer listed it.",
          }),
          price: money.nullable().meta({
            description:
              "Its price in the newest answer that has one. `null` if no answer has one, once the shipment's personal data is erased, and when the platform reads an operation of another organization.",
          }),
          first_listed_at: timestamp.meta({
            description: 'When the look began that found it first.',
          }),
          last_listed_at: timestamp.meta({
            description: 'When the look began that found it last.',
          }),
        }),
      )
      .meta({ description: 'The guides, in the order in which they were found.' }),
  })
  .meta({ description: 'All guides that looks have found, on one page.' })

export function listOperationGuidesRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id/guides',
    config: { resource: operation, isVersioned: true },
    schema: {
      operationId: 'listOperationGuides',
      summary: 'List the guides that the courier has under our reference',
      description:
        'Use it to decide an operation whose reference has several guides. It reads recorded answers and does not ask the courier; `POST /v1/operations/{id}/look` does. Empty for a cancellation.',
      tags: ['Operations'],
      params: pathId('op'),
      response: { 200: guidesSchema },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const { shipmentId, operation: of, isMasked } = found
      const guides = listedGuides(of)
      const isPriced = guides.length > 0 && !isMasked
      const prices = isPriced
        ? await guidePrices(deps, { shipmentId, operationId: of.operationId })
        : new Map()
      return {
        data: guides.map(({ guideNumber, isListed, firstAt, lastAt }) => ({
          guide_number: guideNumber,
          listed: isListed,
          price: prices.get(guideNumber) ?? null,
          first_listed_at: rfc3339(firstAt),
          last_listed_at: rfc3339(lastAt),
        })),
      }
    },
  })
}
