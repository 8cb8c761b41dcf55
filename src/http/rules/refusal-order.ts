import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { problemOf } from '../problems/faults.ts'
import { authenticated, requireScope } from './authenticate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds the resource of the path within the key's reach, or throws `not_found`. */
    find?: (caller: ReturnType<typeof authenticated>, id: string) => Promise<unknown>
  }
}

/** Reasons about a request's form, found before the handler runs. */
const ofForm: ReadonlySet<string> = new Set(['validation_failed', 'invalid_request'])

/**
 * Decides what is refused first: a resource out of reach is not found, and a key without the scope
 * is forbidden, whatever else is wrong with the request. Only requests refused for their form are
 * checked again here; for all others the handler has found the resource.
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
