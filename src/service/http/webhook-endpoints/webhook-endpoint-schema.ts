import { sql } from 'kysely'
import { z } from 'zod'
import { type EndpointHealth, endpointHealth } from '../../domain/webhooks/webhook-delivery.ts'
import {
  type WebhookType,
  webhookFamilies,
  webhookTypeNames,
  webhookTypes,
} from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import { type BreakerRow, breakerOf } from '../../webhooks/breaker-rows.ts'
import type { DisabledReason } from '../../webhooks/disable.ts'
import {
  endpointToApi,
  type EndpointRow as StoredEndpoint,
} from '../../webhooks/endpoint-to-api.ts'
import { secretText } from '../../webhooks/sign.ts'
import type { ApiServices } from '../api-services.ts'
import {
  createdAt,
  knownValues,
  livemode,
  openEnum,
  ownId,
  text,
  timeOrNull,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
  workspaceRef,
} from '../openapi/schemas.ts'
import { exampleEndpoint } from '../openapi/webhook-examples.ts'
import { administered } from '../rules/resources/administered.ts'

/** The same limit as `checkWebhookUrl`. */
const urlLengthMax = 2_048
const descriptionLengthMax = 500
/** More than there are types and families. */
const eventTypesMax = 64

const families = webhookFamilies as [string, ...string[]]
const subscriptions = [...webhookTypeNames, ...families] as [string, ...string[]]

/** Describes a field that holds webhook types. */
export const typesText = (about: string) => valuesText<WebhookType>(about, webhookTypes)

export const webhookUrl = text(urlLengthMax).meta({
  description:
    'Where events are sent. In live mode it must be https. It must not be a private, loopback or link-local address, and must have no credentials or fragment.',
})
const aboutDescription = {
  description: 'Your own note on what it is for. `null` if there is none.',
}
export const webhookDescription = text(descriptionLengthMax).nullable().meta(aboutDescription)
export const eventTypes = z
  .array(z.enum(subscriptions))
  .min(1)
  .max(eventTypesMax)
  .refine((types) => new Set(types).size === types.length, {
    error: 'Each type may be named only once.',
    params: { reason: 'duplicate' },
  })
  .meta({
    description: typesText(
      'Which events are sent: types, or families such as `shipment.*`. The types are:',
    ),
  })

export const endpointStatuses = ['enabled', 'disabled'] as const
export const endpointHealths = ['ok', 'failing'] as const
/** `by_owner` is set by a PATCH, the others by the service. */
const disabledReasons = ['by_owner', 'gone', 'failing'] satisfies (DisabledReason | 'by_owner')[]

const healthSchema = z
  .object({
    state: openEnum(endpointHealths).meta({
      description: '`failing` from the third failure in a row until a success, otherwise `ok`.',
    }),
    failing_since: timestamp.nullable().meta({
      description: 'When the first of those failures happened. `null` while the state is `ok`.',
    }),
    last_success_at: timestamp.nullable().meta({
      description: 'When an attempt last succeeded. `null` if none has.',
    }),
    next_probe_at: timestamp.nullable().meta({
      description:
        'When the next attempt is due while the endpoint is paused. `null` if it is not paused. Deliveries requested by hand are sent at once.',
    }),
  })
  .meta({
    description:
      "How deliveries to it are doing, on the workspace's clock. It changes by itself, without a new `version`.",
  })

export const endpointSchema = z
  .object({
    id: ownId('whe'),
    object: typeOf('webhook_endpoint'),
    livemode,
    workspace_id: workspaceRef,
    url: z.string().meta({ description: 'Where events are sent.' }),
    description: z.string().nullable().meta(aboutDescription),
    event_types: z.array(knownValues(subscriptions)).meta({
      description: 'Which events are sent: types, or families such as `shipment.*`.',
    }),
    status: openEnum(endpointStatuses).meta({
      description: '`enabled`, or `disabled`: nothing is sent.',
    }),
    disabled_reason: knownValues(disabledReasons).nullable().meta({
      description:
        'Why it is disabled. `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. `null` if it is enabled.',
    }),
    health: healthSchema,
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'WebhookEndpoint',
    description: "A URL that a workspace's events are sent to.",
    examples: [exampleEndpoint],
  })

export const endpointWithSecretSchema = endpointSchema
  .extend({
    secret: z.string().nullable().meta({
      description:
        'The secret that signs deliveries, shown only this once. `null` if an earlier request with the same Idempotency-Key created it; if that answer was lost, rotate the secret with another key.',
    }),
    previous_secret_expires_at: timestamp.nullable().meta({
      description:
        'Until then, in real time, the previous secret also signs deliveries. `null` if there is no previous secret.',
    }),
  })
  .meta({
    id: 'WebhookEndpointWithSecret',
    description: 'A webhook endpoint, with a new signing secret.',
  })

/** An endpoint with its health and the time on its workspace's clock. */
export type EndpointRow = StoredEndpoint & {
  readonly breaker: StoredBreaker
  readonly clock: Date
}
type StoredBreaker = {
  readonly [K in keyof BreakerRow]: BreakerRow[K] extends number ? number : string | null
}

function healthOf({ breaker, status, clock }: EndpointRow): EndpointHealth {
  const at = (text: string | null) => (text === null ? null : new Date(text))
  const row = {
    ...breaker,
    counted_at: at(breaker.counted_at),
    open_until: at(breaker.open_until),
    failing_since: at(breaker.failing_since),
    last_success_at: at(breaker.last_success_at),
  }
  return endpointHealth(breakerOf(row), { isEnabled: status === 'enabled', now: clock.getTime() })
}

export function endpointObject(row: EndpointRow): z.infer<typeof endpointSchema> {
  return endpointToApi(row, healthOf(row))
}

/** With its new secret, or null for a repeat, which does not show it again. */
export function endpointWithSecret(
  row: EndpointRow,
  secret: Buffer | null,
  previousUntil: Date | null,
): z.infer<typeof endpointWithSecretSchema> {
  return {
    ...endpointObject(row),
    secret: secret === null ? null : secretText(secret),
    previous_secret_expires_at: timeOrNull(previousUntil),
  }
}

const breakerSql = sql<StoredBreaker>`(
  SELECT to_json(l) FROM webhook_lanes l
  WHERE l.endpoint_id = webhook_endpoints.id
    AND l.organization_id = webhook_endpoints.organization_id)`
const clock = sql<Date>`now() + coalesce((
  SELECT c.offset_ms FROM sandbox_clocks c
  WHERE c.workspace_id = webhook_endpoints.workspace_id AND NOT webhook_endpoints.livemode
), 0) * interval '1 millisecond'`

/**
 * The endpoints within a key's reach, including deleted ones, whose deliveries can still be read.
 */
function ownEndpoints(db: ApiServices['db'], principal: Principal) {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .select([breakerSql.as('breaker'), clock.as('clock')])
    .where(inTenantScope(principal))
}

export const endpoints = administered({
  name: 'webhook-endpoint',
  reachable: (db, principal) => ownEndpoints(db, principal).where('deleted_at', 'is', null),
  show: endpointObject,
})

/** The endpoint, deleted or not, or 404 as for any id that never existed. */
export async function findOwnEndpoint(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  id: string,
): Promise<EndpointRow> {
  const row = await ownEndpoints(deps.db, principal).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
