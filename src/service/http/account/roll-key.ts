import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { actorOf } from '../../security/api-keys.ts'
import {
  isRollable,
  type KeyRow,
  overlapHoursDefault,
  overlapHoursMax,
  rollApiKey,
  sameLifetime,
  scopesOf,
} from '../../security/rolled-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, App } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { requireScope } from '../rules/authenticate.ts'
import { resource } from '../rules/resources/resource.ts'
import { requireStillValid } from '../rules/still-valid.ts'
import { withLock } from '../rules/with-lock.ts'
import { beyondTime, latestEnd, requireOwnOperator, requireRoom } from './key-limits.ts'
import { findKey, keyWithSecretSchema } from './key-schema.ts'
import { respondNewKey } from './respond-new-key.ts'

const body = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(overlapHoursMax)
      .optional()
      .meta({
        description: `For how many hours the old key still works beside the next one, unless it expires earlier: 0 (it stops within 5 seconds) to ${overlapHoursMax}. Absent: ${overlapHoursDefault}.`,
      }),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().meta({
      description:
        'When the next key expires, not later than the calling key. Absent: after as long a life as the old key was given, but not later than the calling key. `null`: never.',
    }),
  })
  .meta({ description: 'How to roll the key.', examples: [{ overlap_hours: 24 }] })
type Body = z.infer<typeof body>

export function rollKeyRoute(app: App, deps: ApiServices): void {
  const old = resource('keys:write', ({ principal }, id) => findKey(deps.db, principal, id))
  app.route({
    method: 'POST',
    url: '/v1/keys/:id/roll',
    config: {
      resource: old,
      isIdempotent: true,
      problems: ['key_not_rollable', 'limit_reached', 'operator_not_yours'],
    },
    schema: {
      operationId: 'rollKey',
      summary: 'Replace a key: create the next one and let the old one live for a while',
      description:
        'The next key has the name, role, scopes, workspace and operator of the old one. The answer shows it, only this once. A repeat with the same Idempotency-Key rolls nothing and returns `key: null`; if that answer was lost, roll the next key. The limits of `POST /v1/keys` apply: a key rolls only keys that it could create.',
      tags: ['Keys'],
      params: pathId('key'),
      body,
      response: {
        201: keyWithSecretSchema.meta({ description: 'The next key, with the key itself.' }),
      },
    },
    handler: (request, reply) =>
      respondNewKey(deps, {
        request,
        reply,
        make: (caller, id) => roll(deps, caller, request.params.id, { ...request.body, id }),
      }),
  })
}

/** Rolls the key and returns the next one, or null if an earlier try did. */
async function roll(
  deps: ApiServices,
  { principal, requestId }: Caller,
  oldId: string,
  order: Body & { readonly id: string },
): Promise<string | null> {
  const { organizationId, livemode } = principal
  return await withLock(deps.db, ['api-keys', organizationId, String(livemode)], async () => {
    const own = await requireStillValid(deps, principal)
    const old = await deps.db
      .selectFrom('api_keys')
      .selectAll()
      .where(inTenantScope(principal))
      .where('id', '=', oldId)
      .executeTakeFirst()
    if (old === undefined) throw new Problem('not_found')
    if (old.replaced_by_key_id === order.id) return null
    const now = deps.clock.now()
    if (!isRollable(old, now)) throw new Problem('key_not_rollable')
    requireOwnOperator(principal, old.operator_id)
    // The answer shows the next key, so a key with fewer scopes must not roll it.
    for (const scope of scopesOf(old)) requireScope(principal, scope)
    const lastEnd = latestEnd(own, old.operator_id, now)
    const expiresAt = endOf(old, order, lastEnd, now)
    const errors = beyondTime(expiresAt, lastEnd, now)
    if (errors.length > 0) throw new Problem('validation_failed', { errors })
    await requireRoom(deps, principal)
    const by = { actor: actorOf(principal), requestId }
    const { overlap_hours: overlapHours = overlapHoursDefault, id } = order
    return (await rollApiKey(deps, old, { id, overlapHours, expiresAt }, by)).key
  })
}

function endOf(
  old: KeyRow,
  { expires_at: asked }: Body,
  ownEnd: Date | null,
  now: Date,
): Date | null {
  if (asked !== undefined) return asked === null ? null : new Date(asked)
  const same = sameLifetime(old, now)
  if (same === null || ownEnd === null) return same ?? ownEnd
  return same < ownEnd ? same : ownEnd
}
