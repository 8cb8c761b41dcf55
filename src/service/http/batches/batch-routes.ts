import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import { batchKeptDays, cancelBatch, storeBatch } from '../../processes/batches/batch-rows.ts'
import { type BatchRow, shownBatches } from '../../processes/batches/shown-batch.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import { named } from '../named-filters.ts'
import { newBatchId } from '../new-ids.ts'
import { filterText, listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  findNamed,
  matching,
  olderThan,
  parametersOf,
} from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import { once } from '../rules/once.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { batchBodies, ndjson, rawLinesOf } from './batch-bodies.ts'
import { batchDocumentRoutes } from './batch-documents.ts'
import { batchItemRoute } from './batch-items.ts'
import { batchQuery, batchRequest, batchSchema, jsonLinesMax, linesMax } from './batch-schema.ts'
import { occupiedOrders, unspentKeys } from './line-keys.ts'
import { type NameLines, nameLines } from './line-names.ts'
import { csv } from './lines/text-bodies.ts'
import { keysOfParcels, ordersWithoutKey, readBatch, storedLines } from './read-lines.ts'

type Deps = Pick<
  RouteDeps,
  'catalogue' | 'db' | 'owners' | 'papers' | 'processes' | 'secrets' | 'store' | 'workspaces'
>

const tags = ['Batches']

/** Lines of an organization that wait in one mode; a fair share of a night's work. */
const waitingLinesMax = 100_000
const waitSeconds = 60

export function batchRoutes(app: App, deps: Deps): void {
  app.register(async (scope) => createRoute(batchBodies(scope as App), deps))
  // Registered after it, as the document lists them.
  app.register(async (scope) => otherRoutes(scope as App, deps))
}

function otherRoutes(app: App, deps: Deps): void {
  readRoutes(app, deps)
  const batch = batchResource(deps, 'shipments:read')
  batchItemRoute(app, deps, batch)
  batchDocumentRoutes(app, deps, batch)
  cancelRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/batches',
    config: {
      collectionScope: 'shipments:write',
      isOnce: true,
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
      summary: 'Create many shipments: one key and one guide for each line',
      description: `At most ${jsonLinesMax.toLocaleString('en')} lines as JSON in at most 2 MiB, and ${linesMax.toLocaleString('en')} as NDJSON (\`application/x-ndjson\`) or CSV (\`text/csv\`) in at most 8 MiB. A line has at most 64 KiB and 200 fields. The answer comes before any line is created; follow the batch, or wait for the webhook \`batch.completed\`. Each line is checked and answered by itself, as \`POST /v1/shipments\` would answer it: a bad line never spoils the others. Send the same batch again after any failure, and to retry lines that failed: lines whose shipment has a guide, or may have one, find it; those that certainly made nothing are tried again with a new key. Kept for ${batchKeptDays} days after its end.`,
      tags,
      querystring: batchQuery,
      consumes: ['application/json', ndjson, csv],
      body: batchRequest,
      response: {
        202: batchSchema.meta({ description: 'The batch, whose lines are being created.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      // What the header says is wrong for every line alike.
      scenarioOf(request, principal.livemode, undefined)
      const make = (id: string) => makeBatch(deps, request, id)
      const row = await once(deps, {
        request,
        reply,
        newId: newBatchId,
        make,
        read: (id) => requireBatch(deps, principal, id),
      })
      reply.code(202).header('location', `/v1/batches/${row.id}`)
      return await batchObject(deps, row)
    },
  })
}

/** Reads and stores the batch under this id, unless it is there already. */
async function makeBatch(deps: Deps, request: FastifyRequest, id: string): Promise<string> {
  const { principal, requestId } = authenticated(request)
  if ((await findBatch(deps, principal, id)) !== null) return id
  await refuseTooMany(deps, principal)
  const { forAll, lines } = rawLinesOf(request)
  const { organizationId, livemode } = principal
  const { processes } = deps
  const { wrapped, ...sealer } = processes.batchSealer.begin({ organizationId, batchId: id })
  const read = await readBatch(request, forAll, lines, {
    namesOf: (workspaceId) => namesOf(deps, principal, workspaceId),
    sealer,
  })
  const { workspaceId } = read
  await deps.workspaces.require(principal, workspaceId).catch((error: unknown) => {
    throw beforeExecution(error)
  })
  const connections = await connectionsOf(deps, principal, workspaceId)
  const { courier_connection_id: ofAll } = forAll
  if (ofAll !== undefined && !connections.has(ofAll)) throw new Problem('not_found')
  const named = { workspaceId, reference: forAll.external_reference }
  const keys = await unspentKeys(processes, principal, named, ordersWithoutKey(read))
  const batch = {
    id,
    organizationId,
    workspaceId,
    livemode,
    externalReference: forAll.external_reference,
    actor: actorOf(principal),
    requestId,
    wrapped,
  }
  const orders = { workspaceId, keys, given: await keysOfParcels(read) }
  const occupied = await occupiedOrders(processes, principal, orders)
  const known = { connections, keys, occupied }
  const stored = await storedLines(read, principal, sealer, known)
  await storeBatch(processes.db, batch, stored)
  processes.batchBell.ring()
  return id
}

/** Looks up what lines name, in the lists of their connections. */
function namesOf(deps: Deps, principal: Principal, workspaceId: string): NameLines {
  const { catalogue } = deps
  let connections: ReturnType<typeof connectionsOf> | null = null
  return nameLines({
    catalogue,
    livemode: principal.livemode,
    providerOf: async (connectionId) => {
      connections ??= connectionsOf(deps, principal, workspaceId)
      return (await connections).get(connectionId)
    },
  })
}

/** Their couriers. Also of those that were deleted: they are refused as in a single creation. */
async function connectionsOf(
  { db }: Pick<RouteDeps, 'db'>,
  principal: Principal,
  workspaceId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('courier_connections')
    .select(['id', 'provider_code'])
    .where(withinReach(principal))
    .where('workspace_id', '=', workspaceId)
    .execute()
  return new Map(rows.map(({ id, provider_code }) => [id, provider_code]))
}

async function refuseTooMany({ db }: Pick<RouteDeps, 'db'>, principal: Principal): Promise<void> {
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

async function findBatch(
  { db }: Pick<RouteDeps, 'db'>,
  principal: Principal,
  id: string,
): Promise<BatchRow | null> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where(withinReach(principal))
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

async function requireBatch(
  deps: Pick<RouteDeps, 'db'>,
  principal: Principal,
  id: string,
): Promise<BatchRow> {
  const row = await findBatch(deps, principal, id)
  if (row === null) throw new Problem('not_found')
  return row
}

function batchResource(
  deps: Pick<RouteDeps, 'db'>,
  scope: 'shipments:read' | 'shipments:write',
): Resource<BatchRow> {
  return resource(scope, ({ principal }, id) => requireBatch(deps, principal, id))
}

async function batchObject({ processes }: Pick<RouteDeps, 'processes'>, row: BatchRow) {
  const [shown] = await shownBatches(processes.db, [row])
  if (shown === undefined) throw new Error('bug: a batch is not shown')
  return shown
}

const filters = {
  workspace_id: named.workspace_id,
  external_reference: equals(
    filterText(255).meta({ description: 'Only batches with exactly this reference.' }),
    'external_reference',
  ),
  ...createdRange,
}

function readRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/batches',
    config: { collectionScope: 'shipments:read', problems: ['not_found'] },
    schema: {
      operationId: 'listBatches',
      summary: 'List batches, newest first',
      description: 'With the counts of their lines as they are now.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(batchSchema, 'A page of batches, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      const page = await listPage<BatchRow, BatchRow>({
        deps,
        principal,
        route: '/v1/batches',
        query,
        read: ({ after, limit }) =>
          deps.db
            .selectFrom('batches')
            .selectAll()
            .where(withinReach(principal))
            .where(matching(filters, query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: (row) => row,
      })
      return { ...page, data: await shownBatches(deps.processes.db, page.data) }
    },
  })
  const batch = batchResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/batches/:id',
    config: { resource: batch },
    schema: {
      operationId: 'getBatch',
      summary: 'Read a batch, with the states of its lines counted',
      description: 'Use it to see how far it is, and how many lines need you.',
      tags,
      params: pathId('bat'),
      response: { 200: batchSchema.meta({ description: 'The batch as it is now.' }) },
    },
    handler: async (request) => await batchObject(deps, batch.of(request)),
  })
}

function cancelRoute(app: App, deps: Deps): void {
  const batch = batchResource(deps, 'shipments:write')
  app.route({
    method: 'POST',
    url: '/v1/batches/:id/cancel',
    config: { resource: batch, whileSuspended: true },
    schema: {
      operationId: 'cancelBatch',
      summary: 'Leave out the lines that have not begun',
      description:
        'Lines that have begun are finished: their guides may exist. No guide is cancelled. A batch that has ended stays as it is.',
      tags,
      params: pathId('bat'),
      response: { 200: batchSchema.meta({ description: 'The batch, as it is then.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { id } = batch.of(request)
      await cancelBatch(deps.processes.db, id)
      return await batchObject(deps, await requireBatch(deps, principal, id))
    },
  })
}
