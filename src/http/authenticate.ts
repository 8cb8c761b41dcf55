import type { FastifyRequest } from 'fastify'
import { NotExecuted, Problem } from '../errors.ts'
import type { Principal, Scope } from '../security/api-keys.ts'
import type { HttpDeps } from './deps.ts'
import { headerCount } from './idempotency-key.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null on the few routes outside `/v1`. */
    principal: Principal | null
  }
}

/** Finds out who calls before the body is read, and keeps a collection from keys without its scope. */
export function authenticateHook(deps: Pick<HttpDeps, 'keys'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers
    // Node passes over a second Authorization header; which one was meant is not for us to guess.
    const principal =
      headerCount(request, 'authorization') > 1 ? null : await recognized(deps.keys, authorization)
    if (principal === null) throw new Problem('unauthenticated')
    request.principal = principal
    const { collectionScope } = request.routeOptions.config
    if (collectionScope !== undefined) requireScope(principal, collectionScope)
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
