import type { FastifyReply, FastifyRequest } from 'fastify'
import { withinOrganization } from '../../database/tenant-fence.ts'
import { Problem } from '../../errors.ts'
import { NotExecuted } from '../../processes/calls/not-executed.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import type { KeyOwner } from '../../security/failed-authentications.ts'
import { minuteMs, networkOf } from '../../security/rate-limit.ts'
import type { ServerDeps } from '../api-services.ts'
import { bearerChallenge, isChanging } from '../problems/problem.ts'
import { headerCount } from './header-count.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null on the few routes outside `/v1`. */
    principal: Principal | null
  }
}

/**
 * Failed authentications of one network in a minute before it gets 429. Twenty workers deployed
 * with an old key stay below it. A valid key is never refused because of them.
 */
const failuresPerMinuteMax = 100

type Needs = Pick<ServerDeps, 'failures' | 'keys' | 'rates'>

/**
 * Authenticates the caller before the body is read. Refuses a caller that exceeds its rate, lacks
 * the scope of a collection, or changes something while its organization is suspended.
 */
export function authenticateHook(deps: Needs) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers
    // Node ignores a second Authorization header. Do not guess which one was meant.
    const isDoubled = headerCount(request, 'authorization') > 1
    const { principal, owner } = await recognized(deps.keys, isDoubled ? undefined : authorization)
    if (principal === null) {
      deps.failures.count(request.ip, owner)
      throw unrecognized(deps, request)
    }
    request.principal = principal
    limitRate(deps, principal, reply)
    const { collectionScope, whileSuspended } = request.routeOptions.config
    if (principal.isSuspended && isChanging(request.method) && whileSuspended !== true) {
      throw new Problem('organization_suspended')
    }
    if (collectionScope != null) requireScope(principal, collectionScope)
  }
}

function unrecognized({ rates }: Needs, request: FastifyRequest): Problem {
  const rate = rates.failures.take(networkOf(request.ip), failuresPerMinuteMax)
  if (rate.isAllowed) {
    if (!/^bearer /i.test(request.headers.authorization ?? ''))
      return new Problem('unauthenticated')
    return new Problem('unauthenticated', {
      headers: { 'www-authenticate': bearerChallenge({ error: 'invalid_token' }) },
    })
  }
  return new Problem('rate_limited', {
    detail: 'Too many requests without a valid key came from this address.',
    retryAfterSeconds: rate.resetSeconds,
  })
}

/**
 * Every answer to a key of a limited plan has these headers, so that a client can slow down in time: those
 * of draft-ietf-httpapi-ratelimit-headers-10, and the three of its early versions.
 */
function limitRate({ rates }: Needs, principal: Principal, reply: FastifyReply): void {
  if (principal.requestsPerMinute === null) return
  const rate = rates.requests.take(principal.keyId, principal.requestsPerMinute)
  reply.headers({
    'ratelimit-policy': `"minute";q=${rate.limit};w=${minuteMs / 1_000}`,
    ratelimit: `"minute";r=${rate.remaining};t=${rate.resetSeconds}`,
    'ratelimit-limit': rate.limit,
    'ratelimit-remaining': rate.remaining,
    'ratelimit-reset': rate.resetSeconds,
  })
  if (!rate.isAllowed) {
    throw new Problem('rate_limited', {
      detail: "The key has used up its plan's requests for this minute.",
      retryAfterSeconds: rate.resetSeconds,
    })
  }
}

async function recognized(
  keys: ServerDeps['keys'],
  authorization: string | undefined,
): Promise<{ readonly principal: Principal | null; readonly owner: KeyOwner | null }> {
  let owner: KeyOwner | null = null
  try {
    const principal = await keys.authenticate(authorization, (refused) => {
      owner = refused
    })
    return { principal, owner }
  } catch (error) {
    // Whatever failed, nothing of the request has been done yet.
    throw new NotExecuted(error)
  }
}

/**
 * Runs a request's database work as the caller's organization. Reading the body loses the async
 * context of earlier hooks, so call this afterwards.
 */
export function asCaller<T>({ principal }: FastifyRequest, work: () => T): T {
  return principal === null ? work() : withinOrganization(principal.organizationId, work)
}

/** The caller of a `/v1` route. */
export function authenticated(request: FastifyRequest): {
  readonly principal: Principal
  readonly requestId: string
} {
  if (request.principal === null) throw new Error('bug: the route does not authenticate')
  return { principal: request.principal, requestId: request.id }
}

/**
 * For a single resource, call it only after the resource was found within the key's reach.
 * Otherwise a key without the scope could tell a foreign id from one that does not exist.
 */
export function requireScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.has(scope)) {
    throw new Problem('forbidden_scope', {
      detail: `This key does not have the ${scope} scope.`,
      headers: { 'www-authenticate': bearerChallenge({ error: 'insufficient_scope', scope }) },
    })
  }
}
