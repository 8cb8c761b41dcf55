import { z } from 'zod'
import { type WitnessState, witnessStates } from '../../ledger/witnesses/stored-cosignatures.ts'
import { endedInTime } from '../../pause.ts'
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
} from '../../processes/service-metrics.ts'
import { unwritableFiles } from '../../processes/unwritable-files.ts'
import { projectionStatuses } from '../../projector/checkpoint.ts'
import type { Principal } from '../../security/api-keys.ts'
import {
  deliveryCounts,
  endpointCounts,
  oldestUndelivered,
} from '../../webhooks/delivery-metrics.ts'
import type { ApiServices, App } from '../api-services.ts'
import { livemode, openEnum, providerCode, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { isPlatform } from '../operations/find-operation.ts'
import { authenticated } from '../rules/authenticate.ts'
import { countOf, countsSchema } from '../statistics/counts.ts'
import { diskFull } from './database-check.ts'

/** A courier that has not described itself within this time counts as unreachable. */
const courierWaitMs = 2_000

const openSchema = z.object({
  status: openEnum(['reconciling', 'needs_review']).meta({
    description: 'What the operations wait for: reconciliation or a person.',
  }),
  count: countOf('How many operations there are.'),
  oldest_age_seconds: z.number().nullable().meta({
    description: 'The age of the oldest, in seconds. `null` if there is none.',
  }),
  ages: countsSchema({
    under_10_minutes: 'Younger than 10 minutes.',
    under_1_hour: 'Younger than an hour.',
    under_1_day: 'Younger than a day.',
    older: 'A day old or older.',
  }).meta({ description: 'How many operations there are of each age. Each is counted once.' }),
})

const projectionSchema = z.object({
  name: z.string().meta({ description: 'The name of the projection.', example: 'shipments' }),
  state: openEnum(['working', 'stopped']).meta({
    description: '`stopped`: it could not apply an event, so lists are no longer updated.',
  }),
  generation: z.int().meta({ description: 'Grows with every rebuild.' }),
  position: z.string().nullable().meta({
    description:
      'The position in the ledger that it has reached. `null` for keys other than those of the platform.',
  }),
  lag_seconds: z.number().meta({ description: 'How far it lags behind the ledger, in seconds.' }),
})

const witnessSchema = z.object({
  name: z.string().meta({ description: 'The name of the witness.' }),
  key_id: z.string().meta({ description: 'The id of the key that it cosigns with.' }),
  state: openEnum(['cosigning', 'silent']).meta({
    description:
      '`silent` if a checkpoint has waited for its cosignature for over a minute, otherwise `cosigning`.',
  }),
  cosigned_tree_size: countOf('How many events the last checkpoint that it cosigned covers.'),
  cosigned_at: timestamp.nullable().meta({
    description: 'When it last cosigned a checkpoint. `null` if it never did.',
  }),
  waiting_seconds: z.number().meta({
    description: 'The age of the oldest checkpoint that waits for it, in seconds. 0 if none waits.',
  }),
})

const ledgerSchema = z
  .object({
    state: openEnum(['ok', 'damaged']).meta({
      description:
        '`damaged`: the ledger has lost events. Nothing is created or cancelled until the operator of the service has recovered it.',
    }),
    damaged_since: timestamp.nullable().meta({
      description: 'When the damage was found. `null` while the ledger is not damaged.',
    }),
    detail: z.string().nullable().meta({
      description:
        'What was expected and what was found. `null` while the ledger is not damaged, and for keys other than those of the platform.',
    }),
    command: z.string().nullable().meta({
      description: 'The command that recovers the ledger. `null` when `detail` is.',
    }),
    find_first: z
      .object({
        until: timestamp.meta({ description: 'Until when the service asks first.' }),
        asked: countOf('How many keys the couriers were asked about first.'),
        found: countOf(
          'How many of them had a guide, which was recorded instead of being created again.',
        ),
        created: countOf('How many had none and were created.'),
      })
      .nullable()
      .meta({
        description:
          'After a recovery, the service first asks the courier about each key that the ledger does not know. `null` if it need not ask, and for keys other than those of the platform.',
      }),
  })
  .meta({ description: 'Whether the ledger has everything that was recorded in it.' })
const unwritableSchema = z.object({
  file: openEnum(['checkpoints', 'erasures']).meta({
    description:
      '`checkpoints`: events are recorded, but not sealed until the file can be written. `erasures`: the list of erasures.',
  }),
  code: z.string().meta({
    description: 'The code that the operating system gave: `ENOSPC` means that the disk is full.',
    example: 'ENOSPC',
  }),
  since: timestamp.meta({ description: 'Since when it cannot be written.' }),
})

const healthSchema = z
  .object({
    object: typeOf('health'),
    livemode,
    status: openEnum(['ok', 'degraded']).meta({
      description:
        '`ok`, or `degraded`: the ledger is damaged, a projection has stopped, a courier is unreachable, the database or a file cannot be written, or a webhook endpoint is failing or was disabled by the service. For the platform also: a witness is silent.',
    }),
    database: openEnum(['ok', 'disk_full', 'failing']).meta({
      description:
        '`disk_full`: the database answers reads, but requests that store something are refused with 503. `failing`: it cannot be used for another reason.',
    }),
    unwritable_files: z.array(unwritableSchema).meta({
      description: 'Files outside the database that cannot be written. Empty if all can.',
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
            description: 'Whether it answers a request for its capabilities.',
          }),
        }),
      )
      .meta({ description: 'The couriers that the key may use.' }),
    oldest_undelivered: z
      .object({
        event_id: z.string().meta({ description: 'The id to read with `GET /v1/events/{id}`.' }),
        age_seconds: z.number().meta({ description: 'How long it has waited, in seconds.' }),
      })
      .nullable()
      .meta({
        description:
          "The webhook event that has waited longest for its endpoint, on its workspace's clock. `null` if none waits.",
      }),
    deliveries: countsSchema({
      pending: 'Still to be sent or retried.',
      dead: 'No longer retried.',
      discarded: 'For an endpoint that was disabled or removed.',
    }).meta({
      description: 'Webhook deliveries of the last 30 days, at most 10,000 of each state.',
    }),
    webhook_endpoints: countsSchema({
      ok: 'Enabled, and not failing.',
      failing: 'Enabled, with at least three failures in a row.',
      disabled: 'Disabled by you or by the service.',
    }).meta({ description: 'Webhook endpoints, by their state.' }),
    witnesses: z.array(witnessSchema).meta({
      description: 'The witnesses of the ledger. Empty for keys other than those of the platform.',
    }),
  })
  .meta({ id: 'Health', description: 'The state of the service, as far as the key may see it.' })

export function getHealthRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/health',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'getHealth',
      summary: 'Read the health of the service, as far as the key may see it',
      description:
        'Use it for a dashboard or an alert. It answers 200 in both cases: read `status`. A key of the platform sees the operations of every organization, other keys see those of their own.',
      tags: ['Health'],
      response: { 200: healthSchema.meta({ description: 'The current state.' }) },
    },
    handler: async (request) => await healthObject(deps, authenticated(request).principal),
  })
}

async function healthObject(deps: ApiServices, principal: Principal) {
  const { livemode, workspaceId } = principal
  const organizationId = isPlatform(principal) ? null : principal.organizationId
  const of = { organizationId, workspaceId, livemode }
  const { db } = deps
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
    ledgerObject(deps, isOfPlatform),
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

/** A damaged ledger has no end to compare with. The projections have stopped, so their lag is 0. */
async function lagsOf({ db, guard, store }: ApiServices): Promise<readonly ProjectionLag[]> {
  if (guard.damage === null) return await projectionLags(db, store)
  const statuses = (await projectionStatuses(db)).filter(({ active }) => active)
  return statuses.map((status) => ({ ...status, lagSeconds: 0 }))
}

async function ledgerObject({ db, guard }: ApiServices, isOfPlatform: boolean) {
  const { damage, findFirst } = guard
  // The counts cover all organizations.
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

async function databaseState({ readiness }: ApiServices) {
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

async function courierStates(deps: ApiServices, livemode: boolean) {
  const codes = deps.couriers.codes({ livemode })
  return await Promise.all(
    codes.map(async (providerCode) => {
      const courier = deps.couriers.courierFor({ livemode, providerCode })
      const told = courier && (await endedInTime(courier.describe(), courierWaitMs))
      const status = told === null ? ('unreachable' as const) : ('reachable' as const)
      return { provider_code: providerCode, status }
    }),
  )
}
