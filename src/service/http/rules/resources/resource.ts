import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import type { Scope } from '../../../security/api-keys.ts'
import { problemOf } from '../../problems/faults.ts'
import { authenticated, requireScope } from '../authenticate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The single resource that the route is about: found before the handler runs. */
    resource?: Resource<unknown>
  }
}

/** A route's single resource and the scope that it requires. */
export type Resource<Found> = {
  readonly scope: Scope
  /** Finds it for the request. Throws `not_found`, then `forbidden_scope`. */
  readonly require: (request: FastifyRequest) => Promise<void>
  /** Runs right before the handler, if nothing was refused. */
  readonly beforeHandler: (request: FastifyRequest) => Promise<void>
  /** What was found for the request. */
  readonly of: (request: FastifyRequest) => Found
}

type Caller = ReturnType<typeof authenticated>

/**
 * Declares how a route finds its resource within the key's reach. `find` gets the path's one
 * parameter and throws `not_found`. The scope is checked after that: otherwise a key without it
 * could tell a foreign id from one that does not exist. `beforeHandler` runs after both. `needsNoScope`
 * exempts a resource of the caller's own.
 */
export function resource<Found>(
  scope: Scope,
  find: (caller: Caller, id: string) => Promise<Found>,
  beforeHandler: (caller: Caller, found: Found) => Promise<void> = async () => undefined,
  needsNoScope: (caller: Caller, found: Found) => boolean = () => false,
): Resource<Found> {
  const found = new WeakMap<FastifyRequest, { readonly row: Found }>()
  const of = (request: FastifyRequest): Found => {
    const kept = found.get(request)
    if (kept === undefined) throw new Error('bug: the route does not declare this resource')
    return kept.row
  }
  return {
    of,
    scope,
    async require(request) {
      const caller = authenticated(request)
      const [id = ''] = Object.values(request.params as Readonly<Record<string, string>>)
      const row = await find(caller, id)
      if (!needsNoScope(caller, row)) requireScope(caller.principal, scope)
      found.set(request, { row })
    },
    beforeHandler: (request) => beforeHandler(authenticated(request), of(request)),
  }
}

/** Runs right before the handler. */
export async function findResource(request: FastifyRequest): Promise<void> {
  const { resource: declared } = request.routeOptions.config
  await declared?.require(request)
  await declared?.beforeHandler(request)
}

/** Reasons about the form of a request, found before the handler runs. */
const validationReasons: ReadonlySet<string> = new Set(['validation_failed', 'invalid_request'])

/**
 * Decides what is refused first: a resource out of reach is not found, and a key without the scope
 * is forbidden, whatever else is wrong with the request.
 */
export async function resolvePrecedence(error: unknown, request: FastifyRequest): Promise<unknown> {
  const { resource: declared } = request.routeOptions.config
  if (declared === undefined || request.principal === null) return error
  if (!validationReasons.has(problemOf(error).reason)) return error
  try {
    await declared.require(request)
    return error
  } catch (found) {
    return found instanceof Problem ? found : error
  }
}
