import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import { rememberedHours } from '../../processes/forget-answers.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { HttpDeps } from '../deps.ts'
import { sameTag, tagOf } from '../http-secrets.ts'
import { exclusively } from './exclusive.ts'
import { optionalIdempotencyKey } from './idempotency-key.ts'

/** When to ask again while the first request with the key is in progress. Most take far less. */
const inFlightRetrySeconds = 2

/**
 * Notes that the key's resource was created under this id. If `make` cannot tell whether it was
 * created, call this in the creating transaction, so that a repeat after a crash creates no second
 * one.
 */
export type Settle = (tx: Kysely<Database>, resourceId: string) => Promise<void>

type Once = { readonly resourceId: string; readonly replayed: boolean }

type Make = {
  readonly deps: Pick<HttpDeps, 'db' | 'secrets'>
  readonly request: FastifyRequest
  readonly principal: Principal
  readonly route: string
  readonly newId: () => string
  /** Creates the resource under this id or finds it, and returns the existing resource's id. */
  readonly make: (id: string, settle: Settle) => Promise<string>
}

/**
 * Creates a resource once for each optional Idempotency-Key. The same key and body again answer the
 * same resource; another body is refused. The id is noted before the resource is created, so that a
 * repeat after a crash continues with it instead of creating a second one. Refusals are not
 * remembered. Requests with one key wait for each other; one that waits too long is told that the
 * first is still in progress.
 *
 * A route enables this with `config: { isOnce: true }`, which declares the header and the refusals,
 * and by creating its resource through this function.
 */
export async function madeOnce(order: Make): Promise<Once> {
  const key = optionalIdempotencyKey(order.request)
  if (key === null) {
    return { resourceId: await order.make(order.newId(), async () => undefined), replayed: false }
  }
  const { organizationId, livemode } = order.principal
  const place = ['idempotency-key', organizationId, String(livemode), namespaceOf(order), key]
  return exclusively(
    order.deps.db,
    place,
    () => onceFor(key, order),
    () => new Problem('idempotency_in_flight', { retryAfterSeconds: inFlightRetrySeconds }),
  )
}

/**
 * Reads what this request or an earlier one with its key created. A key keeps its answer for a
 * whole day. If the resource is deleted meanwhile, the key creates nothing again and the caller is
 * told so.
 */
export async function readMade<T>(
  { resourceId, replayed }: Once,
  read: (id: string) => Promise<T>,
): Promise<T> {
  try {
    return await read(resourceId)
  } catch (error) {
    const isGone = error instanceof Problem && error.reason === 'not_found'
    throw isGone && replayed ? new Problem('resource_deleted', { cause: error }) : error
  }
}

/**
 * Keys are separate for each route; an API key limited to one workspace has the keys of that
 * workspace.
 */
function namespaceOf({ route, principal }: Make): string {
  return principal.workspaceId === null ? route : `${route} in ${principal.workspaceId}`
}

async function onceFor(key: string, order: Make): Promise<Once> {
  const { deps, principal } = order
  const route = namespaceOf(order)
  const body = canonicalize(asked(order.request)) ?? ''
  const tags = deps.secrets.fingerprintKeys.map((secret) => tagOf(secret, route, body))
  const at = {
    organization_id: principal.organizationId,
    livemode: principal.livemode,
    route,
    key_digest: createHash('sha256').update(key).digest(),
  }
  await forgetOverdue(deps, at)
  const noted = await deps.db
    .selectFrom('idempotent_answers')
    .select(['fingerprint', 'resource_id'])
    .where((eb) => eb.and(at))
    .executeTakeFirst()
  if (noted !== undefined && !tags.some((tag) => sameTag(tag, noted.fingerprint))) {
    throw new Problem('idempotency_key_reused')
  }
  const id = noted?.resource_id ?? order.newId()
  if (noted === undefined) {
    const row = { ...at, fingerprint: tags[0]!, resource_id: id }
    await deps.db.insertInto('idempotent_answers').values(row).execute()
  }
  const resourceId = await makeOrForget(id, order, at)
  if (resourceId !== id) await changeNote(deps, at, resourceId)
  return { resourceId, replayed: noted !== undefined }
}

/**
 * What a repeat must have in common: null equals absent, and another scenario is another request.
 */
function asked({ body, headers }: FastifyRequest): object {
  const fields = Object.entries(Object(body)).filter(([, value]) => value !== null)
  const scenario = headers['sandbox-scenario'] ?? null
  return { ...Object.fromEntries(fields), ...(scenario === null ? {} : { scenario }) }
}

type Place = {
  readonly organization_id: string
  readonly livemode: boolean
  readonly route: string
  readonly key_digest: Buffer
}

async function makeOrForget(id: string, order: Make, at: Place): Promise<string> {
  try {
    return await order.make(id, (tx, resourceId) => changeNote({ db: tx }, at, resourceId))
  } catch (error) {
    if (error instanceof Problem) await changeNote(order.deps, at, null)
    throw error
  }
}

async function changeNote(
  deps: { readonly db: Kysely<Database> },
  at: Place,
  resourceId: string | null,
): Promise<void> {
  if (resourceId === null) {
    await deps.db
      .deleteFrom('idempotent_answers')
      .where((eb) => eb.and(at))
      .execute()
    return
  }
  await deps.db
    .updateTable('idempotent_answers')
    .set({ resource_id: resourceId })
    .where((eb) => eb.and(at))
    .execute()
}

/** The worker sweeps only now and then; this frees an expired key at once. */
async function forgetOverdue(deps: Pick<HttpDeps, 'db'>, at: Place): Promise<void> {
  await deps.db
    .deleteFrom('idempotent_answers')
    .where((eb) => eb.and(at))
    .where('created_at', '<', sql<Date>`now() - ${rememberedHours} * interval '1 hour'`)
    .execute()
}
