import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { errorTable, Problem } from '../../errors.ts'
import { batchKeptDays, storeBatch } from '../../processes/batches/batch-rows.ts'
import { checkCreation } from '../../processes/calls/creation-checks.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import { batchLinesMax } from '../../sheets/batch-columns.ts'
import { refuseHeader } from '../../sheets/csv-lines.ts'
import type { ApiServices, App } from '../api-services.ts'
import { newBatchId } from '../new-ids.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import { csv } from '../rules/sheets/line-bodies.ts'
import { batchBodies, linesGiven, ndjson } from './batch-bodies.ts'
import {
  type BatchQuery,
  batchCheckSchema,
  batchQuery,
  batchRequest,
  batchSchema,
  jsonLinesMax,
} from './batch-schema.ts'
import { checkBatch } from './check-batch.ts'
import { batchObject, findBatch, requireBatch } from './find-batch.ts'
import { occupiedOrders, usableKeys } from './line-keys.ts'
import { type NameLines, nameLines } from './line-names.ts'
import { countOverQuota } from './over-quota.ts'
import {
  judgeLines,
  type KeptLine,
  keysOfParcels,
  ordersWithoutKey,
  refused,
  type SoundLine,
  storedLines,
} from './read-batch.ts'

/** Waiting lines of one organization in one mode: a fair share of a night's work. */
const waitingLinesMax = 100_000

const waitSeconds = 60

export async function createBatchRoute(app: App, deps: ApiServices): Promise<void> {
  await app.register(async (scope) => registerIn(batchBodies(scope as App), deps))
}

function registerIn(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/batches',
    config: {
      collectionScope: 'shipments:write',
      isIdempotent: true,
      headers: ['sandbox-scenario'],
      problems: [
        'not_found',
        'scenario_conflict',
        'sandbox_only',
        'unknown_scenario',
        'courier_unreachable',
      ],
    },
    schema: {
      operationId: 'createBatch',
      summary: 'Create many shipments: one key and one guide per line',
      description: `At most ${jsonLinesMax.toLocaleString('en')} lines as JSON in at most 2 MiB, or ${batchLinesMax.toLocaleString('en')} as NDJSON (\`application/x-ndjson\`) or CSV (\`text/csv\`) in at most 8 MiB. A line has at most 64 KiB and 200 fields. The response comes before any line is created: follow the batch, or wait for the webhook \`batch.completed\`. Each line is checked and answered on its own, exactly as \`POST /v1/shipments\` does: a bad line never affects the others. Send the same batch again after any failure, and to retry failed lines: a line whose shipment has a guide, or may have one, finds that shipment; a line that certainly created nothing is tried again with a new key. A batch is kept for ${batchKeptDays} days after its end.`,
      tags: ['Batches'],
      querystring: batchQuery,
      consumes: ['application/json', ndjson, csv],
      body: batchRequest,
      response: {
        200: batchCheckSchema.meta({
          description: 'Only with `validate=true`: what a creation would refuse.',
        }),
        202: batchSchema.meta({ description: 'The batch. Its lines are being created.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      // A wrong scenario in the header is wrong for every line.
      scenarioOf(request, principal.livemode, undefined)
      if (request.query.validate === true) return reply.code(200).send(await check(deps, request))
      const create = (id: string) => makeBatch(deps, request, id)
      const row = await idempotentCreate(deps, {
        request,
        reply,
        newId: newBatchId,
        create,
        read: (id) => requireBatch(deps, principal, id),
      })
      reply.code(202).header('location', `/v1/batches/${row.id}`)
      return await batchObject(deps, row)
    },
  })
}

/** Reads and stores the batch under this id, unless it is already stored. */
async function makeBatch(deps: ApiServices, request: FastifyRequest, id: string): Promise<string> {
  const { principal, requestId } = authenticated(request)
  if ((await findBatch(deps, principal, id)) !== null) return id
  await refuseTooMany(deps, principal)
  const { organizationId, livemode } = principal
  const skipsInvalid = (request.query as BatchQuery).skip_invalid === true
  const { content, place, reference, ...judges } = await readBatch(deps, request, {
    isCheck: false,
  })
  const { workspaceId } = place
  const { wrapped, ...sealer } = deps.batchSealer.begin({ organizationId, batchId: id })
  const lines = await judgeLines(request, content, {
    ...judges,
    ...(skipsInvalid ? {} : { check: async () => null }),
  })
  const known = await knownOf(deps, principal, { ...place, reference }, lines)
  const { nameLine } = judges
  const owner = { workspaceId, principal, sealer, nameLine, skipsInvalid }
  const batch = {
    id,
    organizationId,
    workspaceId,
    livemode,
    externalReference: reference,
    actor: actorOf(principal),
    requestId,
    wrapped,
  }
  await storeBatch(deps.db, batch, storedLines(content, lines, owner, known))
  deps.workAdded.notify()
  return id
}

async function check(deps: ApiServices, request: FastifyRequest) {
  const { principal } = authenticated(request)
  const { content, place, reference, ...judges } = await readBatch(deps, request, { isCheck: true })
  return await checkBatch(request, content, {
    ...judges,
    knownOf: (lines) => knownOf(deps, principal, { ...place, reference }, lines),
    overQuotaOf: (keys) =>
      countOverQuota(deps, principal, { workspaceId: place.workspaceId, keys }),
  })
}

type Place = {
  readonly workspaceId: string
  readonly connections: ReadonlyMap<string, string>
}

/** Reads the lines of a request. Throws a Problem for what concerns the whole batch. */
async function readBatch(
  deps: ApiServices,
  request: FastifyRequest,
  { isCheck }: { readonly isCheck: boolean },
) {
  const { principal } = authenticated(request)
  const { organizationId } = principal
  const { reference, forAll, body, format } = linesGiven(request)
  const content = await deps.sheets.read(organizationId, body, {
    kind: 'batch',
    format,
    forAll,
    errorsMax: 0,
    isCheck,
    keepsInvalid: true,
  })
  const { header, workspaceId, lines } = content.end
  if (!isCheck && header !== null) refuseHeader(header)
  if (lines === 0) throw refused('', 'too_small', 'A batch has at least one line.')
  if (workspaceId === null) {
    throw refused('/workspace_id', 'required', 'Neither the batch nor its first line names one.')
  }
  await deps.workspaces.require(principal, workspaceId).catch((error: unknown) => {
    throw beforeExecution(error)
  })
  const connections = await connectionsOf(deps, principal, workspaceId)
  const { courier_connection_id: ofAll } = forAll
  if (ofAll !== undefined && !connections.has(ofAll)) throw new Problem('not_found')
  const { names = {} } = request.query as BatchQuery
  const nameLine = namesOf(deps, principal, connections, names)
  const check = checkOf(deps, { ...principal, workspaceId })
  return { content, place: { workspaceId, connections }, reference, nameLine, check }
}

/** Looks up the names in lines, in the lists of their couriers. */
function namesOf(
  { catalogue }: ApiServices,
  { livemode }: Principal,
  connections: Place['connections'],
  chosen: Readonly<Record<string, string>>,
): NameLines {
  const providerOf = (connectionId: string) => connections.get(connectionId)
  return nameLines({ catalogue, livemode, providerOf, chosen })
}

/** Checks a line as its creation would, before an attempt exists. */
function checkOf(deps: ApiServices, owner: Parameters<typeof checkCreation>[1]) {
  // Read once, so that a connection means the same in every line.
  const accounts = new Map<string, ReturnType<ApiServices['accounts']['load']>>()
  const load: ApiServices['accounts']['load'] = (place) => {
    const known = accounts.get(place.connectionId) ?? deps.accounts.load(place)
    accounts.set(place.connectionId, known)
    return known
  }
  const { catalogue, couriers, db } = deps
  const parts = { catalogue, couriers, db, accounts: { ...deps.accounts, load } }
  return async ({ body }: SoundLine): Promise<Problem | null> => {
    try {
      await checkCreation(parts, owner, body)
      return null
    } catch (problem) {
      if (problem instanceof Problem && errorTable[problem.reason].status < 500) return problem
      throw problem
    }
  }
}

async function knownOf(
  deps: ApiServices,
  principal: Principal,
  { workspaceId, connections, reference }: Place & { readonly reference: string },
  lines: readonly KeptLine[],
) {
  const named = { workspaceId, reference }
  const keys = await usableKeys(deps, principal, named, ordersWithoutKey(lines))
  const orders = { workspaceId, keys, given: await keysOfParcels(lines) }
  return { connections, keys, occupied: await occupiedOrders(deps, principal, orders) }
}

/**
 * The courier of each connection, also of a deleted one: its lines are refused as in a single
 * creation.
 */
async function connectionsOf(
  { db }: Pick<ApiServices, 'db'>,
  principal: Principal,
  workspaceId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('courier_connections')
    .select(['id', 'provider_code'])
    .where(inTenantScope(principal))
    .where('workspace_id', '=', workspaceId)
    .execute()
  return new Map(rows.map(({ id, provider_code }) => [id, provider_code]))
}

async function refuseTooMany({ db }: Pick<ApiServices, 'db'>, principal: Principal): Promise<void> {
  const { organizationId, livemode } = principal
  const { waiting } = await db
    .selectFrom('batches')
    .select(sql<string>`coalesce(sum(total - ended), 0)`.as('waiting'))
    .where('organization_id', '=', organizationId)
    .where('livemode', '=', livemode)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(waiting) < waitingLinesMax) return
  throw new Problem('rate_limited', {
    detail: `${waitingLinesMax.toLocaleString('en')} lines of batches are waiting. Nothing was stored; send it again later.`,
    retryAfterSeconds: waitSeconds,
  })
}
