import type { FastifyReply, FastifyRequest } from 'fastify'
import { newKeyId } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import { findKey, keyObject } from './key-schema.ts'

type Request = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Makes the key under this id and returns it, or null if an earlier try did. */
  readonly make: (caller: Caller, id: string) => Promise<string | null>
}

/** Makes a key once for each Idempotency-Key, and responds with it. Only the first response shows it. */
export async function respondNewKey(deps: ApiServices, { request, reply, make }: Request) {
  const caller = authenticated(request)
  let key: string | null = null
  const row = await idempotentCreate(deps, {
    request,
    reply,
    newId: newKeyId,
    create: async (id) => {
      key = await make(caller, id)
      return id
    },
    read: (id) => findKey(deps.db, caller.principal, id),
  })
  reply.code(201).header('location', `/v1/keys/${row.id}`)
  return { ...keyObject(row, caller.principal), key }
}
