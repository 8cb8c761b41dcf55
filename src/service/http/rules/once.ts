import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { nextTurn } from '../../couriers/slices.ts'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import { inFlightRetrySeconds } from '../../processes/calls/creation-refusal.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { rememberedHours } from '../../processes/forget-answers.ts'
import { sameTag, tagOfParts } from '../http-secrets.ts'
import type { RouteDeps } from '../server-deps.ts'
import { authenticated } from './authenticate.ts'
import { exclusively } from './exclusive.ts'
import { optionalIdempotencyKey } from './idempotency-key.ts'

type Deps = Pick<RouteDeps, 'db' | 'secrets'>

/**
 * Notes that the key's resource was created under this id. If `make` cannot tell whether it was
 * created, call this in the creating transaction, so that a repeat after a crash creates no second
 * one.
 */
export type NoteMade = (tx: Kysely<Database>, resourceId: string) => Promise<void>

type Work<T> = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly newId: () => string
  /** Creates the resource under this id or finds it, and returns the existing resource's id. */
  readonly make: (id: string, noteMade: NoteMade) => Promise<string>
  /** Reads the resource. Throws `not_found` if it was deleted. */
  readonly read: (id: string) => Promise<T>
}
type Remembered = { readonly resourceId: string; readonly isReplayed: boolean }

/**
 * Creates a resource once for each optional Idempotency-Key, and returns it. The same key and body
 * again return the same resource, and the answer says so in `Idempotent-Replayed`; another body is
 * refused. The id is remembered before the resource is created, so that a repeat after a crash continues
 * with it instead of creating a second one. Refusals are not remembered. Requests with one key wait
 * for each other; one that waits too long is told that the first is still in progress. A key keeps
 * its resource for a whole day: if it is deleted meanwhile, the key creates nothing again
 * (`resource_deleted`).
 *
 * A route enables this with `config: { isOnce: true }`, which declares the header and the refusals,
 * and by creating its resource through this function.
 */
export async function once<T>(deps: Deps, work: Work<T>): Promise<T> {
  const { resourceId, isReplayed } = await remembered(deps, work)
  try {
    const resource = await work.read(resourceId)
    if (isReplayed) work.reply.header('idempotent-replayed', 'true')
    return resource
  } catch (error) {
    const isGone = error instanceof Problem && error.reason === 'not_found'
    throw isGone && isReplayed ? new Problem('resource_deleted', { cause: error }) : error
  }
}

/** Remembered for a key whose act is not done yet; replaced by the resource afterwards. */
const notDone = 'not_done_yet'

/**
 * Acts on an existing resource once for each optional Idempotency-Key, and returns the resource as
 * it is then: a late repeat does not undo what was done since.
 */
export async function onceDone<T>(
  deps: Deps,
  work: Pick<Work<T>, 'request' | 'reply'> & {
    readonly id: string
    readonly act: () => Promise<unknown>
    readonly read: () => Promise<T>
  },
): Promise<T> {
  const { request, reply, id, act, read } = work
  return await once(deps, {
    request,
    reply,
    newId: () => notDone,
    make: async (rememberedId) => {
      if (rememberedId === notDone) await act()
      return id
    },
    read,
  })
}

async function remembered<T>(deps: Deps, work: Work<T>): Promise<Remembered> {
  const key = optionalIdempotencyKey(work.request)
  if (key === null) {
    return { resourceId: await work.make(work.newId(), async () => undefined), isReplayed: false }
  }
  const { organizationId, livemode } = authenticated(work.request).principal
  const place = ['idempotency-key', organizationId, String(livemode), routeOf(work.request), key]
  return exclusively(
    deps.db,
    place,
    () => rememberedUnder(deps, key, work),
    () => new Problem('idempotency_in_flight', { retryAfterSeconds: inFlightRetrySeconds }),
  )
}

/**
 * Keys are separate for each route and the resource in its path; an API key limited to one workspace
 * has the keys of that workspace.
 */
function routeOf(request: FastifyRequest): string {
  const { workspaceId } = authenticated(request).principal
  const params = request.params as Readonly<Record<string, string>>
  const path = request.routeOptions.url?.replace(/:(\w+)/g, (_, name) => params[name] ?? '')
  const route = `${request.method} ${path}`
  return workspaceId === null ? route : `${route} in ${workspaceId}`
}

async function rememberedUnder<T>(deps: Deps, key: string, work: Work<T>): Promise<Remembered> {
  const { at, id, isReplayed } = await begun(deps, key, work).catch((error: unknown) => {
    throw beforeExecution(error)
  })
  const resourceId = await makeOrForget(deps, work, at, id)
  if (resourceId !== id) await changeNote(deps, at, resourceId)
  return { resourceId, isReplayed }
}

/** Where the key is noted, and the id that is remembered for it, from now on if not before. */
async function begun<T>(deps: Deps, key: string, work: Work<T>) {
  const { principal } = authenticated(work.request)
  const route = routeOf(work.request)
  const body = await canonicalParts(await requestContent(work.request))
  const tags: Buffer[] = []
  for (const secret of deps.secrets.fingerprintKeys) {
    tags.push(await tagOfParts(secret, route, body, nextTurn))
  }
  const at = {
    organization_id: principal.organizationId,
    livemode: principal.livemode,
    route,
    key_digest: createHash('sha256').update(key).digest(),
  }
  await forgetOverdue(deps, at)
  const note = await deps.db
    .selectFrom('idempotent_answers')
    .select(['fingerprint', 'resource_id'])
    .where((eb) => eb.and(at))
    .executeTakeFirst()
  if (note !== undefined && !tags.some((tag) => sameTag(tag, note.fingerprint))) {
    throw new Problem('idempotency_key_reused')
  }
  const id = note?.resource_id ?? work.newId()
  if (note === undefined) {
    const row = { ...at, fingerprint: tags[0]!, resource_id: id }
    await deps.db.insertInto('idempotent_answers').values(row).execute()
  }
  return { at, id, isReplayed: note !== undefined }
}

/**
 * The parts of a request that a repeat must match: null equals absent, and another scenario is another request.
 */
async function requestContent({ body, headers, query }: FastifyRequest): Promise<Content> {
  const scenario = headers['sandbox-scenario'] ?? null
  const asked = scenario === null ? {} : { scenario }
  if (Buffer.isBuffer(body)) return { digest: await digestOf(body), ...Object(query), ...asked }
  const fields = Object.entries(Object(body)).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(fields), ...asked }
}

/** A millisecond or two of hashing. */
const hashedAtOnceBytes = 512 * 1024

async function digestOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += hashedAtOnceBytes) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + hashedAtOnceBytes))
  }
  return hash.digest('hex')
}

type Content = Readonly<Record<string, unknown>>

/** The bad lines of a batch may have text that is no Unicode: then the order of fields counts too. */
async function canonicalParts(content: Content): Promise<readonly string[]> {
  const names = Object.keys(content).filter((name) => content[name] !== undefined)
  try {
    return await textParts(content, names.toSorted(), canonicalize)
  } catch {
    return await textParts(content, names, JSON.stringify)
  }
}

/** Characters written between two pauses, with the item that exceeds them: about a millisecond. */
const charactersAtOnceMax = 32 * 1024

/** The content as JSON, in parts. The items of its lists are written one by one. */
async function textParts(
  content: Content,
  names: readonly string[],
  write: (value: unknown) => string | undefined,
): Promise<readonly string[]> {
  const parts: string[] = []
  let part = '{'
  for (const [index, name] of names.entries()) {
    const value = content[name]
    part += `${index === 0 ? '' : ','}${write(name)}:`
    if (!Array.isArray(value)) part += write(value)
    else {
      part += '['
      for (const [at, item] of value.entries()) {
        part += `${at === 0 ? '' : ','}${write(item)}`
        if (part.length < charactersAtOnceMax) continue
        parts.push(part)
        part = ''
        await nextTurn()
      }
      part += ']'
    }
  }
  return [...parts, `${part}}`]
}

type Place = {
  readonly organization_id: string
  readonly livemode: boolean
  readonly route: string
  readonly key_digest: Buffer
}

async function makeOrForget<T>(deps: Deps, work: Work<T>, at: Place, id: string): Promise<string> {
  try {
    return await work.make(id, (tx, resourceId) => changeNote({ db: tx }, at, resourceId))
  } catch (error) {
    if (error instanceof Problem) await changeNote(deps, at, null)
    throw error
  }
}

async function changeNote(
  deps: Pick<Deps, 'db'>,
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
async function forgetOverdue(deps: Pick<Deps, 'db'>, at: Place): Promise<void> {
  await deps.db
    .deleteFrom('idempotent_answers')
    .where((eb) => eb.and(at))
    .where('created_at', '<', sql<Date>`now() - ${rememberedHours} * interval '1 hour'`)
    .execute()
}
