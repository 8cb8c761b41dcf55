import { z } from 'zod'
import { instant } from '../../domain/decider.ts'
import { snoozeDaysMax } from '../../domain/operation/work.ts'
import { snoozeOperation } from '../../processes/work/operation-work.ts'
import type { App } from '../api-services.ts'
import { exampleSnooze } from '../openapi/operation-examples.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { actOf, foundObject, type OperationDeps, operationResource } from './operation-act.ts'
import { operationSchema } from './operation-schema.ts'

export function snoozeOperationRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/snooze',
    config: {
      resource: operation,
      whileSuspended: true,
      isVersioned: true,
      problems: ['operation_not_settled', 'operation_already_resolved', 'operation_full'],
    },
    schema: {
      operationId: 'snoozeOperation',
      summary: 'Snooze an operation until a time',
      description: `Only lists change: until then the operation is in \`snoozed=true\` and not in \`snoozed=false\`. Reconciliation continues, and anyone with the scope may decide it. The snooze ends at that time, or earlier if the operation comes into review, is contradicted or is resolved. At most ${snoozeDaysMax} days; \`null\` ends it now.`,
      tags: ['Operations'],
      params: pathId('op'),
      body: z
        .strictObject({
          until: z.iso
            .datetime({ offset: true })
            .nullable()
            .meta({
              description: `The end of the snooze on the workspace's clock, at most ${snoozeDaysMax} days ahead: RFC 3339, with an offset or \`Z\`. \`null\` ends it now.`,
              example: exampleSnooze.until,
            }),
        })
        .meta({ description: 'The end of the snooze.', examples: [exampleSnooze] }),
      response: { 200: operationSchema.meta({ description: 'The snoozed operation.' }) },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const act = await actOf(deps, caller, found)
      const { until } = request.body
      const at = until === null ? null : instant(until)
      return await foundObject(deps, caller, found, await snoozeOperation(deps, act, at))
    },
  })
}
