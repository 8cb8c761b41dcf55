import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { yieldToEventLoop } from '../../couriers/slices.ts'
import { Problem } from '../../errors.ts'
import { inFlightRetrySeconds } from '../../processes/calls/creation-refusal.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { rememberedHours } from '../../processes/forget-answers.ts'
import type { ApiServices } from '../api-services.ts'
import { sameTag, tagOfParts } from '../http-secrets.ts'
import { authenticated } from './authenticate.ts'
import { optionalIdempotencyKey } from './idempotency-key.ts'
import { pathOf } from './lists.ts'
import { withLock } from './with-lock.ts'

type Deps = Pick<ApiServices, 'db' | 'secrets'>

/**
 * Remembers the id of the created resource for the key. If `make` cannot tell whether an earlier try
 * created it, call this in the creating transaction, so that a repeat after a crash does not create a
 * second one.
 */
export type RememberCreated = (tx: Kysely<Tables>, resourceId: string) => Promise<void>

type Work<T> = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly newId: () => string
  /** Creates the resource under this id or finds it, and returns the existing resource's id. */
  readonly create: (id: string, rememberCreated: RememberCreated) => Promise<string>
  /** Reads the resource. Throws `not_found` if it was deleted. */
  readonly read: (id: string) => Promise<T>
}
type Remembered = { readonly resourceId: string; readonly isReplayed: boolean }

/**
 * Creates a resource once for each optional Idempotency-Key, and returns it. A repeat with the same
 * key and body returns the same resource, with the header `Idempotent-Replayed`; a repeat with
 * another body is refused. The id is remembered before the resource is created, so that a repeat
 * after a crash continues with that id instead of creating a second resource. Refusals are not
 * remembered. Requests with one key wait for each other; one that waits too long is refused because
 * the first is still in progress. A key is remembered for a whole day: if its resource is deleted in
 * that time, a repeat is refused (`resource_deleted`).
 *
 * A route uses this through `config: { isIdempotent: true }`, which declares the header and the refusals,
 * and by creating its resource with this function.
 */
export async function idempotentCreate<T>(deps: Deps, work: Work<T>): Promise<T> {
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

/** Remembered for a key whose act is not done yet. The resource's id replaces it afterwards. */
const notDone = 'not_done_yet'

/**
 * Acts on an existing resource once for each optional Idempotency-Key, and returns its current state.
 * A late repeat does not undo what was done since.
 */
export async function idempotentAct<T>(
  deps: Deps,
  work: Pick<Work<T>, 'request' | 'reply'> & {
    readonly id: string
    readonly act: () => Promise<unknown>
    readonly read: () => Promise<T>
  },
): Promise<T> {
  const { request, reply, id, act, read } = work
  return await idempotentCreate(deps, {
    request,
    reply,
    newId: () => notDone,
    create: async (rememberedId) => {
      if (rememberedId === notDone) await act()
      return id
    },
    read,
  })
}

async function remembered<T>(deps: Deps, work: Work<T>): Promise<Remembered> {
  const key = optionalIdempotencyKey(work.request)
  if (key === null) {
    return { resourceId: await work.create(work.newId(), async () => undefined), isReplayed: false }
  }
  const { organizationId, livemode } = authenticated(work.request).principal
  const place = ['idempotency-key', organizationId, String(livemode), routeOf(work.request), key]
  return withLock(
    deps.db,
    place,
    () => rememberedUnder(deps, key, work),
    () => new Problem('idempotency_in_flight', { retryAfterSeconds: inFlightRetrySeconds }),
  )
}

/**
 * Idempotency keys are separate for each route and each resource in its path, and for API keys of one
 * workspace also for each workspace.
 */
function routeOf(request: FastifyRequest): string {
  const { workspaceId } = authenticated(request).principal
  const route = `${request.method} ${pathOf(request)}`
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

/** Remembers an id for the key, unless one is remembered already, and returns it and its place. */
async function begun<T>(deps: Deps, key: string, work: Work<T>) {
  const { principal } = authenticated(work.request)
  const route = routeOf(work.request)
  const body = await canonicalParts(await requestContent(work.request))
  const tags: Buffer[] = []
  for (const secret of deps.secrets.fingerprintKeys) {
    tags.push(await tagOfParts(secret, route, body, yieldToEventLoop))
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

/** The parts of a request that a repeat must match. Null equals absent; the scenario counts too. */
async function requestContent({ body, headers, query }: FastifyRequest): Promise<Content> {
  const scenario = headers['sandbox-scenario'] ?? null
  const asked = scenario === null ? {} : { scenario }
  if (Buffer.isBuffer(body)) return { digest: await digestOf(body), ...Object(query), ...asked }
  const fields = Object.entries(Object(body)).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(fields), ...asked }
}

/** Takes a millisecond or two to hash. */
const hashedAtOnceBytes = 512 * 1024

async function digestOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += hashedAtOnceBytes) {
    if (at > 0) await yieldToEventLoop()
    hash.update(bytes.subarray(at, at + hashedAtOnceBytes))
  }
  return hash.digest('hex')
}

type Content = Readonly<Record<string, unknown>>

/**
 * Text that is no Unicode, as in bad lines of a batch, has no canonical form: then the order of
 * fields counts too.
 */
async function canonicalParts(content: Content): Promise<readonly string[]> {
  const names = Object.keys(content).filter((name) => content[name] !== undefined)
  try {
    return await textParts(content, names.toSorted(), canonicalize)
  } catch {
    return await textParts(content, names, JSON.stringify)
  }
}

/** Characters written between two pauses, plus the item that exceeds them: about a millisecond. */
const charactersAtOnceMax = 32 * 1024

/** The content as JSON, in parts. List items are written one by one. */
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
        // The lines of a long list are still text.
        const line = Buffer.isBuffer(item) ? JSON.parse(item.toString()) : item
        part += `${at === 0 ? '' : ','}${write(line)}`
        if (part.length < charactersAtOnceMax) continue
        parts.push(part)
        part = ''
        await yieldToEventLoop()
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
    return await work.create(id, (tx, resourceId) => changeNote({ db: tx }, at, resourceId))
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

/** The worker sweeps only now and then. This frees an expired key at once. */
async function forgetOverdue(deps: Pick<Deps, 'db'>, at: Place): Promise<void> {
  await deps.db
    .deleteFrom('idempotent_answers')
    .where((eb) => eb.and(at))
    .where('created_at', '<', sql<Date>`now() - ${rememberedHours} * interval '1 hour'`)
    .execute()
}
