import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { WebhookSealer } from '../../security/encryption/webhook-secrets.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { StoredAttempt } from '../../webhooks/record-attempts.ts'
import type { ApiServices } from '../api-services.ts'
import {
  createdAt,
  idOf,
  knownValues,
  livemode,
  openEnum,
  ownId,
  time,
  timeOrNull,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
  workspaceRef,
} from '../openapi/schemas.ts'
import { exampleDelivery } from '../openapi/webhook-examples.ts'

export const deliveryStates = ['pending', 'delivered', 'dead', 'discarded'] as const

/** The values of `SendError` that count as an attempt. */
const attemptErrors = ['dns', 'blocked', 'connect', 'tls', 'timeout', 'reset', 'protocol']
const deadReasons = [
  'attempts_exhausted',
  'expired',
  'endpoint_gone',
  'unsendable',
  'endpoint_disabled',
  'endpoint_deleted',
]

export const deliverySchema = z
  .object({
    id: ownId('dlv'),
    object: typeOf('webhook_delivery'),
    livemode,
    workspace_id: workspaceRef,
    event_id: idOf('evt').meta({ description: 'The event that is delivered.' }),
    event_type: z.string().meta({
      description: 'The `type` of the delivered event.',
      example: exampleDelivery.event_type,
    }),
    endpoint_id: idOf('whe').meta({ description: 'The endpoint that it is sent to.' }),
    shipment_id: idOf('shp').nullable().meta({
      description: 'The shipment that the event is about. `null` if it is about none.',
    }),
    state: openEnum(deliveryStates).meta({
      description: valuesText<(typeof deliveryStates)[number]>('Current state.', {
        pending: 'the next attempt is at `next_attempt_at`.',
        delivered: 'the receiver answered 2xx.',
        dead: 'it is not tried again, because of `dead_reason`. These are the dead letters.',
        discarded: 'the endpoint was disabled or removed.',
      }),
    }),
    attempts: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'When the attempt began.' }),
          status_code: z.int().nullable().meta({
            description: 'The status of the response. `null` if there was none.',
          }),
          latency_ms: z.int().meta({ description: 'How long the attempt took, in milliseconds.' }),
          error: knownValues(attemptErrors).nullable().meta({
            description:
              'Why there was no response. `blocked`: the address is private. After `reset`, `protocol` and `timeout` the receiver may still have received it. `null` if there was a response.',
          }),
          response_excerpt: z.string().nullable().meta({
            description: 'The first 2 KiB of the response. `null` in lists, and if there was none.',
          }),
        }),
      )
      .meta({ description: 'Every attempt so far, oldest first.' }),
    next_attempt_at: timestamp.nullable().meta({
      description: "When the next attempt is due, on the workspace's clock. `null` if none is.",
    }),
    dead_reason: knownValues(deadReasons).nullable().meta({
      description:
        'Why it is dead. `attempts_exhausted`: every attempt failed. `expired`: the endpoint failed for the whole duration of the retry schedule, so not every attempt was made. `endpoint_gone`: it answered 410. `endpoint_disabled`, `endpoint_deleted`: the endpoint was disabled or removed. `unsendable`: the service could not make the request, so the last attempt sent nothing; an operator must fix the cause and then redeliver it. `null` if it is not dead.',
    }),
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of one event to one endpoint, with its attempts.',
    examples: [exampleDelivery],
  })
export type DeliveryObject = z.infer<typeof deliverySchema>

/** An attempt, whose response excerpt may be left out. */
type Attempt = Omit<StoredAttempt, 'excerpt'> & Partial<Pick<StoredAttempt, 'excerpt'>>
export type DeliveryRow = Omit<
  Selectable<Database['webhook_deliveries']>,
  'attempts' | 'at_once' | 'again_at'
> & {
  readonly attempts: readonly Attempt[]
}

/** If `sealer` is null, the receivers' responses are not shown. */
export function deliveryObject(row: DeliveryRow, sealer: WebhookSealer | null): DeliveryObject {
  return {
    id: row.id,
    object: 'webhook_delivery',
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    event_id: row.event_id,
    event_type: row.event_type,
    endpoint_id: row.endpoint_id,
    shipment_id: row.shipment_id,
    state: row.state,
    attempts: row.attempts.map(({ at, status_code, latency_ms, error, excerpt = null }) => ({
      at: time(new Date(at)),
      status_code,
      latency_ms,
      error,
      response_excerpt:
        excerpt === null || sealer === null ? null : sealer.openExcerpt(row.id, excerpt),
    })),
    next_attempt_at: timeOrNull(row.next_attempt_at),
    dead_reason: row.dead_reason,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    version: row.version,
  }
}

/** The attempts without the receivers' responses, which can take 2 KiB each. */
const withoutExcerpts = sql<readonly Attempt[]>`(
  SELECT coalesce(jsonb_agg(one.attempt - 'excerpt' ORDER BY one.n), '[]')
  FROM jsonb_array_elements(attempts) WITH ORDINALITY AS one(attempt, n))`

/** Deliveries as lists show them. The caller must restrict them to a key's reach. */
export function listedDeliveries(db: ApiServices['db']) {
  return db
    .selectFrom('webhook_deliveries')
    .select([
      ...(['id', 'event_id', 'endpoint_id', 'organization_id', 'workspace_id'] as const),
      ...(['livemode', 'event_type', 'shipment_id', 'state', 'tries'] as const),
      ...(['next_attempt_at', 'dead_reason'] as const),
      ...(['created_at', 'updated_at', 'version'] as const),
    ])
    .select(withoutExcerpts.as('attempts'))
}

/** The delivery, or 404 as for any id that never existed. */
export async function findDelivery(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  id: string,
): Promise<DeliveryRow> {
  const row = await deps.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where(inTenantScope(principal))
    .executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row as unknown as DeliveryRow
}
