import { z } from 'zod'
import { assignOperation } from '../../processes/work/operation-work.ts'
import type { App } from '../api-services.ts'
import { exampleAssignment } from '../openapi/operation-examples.ts'
import { idOf, pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { actOf, foundObject, type OperationDeps, operationResource } from './operation-act.ts'
import { operationSchema } from './operation-schema.ts'

export function assignOperationRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/assign',
    config: {
      resource: operation,
      whileSuspended: true,
      isVersioned: true,
      problems: ['operation_full'],
    },
    schema: {
      operationId: 'assignOperation',
      summary: 'Assign an operation to an operator',
      description:
        "The operator must be active and belong to the key's organization; `null` unassigns the operation. Nothing else changes: anyone with the scope may still decide it. It stays assigned when it is resolved. Assigning the same operator again changes nothing.",
      tags: ['Operations'],
      params: pathId('op'),
      body: z
        .strictObject({
          operator_id: idOf('opr').nullable().meta({
            description: 'The operator to assign it to. `null` unassigns it.',
          }),
        })
        .meta({ description: 'The operator.', examples: [exampleAssignment] }),
      response: { 200: operationSchema.meta({ description: 'The operation with its operator.' }) },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const act = await actOf(deps, caller, found)
      const order = {
        operatorId: request.body.operator_id,
        organizationIds: [caller.principal.organizationId],
      }
      return await foundObject(deps, caller, found, await assignOperation(deps, act, order))
    },
  })
}
