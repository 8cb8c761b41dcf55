import { z } from 'zod'
import type { CourierFailure } from '../../couriers/courier.ts'
import { listedGuides } from '../../domain/operation/operation.ts'
import { scanToApi } from '../../domain/tracking/tracking-to-api.ts'
import { Problem } from '../../errors.ts'
import { guideScanTimes, readGuideScans } from '../../processes/tracking/guide-scans.ts'
import type { App } from '../api-services.ts'
import { exampleTracking } from '../openapi/examples.ts'
import { pathId } from '../openapi/schemas.ts'
import { scansNotRead } from '../problems/courier-failed.ts'
import { authenticated } from '../rules/authenticate.ts'
import { clockOf } from '../shipments/find-shipment.ts'
import { scanSchema } from '../shipments/tracking-schema.ts'
import { type OperationDeps, operationResource } from './operation-act.ts'

const guideParams = pathId('op').extend({
  guide_number: z.string().meta({
    description:
      "The courier's number for the guide. One that no look of the operation has found is 404.",
    example: '100000000001',
  }),
})

const scansSchema = z
  .object({
    data: z.array(scanSchema).meta({
      description: 'Every scan, in the order in which they happened. Empty if there is none yet.',
    }),
  })
  .meta({
    description: 'The scans of the guide, on one page.',
    examples: [{ data: exampleTracking.events }],
  })

export function listOperationGuideScansRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id/guides/:guide_number/scans',
    // A HEAD would ask the courier for nothing.
    exposeHeadRoute: false,
    config: {
      resource: operation,
      problems: [
        'guide_not_found',
        'connection_needs_reauth',
        'courier_unreachable',
        'courier_throttled',
      ],
    },
    schema: {
      operationId: 'listOperationGuideScans',
      summary: 'Ask the courier now for the scans of a guide under our reference',
      description: `Use it to find out which of several guides is on the parcel: only the guide that the shipment follows is tracked. At most once every ${guideScanTimes.apartMs / 1_000} s for each guide, otherwise 429 \`rate_limited\`. The answer is not stored and changes neither the operation nor the shipment's tracking.`,
      tags: ['Operations'],
      params: guideParams,
      response: { 200: scansSchema },
    },
    handler: async (request) => {
      const { shipmentId, state, operation: of } = operation.of(request)
      const { guide_number: guideNumber } = request.params
      const isListed = listedGuides(of).some((guide) => guide.guideNumber === guideNumber)
      if (!isListed) throw new Problem('not_found')
      const { requestId } = authenticated(request)
      const now = await clockOf(deps, state)
      const asked = { shipmentId, state, guideNumber, requestId, now }
      const answer = await readGuideScans(deps, asked)
      if (answer.kind === 'failed') throw notRead(answer.failure)
      return { data: answer.scans.map(scanToApi) }
    },
  })
}

/** Unlike the guide of a shipment, one that a look has found may be gone. */
function notRead(failure: CourierFailure): Problem {
  return failure.kind === 'rejected' && failure.code === 'guide_not_found'
    ? new Problem('guide_not_found')
    : scansNotRead(failure)
}
