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
import { withinReach } from '../../security/reach.ts'
import type { DisabledReason } from '../../webhooks/disable.ts'
import { type LaneRow, laneOf } from '../../webhooks/lanes.ts'
import { type EndpointRow as StoredEndpoint, shownEndpoint } from '../../webhooks/shown-endpoint.ts'
import {
  createdAt,
  idOf,
  knownValues,
  livemode,
  openEnum,
  ownId,
  text,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
  workspaceRef,
} from '../openapi/schemas.ts'
import { exampleEndpoint, exampleEndpointRequest } from '../openapi/webhook-examples.ts'
import { administered } from '../rules/resources/administered.ts'
import type { RouteDeps } from '../server-deps.ts'

/** The same limit as `checkWebhookUrl`. */
const urlLengthMax = 2_048
const descriptionLengthMax = 500
/** More than the types and families that exist today. */
const eventTypesMax = 64

const families = webhookFamilies as [string, ...string[]]
const subscriptions = [...webhookTypeNames, ...families] as [string, ...string[]]

/** The description of a field that is a type, or types, of webhooks. */
export const typesText = (about: string) => valuesText<WebhookType>(about, webhookTypes)

const url = text(urlLengthMax).meta({
  description:
    'Where events are sent. In live mode https only. Never a private, loopback or link-local address, and without credentials or a fragment.',
})
const aboutDescription = { description: 'Your own note on what it is for. `null`: there is none.' }
const description = text(descriptionLengthMax).nullable().meta(aboutDescription)
const eventTypes = z
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

export const createEndpointBody = z
  .strictObject({
    workspace_id: idOf('ws').meta({ description: 'The workspace whose events are sent.' }),
    url,
    description: description.optional(),
    event_types: eventTypes,
  })
  .meta({
    description: 'Where events are sent, and which.',
    examples: [exampleEndpointRequest()],
  })
export const endpointStatuses = ['enabled', 'disabled'] as const
export const changeEndpointBody = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    event_types: eventTypes.optional(),
    status: z.enum(endpointStatuses).optional().meta({
      description: '`disabled`: nothing is sent any more. `enabled`: clears earlier failures.',
    }),
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ event_types: exampleEndpointRequest().event_types }],
  })
export type CreateEndpoint = z.infer<typeof createEndpointBody>
export type ChangeEndpoint = z.infer<typeof changeEndpointBody>

/** Set by a PATCH, or for a `DisabledReason`. */
const disabledReasons = ['by_owner', 'gone', 'failing'] satisfies (DisabledReason | 'by_owner')[]

const healthSchema = z
  .object({
    state: openEnum(['ok', 'failing']).meta({
      description: '`failing` from the third failure in a row until a success, otherwise `ok`.',
    }),
    failing_since: timestamp.nullable().meta({
      description: 'When the first of those failures happened. `null` while the state is `ok`.',
    }),
    last_success_at: timestamp.nullable().meta({
      description: 'When an attempt last succeeded. `null`: none has.',
    }),
    next_probe_at: timestamp.nullable().meta({
      description:
        'When the next attempt is due while the endpoint is paused. `null`: it is not paused. Deliveries requested by hand are sent at once.',
    }),
  })
  .meta({
    description:
      "How deliveries fare, on the workspace's clock. It changes by itself, without a new `version`.",
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
        'Why it is disabled. `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: disabled by a PATCH. `null`: it is enabled.',
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
        'Until then the previous secret also signs deliveries, in real time. `null`: there is no previous one.',
    }),
  })
  .meta({
    id: 'WebhookEndpointWithSecret',
    description: 'A webhook endpoint, with a new signing secret.',
  })

/** With its health, and the time on its workspace's clock. */
export type EndpointRow = StoredEndpoint & {
  readonly lane: StoredLane
  readonly clock: Date
}
type StoredLane = {
  readonly [K in keyof LaneRow]: LaneRow[K] extends number ? number : string | null
}

function healthOf({ lane, status, clock }: EndpointRow): EndpointHealth {
  const at = (text: string | null) => (text === null ? null : new Date(text))
  const row = {
    ...lane,
    counted_at: at(lane.counted_at),
    open_until: at(lane.open_until),
    failing_since: at(lane.failing_since),
    last_success_at: at(lane.last_success_at),
  }
  return endpointHealth(laneOf(row), { isEnabled: status === 'enabled', now: clock.getTime() })
}

export function endpointObject(row: EndpointRow): z.infer<typeof endpointSchema> {
  return {
    ...shownEndpoint(row, healthOf(row)),
  }
}

const lane = sql<StoredLane>`(
  SELECT to_json(l) FROM webhook_lanes l
  WHERE l.endpoint_id = webhook_endpoints.id
    AND l.organization_id = webhook_endpoints.organization_id)`
const clock = sql<Date>`now() + coalesce((
  SELECT c.offset_ms FROM sandbox_clocks c
  WHERE c.workspace_id = webhook_endpoints.workspace_id AND NOT webhook_endpoints.livemode
), 0) * interval '1 millisecond'`

/**
 * The endpoints within a key's reach, including deleted ones: their deliveries can still be read.
 */
function ownEndpoints(db: RouteDeps['db'], principal: Principal) {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .select([lane.as('lane'), clock.as('clock')])
    .where(withinReach(principal))
}

export const endpoints = administered({
  name: 'webhook-endpoint',
  reachable: (db, principal) => ownEndpoints(db, principal).where('deleted_at', 'is', null),
  show: endpointObject,
})

/** The endpoint, deleted or not, or 404 as for any id that never existed. */
export async function findOwnEndpoint(
  deps: Pick<RouteDeps, 'db'>,
  principal: Principal,
  id: string,
): Promise<EndpointRow> {
  const row = await ownEndpoints(deps.db, principal).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
