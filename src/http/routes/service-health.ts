import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import {
  type OpenOperations,
  openOperations,
  type ProjectionLag,
  projectionLags,
} from '../../processes/service-figures.ts'
import { oldestUndelivered } from '../../webhooks/delivery-figures.ts'
import { authenticated } from '../authenticate.ts'
import type { App } from '../deps.ts'
import { isPlatform } from '../find-operation.ts'
import type { LedgerDeps } from '../ledger-deps.ts'
import { openEnum } from '../schemas.ts'

/** A courier that has not described itself by then is shown as unreachable: health answers soon. */
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

const healthSchema = z
  .object({
    object: z.literal('health'),
    livemode: z.boolean(),
    status: openEnum(['ok', 'degraded']),
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
      .meta({ description: 'Open ones, at most the 10 000 oldest of each status.' }),
    couriers: z.array(
      z.object({ provider_code: z.string(), status: openEnum(['reachable', 'unreachable']) }),
    ),
    oldest_undelivered: z
      .object({ event_id: z.string(), age_seconds: z.number() })
      .nullable()
      .meta({ description: 'The oldest webhook event that waits for its endpoint.' }),
  })
  .meta({ id: 'Health' })

export function serviceHealthRoutes(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/health',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'getHealth',
      summary: 'How the service does, as far as this key is concerned',
      description: 'The platform sees the operations of every organization, others their own.',
      tags: ['Health'],
      response: { 200: healthSchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { livemode, workspaceId } = principal
      const organizationId = isPlatform(principal) ? null : principal.organizationId
      const [lags, open, couriers, oldest] = await Promise.all([
        projectionLags(deps.processes.db, deps.store),
        openOperations(deps.processes.db, { organizationId, workspaceId, livemode }),
        courierStates(deps, livemode),
        oldestUndelivered(deps.processes.db, { organizationId, workspaceId, livemode }),
      ])
      const isWell =
        lags.every((one) => one.stoppedBy === null) &&
        couriers.every(({ status }) => status === 'reachable')
      return {
        object: 'health' as const,
        livemode,
        status: isWell ? ('ok' as const) : ('degraded' as const),
        projections: lags.map((lag) => projectionObject(lag, organizationId === null)),
        operations: open.map(openObject),
        couriers,
        oldest_undelivered: oldest,
      }
    },
  })
}

/** Positions count everybody's events: they are the platform's. */
function projectionObject(lag: ProjectionLag, isPlatformKey: boolean) {
  return {
    name: lag.name,
    state: lag.stoppedBy === null ? ('working' as const) : ('stopped' as const),
    generation: lag.generation,
    position: isPlatformKey ? lag.position : null,
    lag_seconds: lag.lagSeconds,
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

async function courierStates(deps: LedgerDeps, livemode: boolean) {
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
