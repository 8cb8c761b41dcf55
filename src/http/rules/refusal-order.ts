import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { problemOf } from '../problems/faults.ts'
import { authenticated, requireScope } from './authenticate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds the resource that the path names within the key's reach, or throws `not_found`. */
    find?: (caller: ReturnType<typeof authenticated>, id: string) => Promise<unknown>
  }
}

/** What is wrong with a request's form; it is seen before the handler runs. */
const ofForm: ReadonlySet<string> = new Set(['validation_failed', 'invalid_request'])

/**
 * What is refused first: a resource out of reach is not found, and a key without the scope is
 * forbidden, whatever else is wrong with the request. Only a request that is refused for its form is
 * looked at again; all others were found by their handler.
 */
export async function firstRefusal(error: unknown, request: FastifyRequest): Promise<unknown> {
  const { find, resourceScope } = request.routeOptions.config
  if (find === undefined || request.principal === null) return error
  if (!ofForm.has(problemOf(error).reason)) return error
  const caller = authenticated(request)
  const { id } = request.params as { readonly id: string }
  try {
    await find(caller, id)
    if (resourceScope !== undefined) requireScope(caller.principal, resourceScope)
    return error
  } catch (found) {
    return found instanceof Problem ? found : error
  }
}
