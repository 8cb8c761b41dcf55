import { lookUpNow } from '../../processes/calls/operator-acts.ts'
import type { App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { actOf, foundObject, type OperationDeps, operationResource } from './operation-act.ts'
import { operationSchema } from './operation-schema.ts'

export function lookAtOperationRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/look',
    config: {
      resource: operation,
      whileSuspended: true,
      problems: [
        'operation_not_settled',
        'operation_already_resolved',
        'operation_full',
        'connection_needs_reauth',
      ],
    },
    schema: {
      operationId: 'lookAtOperation',
      summary: 'Ask the courier now',
      description:
        'Use it when the courier may know more by now. At most once every 10 s, otherwise 429 `rate_limited`. The result counts by the same rules as automatic looks. A resolved operation can be looked at too, to see whether a surplus guide is gone, or to confirm a guide. A guide that was not known at the conclusion contradicts it; after `nothing_created`, any guide does.',
      tags: ['Operations'],
      params: pathId('op'),
      response: { 200: operationSchema.meta({ description: 'The operation after the look.' }) },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const act = await actOf(deps, caller, found)
      return await foundObject(deps, caller, found, await lookUpNow(deps, act))
    },
  })
}
