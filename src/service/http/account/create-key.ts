import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { actorOf, createApiKey, type NewKey, type Principal } from '../../security/api-keys.ts'
import type { Caller } from '../audit-act.ts'
import { exclusively } from '../rules/exclusive.ts'
import { requireStillValid } from '../rules/still-valid.ts'
import type { RouteDeps } from '../server-deps.ts'
import type { CreateKey } from './key-schema.ts'

type Deps = Pick<RouteDeps, 'clock' | 'db' | 'pepper' | 'store' | 'workspaces'>

/** Keys of an organization and mode that work at once: one for each of hundreds of shops. */
const activeKeysMax = 1_000

/**
 * Creates the key under this id and returns it; null if an earlier try created it. The new key
 * reaches no further than the caller's own: no other scope, workspace or mode, and no longer.
 */
export async function createKey(
  deps: Deps,
  caller: Caller,
  body: CreateKey,
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
  return await exclusively(deps.db, ['api-keys', organizationId, String(livemode)], async () => {
    const order = await orderOf(deps, principal, body)
    await requireRoom(deps, principal)
    const by = { actor: actorOf(principal), requestId }
    return (await createApiKey(deps, { ...order, id }, by)).key
  })
}

/**
 * What is created. Throws `operator_not_yours`, or `validation_failed` for a key that reaches
 * further than the caller's.
 */
async function orderOf(deps: Deps, principal: Principal, body: CreateKey): Promise<NewKey> {
  const { organizationId, livemode } = principal
  const ownEnd = await requireStillValid(deps, principal)
  requireOwnOperator(principal, body)
  const expiresAt = endIn(body, ownEnd)
  const errors = [
    ...beyondScopes(principal, body),
    ...beyondWorkspace(principal, body),
    ...beyondTime(expiresAt, ownEnd, deps.clock.now()),
  ]
  if (errors.length > 0) throw new Problem('validation_failed', { errors })
  return {
    organizationId,
    livemode,
    expiresAt,
    scopes: body.scopes,
    workspaceId: body.workspace_id ?? principal.workspaceId,
    operatorId: body.operator_id ?? null,
  }
}

function endIn({ expires_at: asked }: CreateKey, ownEnd: Date | null): Date | null {
  if (asked === undefined) return ownEnd
  return asked === null ? null : new Date(asked)
}

function beyondScopes(principal: Principal, { scopes }: CreateKey): readonly FieldError[] {
  return scopes.flatMap((scope, index) =>
    principal.scopes.has(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            reason: 'beyond_own_scopes',
            detail: 'A key gives only scopes that it has itself.',
          },
        ],
  )
}

/**
 * An unreachable workspace has already been answered with 404; only a request for every workspace
 * remains.
 */
function beyondWorkspace(principal: Principal, body: CreateKey): readonly FieldError[] {
  if (principal.workspaceId === null || body.workspace_id !== null) return []
  const detail = 'A key of one workspace creates keys of that workspace only.'
  return [{ pointer: '/workspace_id', reason: 'beyond_own_workspace', detail }]
}

function beyondTime(expiresAt: Date | null, ownEnd: Date | null, now: Date): readonly FieldError[] {
  const pointer = '/expires_at'
  if (expiresAt !== null && expiresAt <= now) {
    return [{ pointer, reason: 'in_the_past', detail: 'It must be in the future.' }]
  }
  if (ownEnd === null || (expiresAt !== null && expiresAt <= ownEnd)) return []
  const detail = 'A new key cannot expire later than the calling key.'
  return [{ pointer, reason: 'beyond_own_end', detail }]
}

/** With a key of another operator, the caller would act under that person's name. */
function requireOwnOperator({ operatorId: own }: Principal, { operator_id: id }: CreateKey): void {
  if (id == null || id === own) return
  const detail =
    own === null
      ? 'This key belongs to no operator, so it creates only keys without one.'
      : 'A key creates keys of its own operator, and keys without one.'
  const errors = [{ pointer: '/operator_id', reason: 'operator_not_yours', detail }]
  throw new Problem('operator_not_yours', { errors })
}

async function requireRoom({ db, clock }: Deps, principal: Principal): Promise<void> {
  const { organizationId, livemode } = principal
  const { count } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.and({ organization_id: organizationId, livemode }))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]))
    .executeTakeFirstOrThrow()
  if (Number(count) < activeKeysMax) return
  throw new Problem('limit_reached', {
    detail: `The organization has ${activeKeysMax} active keys in this mode.`,
  })
}
