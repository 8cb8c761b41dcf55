import type { FastifyReply, FastifyRequest } from 'fastify'
import { withinOrganization } from '../../database/tenant-fence.ts'
import { Problem } from '../../errors.ts'
import { NotExecuted } from '../../processes/calls/not-executed.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { networkOf } from '../../security/rate-limit.ts'
import type { HttpDeps } from '../deps.ts'
import { isChanging } from '../problems/problem.ts'
import { headerCount } from './idempotency-key.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null on the few routes outside `/v1`. */
    principal: Principal | null
  }
}

/**
 * Failed authentications of one network in a minute before they are answered 429: twenty workers that
 * were deployed with an old key stay below it. A key that is right is never refused for them.
 */
const failuresPerMinuteMax = 100

type Needs = Pick<HttpDeps, 'keys' | 'rates'>

/**
 * Finds out who calls before the body is read, and keeps out whoever calls too often, is suspended and
 * would begin something, or has not the scope of a collection.
 */
export function authenticateHook(deps: Needs) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers
    // Node passes over a second Authorization header; which one was meant is not for us to guess.
    const principal =
      headerCount(request, 'authorization') > 1 ? null : await recognized(deps.keys, authorization)
    if (principal === null) throw unrecognized(deps, request)
    request.principal = principal
    limitRate(deps, principal, reply)
    const { collectionScope, whileSuspended } = request.routeOptions.config
    if (principal.isSuspended && isChanging(request.method) && whileSuspended !== true) {
      throw new Problem('organization_suspended')
    }
    if (collectionScope !== undefined) requireScope(principal, collectionScope)
  }
}

function unrecognized({ rates }: Needs, request: FastifyRequest): Problem {
  const rate = rates.failures.take(networkOf(request.ip), failuresPerMinuteMax)
  if (rate.isAllowed) return new Problem('unauthenticated')
  return new Problem('rate_limited', {
    detail: 'Too many requests without a valid key from this address.',
    retryAfterSeconds: rate.resetSeconds,
  })
}

/** The headers stand on every answer to the key, so that a client can slow down in time. */
function limitRate({ rates }: Needs, principal: Principal, reply: FastifyReply): void {
  if (principal.requestsPerMinute === null) return
  const rate = rates.requests.take(principal.keyId, principal.requestsPerMinute)
  reply.headers({
    'ratelimit-limit': rate.limit,
    'ratelimit-remaining': rate.remaining,
    'ratelimit-reset': rate.resetSeconds,
  })
  if (!rate.isAllowed) {
    throw new Problem('rate_limited', {
      detail: "The key has made its plan's requests of this minute.",
      retryAfterSeconds: rate.resetSeconds,
    })
  }
}

async function recognized(
  keys: HttpDeps['keys'],
  authorization: string | undefined,
): Promise<Principal | null> {
  try {
    return await keys.authenticate(authorization)
  } catch (error) {
    // Whatever was lost with the database, nothing of the request has been done yet.
    throw new NotExecuted(error)
  }
}

/**
 * Runs what a request asks of the database as its organization. Where a body has been read, what goes
 * on has lost the context of the hooks before: call it after that.
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
 * Call it on a single resource only after it was found within the key's reach: a key without the
 * scope then learns no more of a foreign id than that it does not exist.
 */
export function requireScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.has(scope)) {
    throw new Problem('forbidden_scope', { detail: `The key lacks the scope ${scope}.` })
  }
}

/** Whether a workspace is within the reach of a key that may be restricted to one. */
export function reaches(principal: Principal, workspaceId: string): boolean {
  return principal.workspaceId === null || principal.workspaceId === workspaceId
}
