import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type WitnessState, witnessStates } from '../../ledger/witnesses/stored-cosignatures.ts'
import {
  type OpenOperations,
  openOperations,
  type ProjectionLag,
  projectionLags,
} from '../../processes/service-figures.ts'
import {
  deliveryCounts,
  endpointCounts,
  oldestUndelivered,
} from '../../webhooks/delivery-figures.ts'
import { openEnum, time, timestamp } from '../openapi/schemas.ts'
import { isPlatform } from '../operations/find-operation.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'couriers' | 'processes' | 'store' | 'witnesses'>

/**
 * A courier that has not described itself by then counts as unreachable, so that health answers
 * soon.
 */
const courierWaitMs = 2_000

const count = z.int().min(0)
const openSchema = z.object({
  status: openEnum(['reconciling', 'needs_review']),
  count,
  oldest_age_seconds: z.number().nullable(),
  ages: z.object({
    under_10_minutes: count,
    under_1_hour: count,
    under_1_day: count,
    older: count,
  }),
})

const witnessSchema = z.object({
  name: z.string(),
  key_id: z.string(),
  state: openEnum(['cosigning', 'silent']).meta({
    description: '`silent`: a checkpoint has been waiting for its cosignature for over a minute.',
  }),
  cosigned_tree_size: count.meta({ description: 'Events covered by the last one; 0 = none' }),
  cosigned_at: timestamp.nullable(),
  waiting_seconds: z
    .number()
    .meta({ description: 'Age of the oldest checkpoint after it; 0 = none waits' }),
})

const healthSchema = z
  .object({
    object: z.literal('health'),
    livemode: z.boolean(),
    status: openEnum(['ok', 'degraded']).meta({
      description:
        '`degraded`: a projection is stalled, a courier is unreachable, or a webhook endpoint is failing or was disabled by the service. For the platform also: a witness is silent.',
    }),
    projections: z.array(
      z.object({
        name: z.string(),
        state: openEnum(['working', 'stopped']),
        generation: z.int(),
        position: z.string().nullable(),
        lag_seconds: z.number(),
      }),
    ),
    operations: z
      .array(openSchema)
      .meta({ description: 'Open operations, at most the 10 000 oldest of each status.' }),
    couriers: z.array(
      z.object({ provider_code: z.string(), status: openEnum(['reachable', 'unreachable']) }),
    ),
    oldest_undelivered: z
      .object({ event_id: z.string(), age_seconds: z.number() })
      .nullable()
      .meta({
        description:
          "The webhook event that has waited longest for its endpoint, on its workspace's clock.",
      }),
    deliveries: z.object({ pending: count, dead: count, discarded: count }).meta({
      description: 'Webhook deliveries of the last 30 days, at most 10 000 of each state.',
    }),
    webhook_endpoints: z
      .object({ ok: count, failing: count, disabled: count })
      .meta({ description: '`failing`: enabled, with three failures in a row or more.' }),
    witnesses: z.array(witnessSchema).meta({
      description: 'The witnesses of the ledger. Only the platform sees them.',
    }),
  })
  .meta({ id: 'Health' })

export function serviceHealthRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/health',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'getHealth',
      summary: 'Read the health of the service, within the reach of this key',
      description:
        'The platform sees the operations of every organization, other keys see their own.',
      tags: ['Health'],
      response: { 200: healthSchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { livemode, workspaceId } = principal
      const organizationId = isPlatform(principal) ? null : principal.organizationId
      const of = { organizationId, workspaceId, livemode }
      const { db } = deps.processes
      const [lags, open, couriers, oldest, deliveries, endpoints, witnesses] = await Promise.all([
        projectionLags(db, deps.store),
        openOperations(db, of),
        courierStates(deps, livemode),
        oldestUndelivered(db, of),
        deliveryCounts(db, of),
        endpointCounts(db, of),
        witnessStates(db, organizationId === null ? deps.witnesses : []),
      ])
      const isWell =
        lags.every((one) => one.stoppedBy === null) &&
        couriers.every(({ status }) => status === 'reachable') &&
        endpoints.failing === 0 &&
        endpoints.gaveUp === 0 &&
        witnesses.every(({ state }) => state === 'cosigning')
      return {
        object: 'health' as const,
        livemode,
        status: isWell ? ('ok' as const) : ('degraded' as const),
        projections: lags.map((lag) => projectionObject(lag, organizationId === null)),
        operations: open.map(openObject),
        couriers,
        oldest_undelivered: oldest,
        deliveries,
        webhook_endpoints: {
          ok: endpoints.ok,
          failing: endpoints.failing,
          disabled: endpoints.disabled,
        },
        witnesses: witnesses.map(witnessObject),
      }
    },
  })
}

/** Positions count the events of all organizations, so only the platform sees them. */
function projectionObject(lag: ProjectionLag, isPlatformKey: boolean) {
  return {
    name: lag.name,
    state: lag.stoppedBy === null ? ('working' as const) : ('stopped' as const),
    generation: lag.generation,
    position: isPlatformKey ? lag.position : null,
    lag_seconds: lag.lagSeconds,
  }
}

function witnessObject(witness: WitnessState) {
  return {
    name: witness.name,
    key_id: witness.keyId,
    state: witness.state,
    cosigned_tree_size: witness.cosignedSize,
    cosigned_at: witness.cosignedAt === null ? null : time(witness.cosignedAt),
    waiting_seconds: witness.waitingSeconds,
  }
}

function openObject(open: OpenOperations) {
  return {
    status: open.status,
    count: open.count,
    oldest_age_seconds: open.oldestAgeSeconds,
    ages: open.ages,
  }
}

async function courierStates(deps: Deps, livemode: boolean) {
  const stop = new AbortController()
  const late = delay(courierWaitMs, null, { signal: stop.signal }).catch(() => null)
  try {
    const codes = deps.couriers.codes({ livemode })
    return await Promise.all(
      codes.map(async (providerCode) => {
        const courier = deps.couriers.courierFor({ livemode, providerCode })
        const told = await Promise.race([courier?.capabilities() ?? null, late])
        const status = told === null ? ('unreachable' as const) : ('reachable' as const)
        return { provider_code: providerCode, status }
      }),
    )
  } finally {
    stop.abort()
  }
}
