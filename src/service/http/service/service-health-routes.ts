import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type WitnessState, witnessStates } from '../../ledger/witnesses/stored-cosignatures.ts'
import {
  damageSentence,
  findFirstCounts,
  recoverCommand,
} from '../../processes/recovery/damages.ts'
import {
  type OpenOperations,
  openOperations,
  type ProjectionLag,
  projectionLags,
} from '../../processes/service-figures.ts'
import { unwritableFiles } from '../../processes/unwritable-files.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import type { Principal } from '../../security/api-keys.ts'
import {
  deliveryCounts,
  endpointCounts,
  oldestUndelivered,
} from '../../webhooks/delivery-figures.ts'
import { livemode, openEnum, providerCode, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { isPlatform } from '../operations/find-operation.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { countOf, countsSchema } from '../statistics/counts.ts'
import { diskFull } from './database-check.ts'

type Deps = Pick<RouteDeps, 'couriers' | 'processes' | 'readiness' | 'store' | 'witnesses'>

/**
 * A courier that has not described itself by then counts as unreachable, so that health answers
 * soon.
 */
const courierWaitMs = 2_000

const openSchema = z.object({
  status: openEnum(['reconciling', 'needs_review']).meta({
    description: 'What they wait for: reconciliation, or a person.',
  }),
  count: countOf('How many there are.'),
  oldest_age_seconds: z.number().nullable().meta({
    description: 'The age of the oldest, in seconds. `null`: there is none.',
  }),
  ages: countsSchema({
    under_10_minutes: 'Younger than 10 minutes.',
    under_1_hour: 'Younger than an hour.',
    under_1_day: 'Younger than a day.',
    older: 'A day old or older.',
  }).meta({ description: 'How many there are of each age; each is counted once.' }),
})

const projectionSchema = z.object({
  name: z.string().meta({ description: 'What is kept up to date.', example: 'shipments' }),
  state: openEnum(['working', 'stopped']).meta({
    description: '`stopped`: it could not apply an event, so lists no longer follow.',
  }),
  generation: z.int().meta({ description: 'Grows with every rebuild.' }),
  position: z.string().nullable().meta({
    description: 'How far in the ledger it is. `null` for keys other than those of the platform.',
  }),
  lag_seconds: z.number().meta({ description: 'How far it is behind the ledger, in seconds.' }),
})

const witnessSchema = z.object({
  name: z.string().meta({ description: 'The name of the witness.' }),
  key_id: z.string().meta({ description: 'The key that it cosigns with.' }),
  state: openEnum(['cosigning', 'silent']).meta({
    description:
      '`silent`: a checkpoint has been waiting for its cosignature for over a minute. Otherwise `cosigning`.',
  }),
  cosigned_tree_size: countOf('How many events the last checkpoint that it cosigned covers.'),
  cosigned_at: timestamp.nullable().meta({
    description: 'When it last cosigned a checkpoint. `null`: never.',
  }),
  waiting_seconds: z.number().meta({
    description: 'The age of the oldest checkpoint after that, in seconds. 0: none waits.',
  }),
})

const ledgerSchema = z
  .object({
    state: openEnum(['ok', 'damaged']).meta({
      description:
        '`damaged`: the ledger has lost events. Nothing is created or cancelled until its operator has recovered it.',
    }),
    damaged_since: timestamp.nullable().meta({
      description: 'When that was noticed. `null` while the ledger is not damaged.',
    }),
    detail: z.string().nullable().meta({
      description:
        'What was expected and what is there. `null` while it is not damaged, and for keys other than those of the platform.',
    }),
    command: z.string().nullable().meta({
      description: 'The command that helps. `null` as for `detail`.',
    }),
    find_first: z
      .object({
        until: timestamp.meta({ description: 'When this ends.' }),
        asked: countOf('How many keys were first asked of their courier.'),
        found: countOf('How many of them had a guide, which was recorded and not created again.'),
        created: countOf('How many had none, and were created.'),
      })
      .nullable()
      .meta({
        description:
          'After a recovery, a key that the ledger does not know is first asked of its courier. `null` if none need be asked, and for keys other than those of the platform.',
      }),
  })
  .meta({ description: 'Whether the ledger holds everything that was recorded in it.' })
const unwritableSchema = z.object({
  file: openEnum(['checkpoints', 'erasures']).meta({
    description:
      '`checkpoints`: events are recorded but not sealed until it can be written. `erasures`: the list of erasures.',
  }),
  code: z.string().meta({
    description: 'The code that the operating system gave: `ENOSPC` means that the disk is full.',
    example: 'ENOSPC',
  }),
  since: timestamp.meta({ description: 'When it could first not be written.' }),
})

const healthSchema = z
  .object({
    object: typeOf('health'),
    livemode,
    status: openEnum(['ok', 'degraded']).meta({
      description:
        '`ok`, or `degraded`: the ledger is damaged, a projection is stalled, a courier is unreachable, the database or a file cannot be written, or a webhook endpoint is failing or was disabled by the service. For the platform also: a witness is silent.',
    }),
    database: openEnum(['ok', 'disk_full', 'failing']).meta({
      description:
        '`disk_full`: the database answers reads, but what must be stored is refused with 503. `failing`: it cannot be used for another reason.',
    }),
    unwritable_files: z.array(unwritableSchema).meta({
      description: 'Files beside the database that cannot be written. Empty: all can.',
    }),
    ledger: ledgerSchema,
    projections: z.array(projectionSchema).meta({
      description: 'What is derived from the ledger, such as the lists.',
    }),
    operations: z
      .array(openSchema)
      .meta({ description: 'Open operations, at most the 10,000 oldest of each status.' }),
    couriers: z
      .array(
        z.object({
          provider_code: providerCode,
          status: openEnum(['reachable', 'unreachable']).meta({
            description: 'Whether it answers when it is asked what it can do.',
          }),
        }),
      )
      .meta({ description: 'The couriers that the key may use.' }),
    oldest_undelivered: z
      .object({
        event_id: z.string().meta({ description: 'What `GET /v1/events/{id}` reads it by.' }),
        age_seconds: z.number().meta({ description: 'How long it has waited, in seconds.' }),
      })
      .nullable()
      .meta({
        description:
          "The webhook event that has waited longest for its endpoint, on its workspace's clock. `null`: none waits.",
      }),
    deliveries: countsSchema({
      pending: 'Still to be sent, or to be tried again.',
      dead: 'Not tried again.',
      discarded: 'For an endpoint that was disabled or removed.',
    }).meta({
      description: 'Webhook deliveries of the last 30 days, at most 10,000 of each state.',
    }),
    webhook_endpoints: countsSchema({
      ok: 'Enabled, and not failing.',
      failing: 'Enabled, with three failures in a row or more.',
      disabled: 'Disabled by you or by the service.',
    }).meta({ description: 'Webhook endpoints, by how deliveries fare.' }),
    witnesses: z.array(witnessSchema).meta({
      description: 'The witnesses of the ledger. Only the platform sees them.',
    }),
  })
  .meta({ id: 'Health', description: 'The state of the service, as far as the key may see it.' })

export function serviceHealthRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/health',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'getHealth',
      summary: 'Read the health of the service, within the reach of this key',
      description:
        'For a dashboard or an alert. It answers 200 in either state: read `status`. The platform sees the operations of every organization, other keys see their own.',
      tags: ['Health'],
      response: { 200: healthSchema.meta({ description: 'The state, now.' }) },
    },
    handler: async (request) => await healthObject(deps, authenticated(request).principal),
  })
}

async function healthObject(deps: Deps, principal: Principal) {
  const { livemode, workspaceId } = principal
  const organizationId = isPlatform(principal) ? null : principal.organizationId
  const of = { organizationId, workspaceId, livemode }
  const { db } = deps.processes
  const isOfPlatform = organizationId === null
  const [
    ledger,
    database,
    unwritable,
    lags,
    open,
    couriers,
    oldest,
    deliveries,
    endpoints,
    witnesses,
  ] = await Promise.all([
    ledgerObject(deps.processes, isOfPlatform),
    databaseState(deps),
    unwritableFiles(db),
    lagsOf(deps),
    openOperations(db, of),
    courierStates(deps, livemode),
    oldestUndelivered(db, of),
    deliveryCounts(db, of),
    endpointCounts(db, of),
    witnessStates(db, organizationId === null ? deps.witnesses : []),
  ])
  const isWell =
    ledger.state === 'ok' &&
    database === 'ok' &&
    unwritable.length === 0 &&
    lags.every((one) => one.stoppedBy === null) &&
    couriers.every(({ status }) => status === 'reachable') &&
    endpoints.failing === 0 &&
    endpoints.gaveUp === 0 &&
    witnesses.every(({ state }) => state === 'cosigning')
  return {
    object: 'health' as const,
    livemode,
    status: isWell ? ('ok' as const) : ('degraded' as const),
    ledger,
    database,
    unwritable_files: unwritable.map(({ file, code, since }) => ({
      file,
      code,
      since: time(since),
    })),
    projections: lags.map((lag) => projectionObject(lag, isOfPlatform)),
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
}

/** A damaged ledger does not say how far it is: then the projections stand still. */
async function lagsOf({
  processes: { db, guard },
  store,
}: Deps): Promise<readonly ProjectionLag[]> {
  if (guard.damage === null) return await projectionLags(db, store)
  const statuses = (await projectionStatuses(db)).filter(({ active }) => active)
  return statuses.map((status) => ({ ...status, lagSeconds: 0 }))
}

async function ledgerObject({ db, guard }: Deps['processes'], isOfPlatform: boolean) {
  const { damage, findFirst } = guard
  // They count the keys of all organizations.
  const counts =
    findFirst !== null && isOfPlatform ? await findFirstCounts(db, findFirst.damageId) : null
  const shown = isOfPlatform ? damage : null
  return {
    state: damage === null ? ('ok' as const) : ('damaged' as const),
    damaged_since: damage === null ? null : time(damage.noticedAt),
    detail: shown === null ? null : damageSentence(shown),
    command: shown === null ? null : recoverCommand,
    find_first:
      findFirst === null || counts === null ? null : { until: time(findFirst.until), ...counts },
  }
}

async function databaseState({ readiness }: Deps) {
  const trouble = await readiness.database?.()
  if (trouble == null) return 'ok' as const
  return trouble === diskFull ? ('disk_full' as const) : ('failing' as const)
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
