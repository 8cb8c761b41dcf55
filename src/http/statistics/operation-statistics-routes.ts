import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { hasColumn } from '../../processes/has-column.ts'
import {
  countOperations,
  operationsCountedMax,
} from '../../processes/statistics/open-operations.ts'
import { filterText, idOf, openEnum, time, timestamp } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { count } from './counts.ts'
import { reachOf, type StatisticsDeps, tags } from './statistics-query.ts'

const operationCountsSchema = z
  .object({
    object: z.literal('operation_statistics'),
    livemode: z.boolean(),
    reconciling: count,
    needs_review: count,
    snoozed: count.meta({ description: 'Of those that need review: put off' }),
    contradicted: count.meta({ description: 'Of those that need review' }),
    escalated: count.meta({ description: 'Of the open ones' }),
    unconfirmed: count.meta({
      description: 'Decided for a guide that the courier has not confirmed so far',
    }),
    surplus: count.meta({
      description: 'Decided, but the courier lists a guide that the decision does not use',
    }),
    past_deadline: count.meta({
      description: 'Of the open ones: older than the 8 hours after which a person must decide',
    }),
    oldest: z
      .object({
        operation_id: z.string(),
        status: openEnum(['reconciling', 'needs_review']),
        created_at: timestamp,
        age_seconds: z.number().meta({ description: "On its workspace's clock" }),
      })
      .nullable()
      .meta({
        description:
          "The open operation of the highest age on its workspace's clock; null = none is open",
      }),
  })
  .meta({ id: 'OperationStatistics' })

export function operationStatisticsRoutes(app: App, deps: StatisticsDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/statistics/operations',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'countOperations',
      summary: 'Count the operations that need attention now',
      description: `The platform counts the operations of every organization, other keys their own. Each count stops at ${operationsCountedMax}. A change is counted about a second after it was recorded.`,
      tags,
      querystring: z.strictObject({
        workspace_id: idOf('ws').optional(),
        provider_code: filterText(64).optional(),
      }),
      response: { 200: operationCountsSchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { workspace_id: workspaceId, provider_code: providerCode } = request.query
      const of = await reachOf(deps, principal, workspaceId)
      const { db } = deps.processes
      if (!(await hasColumn(db, 'projections.operations', 'surplus'))) {
        const detail = 'The list of operations is being rebuilt.'
        throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
      }
      const { oldest, ...counts } = await countOperations(db, of, providerCode)
      return {
        object: 'operation_statistics' as const,
        livemode: of.livemode,
        ...counts,
        oldest: oldest && { ...oldest, created_at: time(oldest.created_at) },
      }
    },
  })
}
