import { z } from 'zod'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import {
  actorOf,
  createApiKey,
  type NewKey,
  type Principal,
  type Scope,
  scopes,
} from '../../security/api-keys.ts'
import { keyNameMax, keyRoles, scopesOfRole } from '../../security/scopes.ts'
import type { ApiServices, App } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { exampleKeyRequest } from '../openapi/examples.ts'
import { idOf, text } from '../openapi/schemas.ts'
import { requireStillValid } from '../rules/still-valid.ts'
import { withLock } from '../rules/with-lock.ts'
import { beyondTime, latestEnd, requireOwnOperator, requireRoom } from './key-limits.ts'
import { keyWithSecretSchema } from './key-schema.ts'
import { respondNewKey } from './respond-new-key.ts'

const body = z
  .strictObject({
    name: text(keyNameMax).nullable().optional().meta({
      description:
        'What people call it, so that they know what stops when it is revoked. Absent or `null`: no name.',
    }),
    role: z.enum(keyRoles).optional().meta({
      description:
        'What it is for. A role but `custom` gives the key the scopes of the role. Absent: `custom`.',
    }),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .refine((named) => new Set(named).size === named.length, {
        error: 'Each scope may be named only once.',
        params: { reason: 'duplicate' },
      })
      .optional()
      .meta({
        description:
          'What the new key may do: only scopes that the calling key has itself. Required for a `custom` key, and allowed only for one.',
      }),
    workspace_id: idOf('ws').nullable().optional().meta({
      description:
        'The only workspace that the new key reaches. Absent or `null`: it reaches as far as the calling key. A key of one workspace creates keys of that workspace only.',
    }),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().meta({
      description:
        'When the new key expires, not later than the calling key; with a key of a sign-in, a key without operator may last a year. Absent: when the calling key expires. `null`: never.',
    }),
    operator_id: idOf('opr').nullable().optional().meta({
      description:
        'The operator that the new key belongs to: the operator of the calling key, or else 422 `operator_not_yours`. Absent or `null`: none.',
    }),
  })
  .superRefine(({ role = 'custom', scopes: named }, context) => {
    const isCustom = role === 'custom'
    if (isCustom === (named !== undefined)) return
    const message = isCustom
      ? 'It is required, unless a role other than custom is given.'
      : 'It is allowed only for a custom key: this role has scopes of its own.'
    const params = { reason: isCustom ? 'required' : 'not_allowed' }
    context.addIssue({ code: 'custom', path: ['scopes'], message, params })
  })
  .meta({ description: 'What the new key may do.', examples: [exampleKeyRequest()] })
type Body = z.infer<typeof body>

export function createKeyRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/keys',
    config: {
      collectionScope: 'keys:write',
      isIdempotent: true,
      problems: ['not_found', 'limit_reached', 'operator_not_yours'],
    },
    schema: {
      operationId: 'createKey',
      summary: 'Create a key of this mode that may do no more than this one',
      description:
        'The answer shows the key itself, only this once. A repeat with the same Idempotency-Key returns `key: null`. The new key has only scopes that the calling key has, reaches no other workspace, has the same mode and expires no later. It belongs to the operator of the calling key or to none, never to another operator.',
      tags: ['Keys'],
      body,
      response: {
        201: keyWithSecretSchema.meta({ description: 'The new key, with the key itself.' }),
      },
    },
    handler: (request, reply) =>
      respondNewKey(deps, {
        request,
        reply,
        make: (caller, id) => create(deps, caller, request.body, id),
      }),
  })
}

/**
 * Creates the key under this id and returns it, or null if an earlier try created it. The new key
 * reaches no further than the caller's own: no other scope, workspace or mode, and no later expiry.
 */
async function create(
  deps: ApiServices,
  caller: Caller,
  body: Body,
  id: string,
): Promise<string | null> {
  const { principal, requestId } = caller
  const { organizationId, livemode } = principal
  if (body.workspace_id != null) await deps.workspaces.require(principal, body.workspace_id)
  const made = await deps.db
    .selectFrom('api_keys')
    .select('id')
    .where((eb) => eb.and({ id, organization_id: organizationId }))
    .executeTakeFirst()
  if (made !== undefined) return null
  return await withLock(deps.db, ['api-keys', organizationId, String(livemode)], async () => {
    const order = await orderOf(deps, principal, body)
    await requireRoom(deps, principal)
    const by = { actor: actorOf(principal), requestId }
    return (await createApiKey(deps, { ...order, id }, by)).key
  })
}

/**
 * The key to create. Throws `operator_not_yours`, or `validation_failed` for a key that would reach
 * further than the caller's.
 */
async function orderOf(deps: ApiServices, principal: Principal, body: Body): Promise<NewKey> {
  const { organizationId, livemode } = principal
  const own = await requireStillValid(deps, principal)
  requireOwnOperator(principal, body.operator_id ?? null)
  const now = deps.clock.now()
  const lastEnd = latestEnd(own, body.operator_id ?? null, now)
  const expiresAt = endIn(body, own.expiresAt)
  const errors = [
    ...beyondScopes(principal, body),
    ...beyondWorkspace(principal, body),
    ...beyondTime(expiresAt, lastEnd, now),
  ]
  if (errors.length > 0) throw new Problem('validation_failed', { errors })
  return {
    organizationId,
    livemode,
    expiresAt,
    name: body.name ?? null,
    role: body.role ?? 'custom',
    scopes: scopesOf(body),
    workspaceId: body.workspace_id ?? principal.workspaceId,
    operatorId: body.operator_id ?? null,
  }
}

function endIn({ expires_at: asked }: Body, ownEnd: Date | null): Date | null {
  if (asked === undefined) return ownEnd
  return asked === null ? null : new Date(asked)
}

function scopesOf({ role = 'custom', scopes: named = [] }: Body): readonly Scope[] {
  return role === 'custom' ? named : scopesOfRole(role)
}

function beyondScopes(principal: Principal, body: Body): readonly FieldError[] {
  const missing = scopesOf(body).filter((scope) => !principal.scopes.has(scope))
  const reason = 'beyond_own_scopes'
  if (body.scopes === undefined) {
    if (missing.length === 0) return []
    const detail = `The calling key does not have these scopes of the role: ${missing.join(', ')}.`
    return [{ pointer: '/role', reason, detail }]
  }
  const detail = 'The calling key does not have this scope.'
  return missing.map((scope) => ({
    pointer: `/scopes/${scopesOf(body).indexOf(scope)}`,
    reason,
    detail,
  }))
}

/**
 * A workspace out of reach was answered with 404 before. What is left is `null`: every workspace.
 */
function beyondWorkspace(principal: Principal, body: Body): readonly FieldError[] {
  if (principal.workspaceId === null || body.workspace_id !== null) return []
  const detail = 'A key of one workspace creates keys of that workspace only.'
  return [{ pointer: '/workspace_id', reason: 'beyond_own_workspace', detail }]
}
