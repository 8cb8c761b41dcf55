import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { Problem } from '../errors.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { createApiKey, newKeyId, type Peppers, type Scope, scopes } from './api-keys.ts'
import { audit } from './audit.ts'

/** How long a rolled key may still live beside the next one: a week for the slowest deployment. */
export const overlapHoursMax = 168
/** A day, as with the secrets of webhooks. */
export const overlapHoursDefault = 24
const hourMs = 3_600_000

export type KeyRow = Selectable<Database['api_keys']>

type Deps = {
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly pepper: Peppers
}

type Roll = {
  /** The id of the next key. Default: a new one. */
  readonly id?: string
  /** How long the old key still lives; its own expiry may come first. */
  readonly overlapHours: number
  /** When the next key expires; null = never. */
  readonly expiresAt: Date | null
}

/** When the next key expires, if it is to live as long as the old one was meant to. */
export function sameLifetime({ created_at, expires_at }: KeyRow, now: Date): Date | null {
  if (expires_at === null) return null
  return new Date(now.getTime() + expires_at.getTime() - created_at.getTime())
}

/**
 * A key that has ended has nothing to replace, one that was rolled has its next key, and that of a
 * sign-in would last without its person signing in again.
 */
export function isRollable(
  { revoked_at, replaced_by_key_id, expires_at, from_sign_in }: KeyRow,
  now: Date,
): boolean {
  if (revoked_at !== null || replaced_by_key_id !== null || from_sign_in) return false
  return expires_at === null || expires_at > now
}

/**
 * Creates the next key, with the name, role, scopes, workspace and operator of the old one, and lets
 * the old one end after the overlap. The audit events are appended first. Only the returned value
 * contains the key itself. Throws `key_not_rollable`, also if another call rolled it meanwhile.
 */
export async function rollApiKey(
  deps: Deps,
  old: KeyRow,
  { id = newKeyId(), overlapHours, expiresAt }: Roll,
  by: { readonly actor: Actor; readonly requestId: string | null },
): Promise<{ readonly id: string; readonly key: string; readonly oldEndsAt: Date }> {
  const now = new Date()
  if (!isRollable(old, now)) throw new Problem('key_not_rollable')
  const overlapEnd = new Date(now.getTime() + overlapHours * hourMs)
  const { expires_at: ownEnd } = old
  const oldEndsAt = ownEnd !== null && ownEnd < overlapEnd ? ownEnd : overlapEnd
  const order = {
    id,
    organizationId: old.organization_id,
    workspaceId: old.workspace_id,
    livemode: old.livemode,
    name: old.name,
    role: old.role,
    scopes: scopesOf(old),
    operatorId: old.operator_id,
    expiresAt,
  }
  await audit(deps.store, {
    ...by,
    organizationId: old.organization_id,
    workspaceId: old.workspace_id,
    livemode: old.livemode,
    type: 'ApiKeyRolled',
    data: {
      key_id: old.id,
      replaced_by_key_id: id,
      expires_at: oldEndsAt.toISOString(),
      previous_expires_at: ownEnd?.toISOString() ?? null,
    },
  })
  const { key } = await createApiKey(deps, order, by, async (tx) => {
    const ended = await tx
      .updateTable('api_keys')
      .set({ replaced_by_key_id: id, expires_at: oldEndsAt })
      .where((eb) => eb.and({ id: old.id, organization_id: old.organization_id }))
      .where('replaced_by_key_id', 'is', null)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (ended === undefined) throw new Problem('key_not_rollable')
  })
  return { id, key, oldEndsAt }
}

export function scopesOf({ scopes: stored }: Pick<KeyRow, 'scopes'>): readonly Scope[] {
  return scopes.filter((scope) => stored.includes(scope))
}
