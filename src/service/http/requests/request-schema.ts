import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { reasons } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import {
  idOf,
  knownValues,
  livemode,
  openEnum,
  ownId,
  time,
  timestamp,
  typeOf,
} from '../openapi/schemas.ts'

export const outcomes = ['not_executed', 'executed', 'unknown'] as const

export const requestSchema = z
  .object({
    id: ownId('req').meta({ description: 'The `X-Request-Id` of the answer.' }),
    object: typeOf('request'),
    livemode,
    workspace_id: idOf('ws').nullable().meta({
      description:
        'The workspace that the key is restricted to. `null` if the key reaches every workspace.',
    }),
    key_id: idOf('key').meta({ description: 'The key that made the request.' }),
    method: z.string().meta({ description: 'The HTTP method.', example: 'POST' }),
    route: z.string().meta({
      description: 'The pattern of the route, without the values in it.',
      example: '/v1/shipments',
    }),
    status: z.int().meta({ description: 'The HTTP status of the answer.', example: 409 }),
    reason: knownValues(reasons).nullable().meta({
      description: 'The reason of the problem. `null` if the answer was no problem.',
    }),
    outcome: openEnum(outcomes).nullable().meta({
      description: 'What a failed change did. `null` if it did not fail, or was no change.',
    }),
    duration_ms: z.int().meta({ description: 'How long it took, in milliseconds.' }),
    represents: z.number().meta({
      description:
        'How many requests this one stands for: 1, unless there were more than twenty of its kind in that second. The kinds are successes, 429 answers and other errors.',
    }),
    created_at: timestamp.meta({ description: 'When it was answered.' }),
  })
  .meta({
    id: 'Request',
    description: 'A request that a key made.',
    examples: [exampleRequest()],
  })

function exampleRequest() {
  const value = '0aB1cD2eF3gH4iJ5kL6mN7'
  return {
    id: `req_${value}`,
    object: 'request',
    livemode: false,
    workspace_id: null,
    key_id: `key_${value}`,
    method: 'POST',
    route: '/v1/shipments',
    status: 409,
    reason: 'unknown_outcome',
    outcome: 'unknown',
    duration_ms: 1_204,
    represents: 1,
    created_at: '2026-03-01T12:00:00.000Z',
  } as const
}

export type RequestRow = Selectable<Database['request_log']>

export function requestObject(row: RequestRow): z.infer<typeof requestSchema> {
  return {
    id: row.id,
    object: 'request',
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    key_id: row.key_id,
    method: row.method,
    route: row.route,
    status: row.status,
    reason: row.reason,
    outcome: row.outcome,
    duration_ms: row.duration_ms,
    represents: row.represents,
    created_at: time(row.created_at),
  }
}

/** The requests within a key's reach. */
export function reachableRequests(db: ApiServices['db'], principal: Principal) {
  return db.selectFrom('request_log').selectAll().where(inTenantScope(principal))
}
