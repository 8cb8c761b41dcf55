import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { hasColumn } from '../../processes/has-column.ts'
import {
  countOperations,
  operationsCountedMax,
} from '../../processes/statistics/open-operations.ts'
import type { App } from '../api-services.ts'
import { providerFilter, workspaceFilter } from '../named-filters.ts'
import { livemode, openEnum, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { countOf } from './counts.ts'
import { type StatisticsDeps, tags, tenantScopeOf } from './statistics-query.ts'

const operationCountsSchema = z
  .object({
    object: typeOf('operation_statistics'),
    livemode,
    reconciling: countOf(
      'Operations for which the courier is asked until their outcome is certain.',
    ),
    needs_review: countOf('Operations that wait for a person.'),
    snoozed: countOf('Operations in review that are snoozed.'),
    contradicted: countOf('Operations in review that evidence contradicted.'),
    escalated: countOf('Open operations that were escalated to the platform.'),
    unconfirmed: countOf(
      'Operations that were decided for a guide that the courier has not confirmed so far.',
    ),
    surplus: countOf(
      'Operations that were decided although the courier lists a guide that the decision does not use.',
    ),
    past_deadline: countOf(
      'Open operations that are older than the 8 hours after which a person must decide.',
    ),
    oldest: z
      .object({
        operation_id: z.string().meta({ description: 'Its id, for `GET /v1/operations/{id}`.' }),
        status: openEnum(['reconciling', 'needs_review']).meta({
          description: 'Whether reconciliation or a person is working on it.',
        }),
        created_at: timestamp.meta({ description: 'When it was created.' }),
        age_seconds: z.number().meta({
          description: "Its age in seconds on the workspace's clock.",
        }),
      })
      .nullable()
      .meta({
        description:
          'The oldest open operation by the clock of its workspace. `null` if none is open.',
      }),
  })
  .meta({ id: 'OperationStatistics', description: 'The operations that need attention now.' })

export function countOperationsRoute(app: App, deps: StatisticsDeps): void {
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
        workspace_id: workspaceFilter.optional(),
        provider_code: providerFilter.optional(),
      }),
      response: { 200: operationCountsSchema.meta({ description: 'The counts.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { workspace_id: workspaceId, provider_code: providerCode } = request.query
      const of = await tenantScopeOf(deps, principal, workspaceId)
      const { db } = deps
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
