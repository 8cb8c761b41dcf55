import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { customAlphabet } from 'nanoid'
import type { Database } from '../database/database.ts'
import { type ReadCache, readThrough } from '../database/read-through.ts'
import { base62, base62Alphabet, idValueLength } from '../domain/ids.ts'
import { Problem } from '../errors.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from './audit.ts'
import type { KeyOwner } from './failed-authentications.ts'

export const scopes = [
  'shipments:read',
  'shipments:write',
  'connections:read',
  'connections:write',
  'webhooks:read',
  'webhooks:write',
  'workspaces:read',
  'workspaces:write',
  'keys:write',
  'operators:write',
  'operations:read',
  'operations:review',
  'ledger:read',
] as const
export type Scope = (typeof scopes)[number]
/** Deciding about a lost guide, and saying who may do what, must be granted explicitly. */
export const scopesOnRequest: readonly Scope[] = [
  'operations:review',
  'keys:write',
  'operators:write',
]
export const defaultScopes: readonly Scope[] = scopes.filter(
  (scope) => !scopesOnRequest.includes(scope),
)

export type OrganizationType = 'external' | 'internal' | 'platform'

/** The caller and the reach of its key. `workspaceId` null = every workspace of the key's mode. */
export type Principal = {
  readonly keyId: string
  /** The person whose key it is; null if it belongs to none. */
  readonly operatorId: string | null
  readonly organizationId: string
  readonly organizationType: OrganizationType
  readonly workspaceId: string | null
  readonly livemode: boolean
  readonly scopes: ReadonlySet<Scope>
  /** From the plan, for each key; null = unlimited. */
  readonly requestsPerMinute: number | null
  /** The organization may begin nothing new. */
  readonly isSuspended: boolean
}

/** The actor of what is done with this key: its operator, else the key itself. */
export function actorOf({ keyId, operatorId }: Pick<Principal, 'keyId' | 'operatorId'>): Actor {
  return operatorId === null ? { type: 'api_key', keyId } : { type: 'operator', operatorId, keyId }
}

/** The server's secret for key digests; 32 bytes. */
type Pepper = { readonly version: number; readonly key: Buffer }
export type Peppers = { readonly current: Pepper; readonly previous: readonly Pepper[] }

/** 43 base62 characters hold 256 bits. */
const bodyLength = 43
const crcLength = 6
const keyPattern = new RegExp(`^svc_(?:test|live)_[0-9A-Za-z]{${bodyLength + crcLength}}$`)

/**
 * A revocation takes effect everywhere within 5 s, as do a plan change and a suspension: data read
 * longer ago than this is read again.
 */
const freshMs = 4_000
/** Keys cached at once; more than are ever used while they stay fresh. */
const cachedMax = 10_000
/** The precision of `last_used_at`: one write per key in this time. */
const lastUsedStepMs = 60_000
/** Keys noted as used but not yet written; beyond this the note is dropped, not the request. */
const notedMax = 1_000

export function newKeyId(): string {
  return `key_${customAlphabet(base62Alphabet, idValueLength)()}`
}

/** A new key. It is shown once and stored as a digest only. */
export function newApiKey(livemode: boolean): string {
  const prefix = livemode ? 'svc_live_' : 'svc_test_'
  const body = prefix + base62(randomBytes(32), bodyLength)
  return body + checksum(body)
}

/** Whether the text can be a key at all, so that garbage costs no look-up. */
export function isApiKey(text: string): boolean {
  return keyPattern.test(text) && checksum(text.slice(0, -crcLength)) === text.slice(-crcLength)
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes, crcLength)
}

function keyDigest(pepper: { readonly key: Buffer | KeyObject }, key: string): Buffer {
  return createHmac('sha256', pepper.key).update(key).digest()
}

export type NewKey = {
  /** A new one if absent. */
  readonly id?: string
  readonly organizationId: string
  readonly workspaceId: string | null
  readonly livemode: boolean
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  /** An operator of the same organization; null or absent = the key belongs to no person. */
  readonly operatorId?: string | null
}

type Deps = {
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly pepper: Peppers
}

/**
 * Creates a key, audited first. The key in the answer exists nowhere else. Throws `unauthenticated`
 * if the key or operator that creates it has ended meanwhile.
 */
export async function createApiKey(
  deps: Deps,
  order: NewKey,
  by: { readonly actor: Actor; readonly requestId: string | null },
): Promise<{ readonly id: string; readonly key: string; readonly last4: string }> {
  const { id = newKeyId() } = order
  const key = newApiKey(order.livemode)
  const creator = by.actor.type === 'operator' ? by.actor.operatorId : null
  await audit(deps.store, {
    ...by,
    organizationId: order.organizationId,
    workspaceId: order.workspaceId,
    livemode: order.livemode,
    type: 'ApiKeyCreated',
    data: {
      key_id: id,
      livemode: order.livemode,
      workspace_id: order.workspaceId,
      scopes: [...order.scopes],
      expires_at: order.expiresAt?.toISOString() ?? null,
      ...(order.operatorId == null ? {} : { operator_id: order.operatorId }),
      created_by_key_id: by.actor.keyId,
      ...(creator === null ? {} : { created_by_operator_id: creator }),
    },
  })
  await deps.db.transaction().execute(async (tx) => {
    await lockCreator(tx, by.actor)
    await tx
      .insertInto('api_keys')
      .values({
        id,
        organization_id: order.organizationId,
        workspace_id: order.workspaceId,
        livemode: order.livemode,
        digest: keyDigest(deps.pepper.current, key),
        pepper_version: deps.pepper.current.version,
        last4: key.slice(-4),
        scopes: [...order.scopes],
        expires_at: order.expiresAt,
        operator_id: order.operatorId ?? null,
        created_by_key_id: by.actor.keyId,
        created_by_operator_id: creator,
        created_at: new Date(),
      })
      .execute()
  })
  return { id, key, last4: key.slice(-4) }
}

/**
 * Keeps the creator as it is until the key is stored: a revocation or a disabling that came first
 * refuses the key, and one that comes later finds it.
 */
async function lockCreator(tx: QueryExecutorProvider, actor: Actor): Promise<void> {
  const locked = [
    ...(actor.type === 'operator'
      ? [sql`SELECT FROM operators WHERE id = ${actor.operatorId} AND status = 'active' FOR SHARE`]
      : []),
    ...(actor.keyId === null
      ? []
      : [sql`SELECT FROM api_keys WHERE id = ${actor.keyId} AND revoked_at IS NULL FOR SHARE`]),
  ]
  for (const lock of locked) {
    const { rows } = await lock.execute(tx)
    if (rows.length === 0) throw new Problem('unauthenticated')
  }
}

/** Revokes a key, audited first. False when there is no such key; repeating it changes nothing. */
export async function revokeApiKey(
  deps: Pick<Deps, 'db' | 'store'>,
  keyId: string,
  by: { readonly actor: Actor; readonly requestId: string | null },
): Promise<boolean> {
  const found = await deps.db
    .selectFrom('api_keys')
    .select(['organization_id', 'workspace_id', 'livemode', 'revoked_at'])
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (found === undefined) return false
  if (found.revoked_at !== null) return true
  await audit(deps.store, {
    ...by,
    organizationId: found.organization_id,
    workspaceId: found.workspace_id,
    livemode: found.livemode,
    type: 'ApiKeyRevoked',
    data: { key_id: keyId },
  })
  await deps.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .execute()
  return true
}

type Known = {
  readonly principal: Principal
  readonly expiresAt: Date | null
  /** Or its operator is disabled. */
  readonly isRevoked: boolean
}

function isValid({ expiresAt, isRevoked }: Known): boolean {
  return !isRevoked && (expiresAt === null || expiresAt.getTime() > Date.now())
}

/** Recognizes keys. One per process; close it before the database. */
export class ApiKeys {
  readonly #db: Kysely<Database>
  /** As KeyObjects, which saves most of the cost of a digest. */
  readonly #peppers: readonly { readonly key: KeyObject }[]
  readonly #cache: ReadCache<Known> = new LRUCache({
    max: cachedMax,
    ttl: freshMs,
    ttlResolution: 0,
  })
  /** Keys whose use was noted within the last `lastUsedStepMs`. */
  readonly #recentlyNoted = new LRUCache<string, true>({
    max: cachedMax,
    ttl: lastUsedStepMs,
    ttlResolution: 0,
  })
  #noted = new Set<string>()
  #writing: Promise<void> | null = null

  constructor(options: { readonly db: Kysely<Database>; readonly pepper: Peppers }) {
    this.#db = options.db
    const { current, previous } = options.pepper
    this.#peppers = [current, ...previous].map(({ key }) => ({ key: createSecretKey(key) }))
  }

  /**
   * The principal of an `Authorization` header, or null: missing, malformed, unknown, expired and
   * revoked look the same to the caller, as does the key of a disabled operator; `refused` is told whose key it was, null if it is unknown.
   * Throws when the database cannot be reached.
   */
  async authenticate(
    header: string | undefined,
    refused: (key: KeyOwner | null) => void = () => undefined,
  ): Promise<Principal | null> {
    const key = /^bearer +(\S{1,100}) *$/i.exec(header ?? '')?.[1]
    const known = key === undefined || !isApiKey(key) ? null : await this.#known(key)
    if (known === null || !isValid(known)) {
      refused(known?.principal ?? null)
      return null
    }
    this.#noteUse(known.principal.keyId)
    return known.principal
  }

  /** Writes the pending notes and releases the database. */
  async close(): Promise<void> {
    await this.#writing
  }

  #known(key: string): Promise<Known | null> {
    const digests = this.#peppers.map((pepper) => keyDigest(pepper, key))
    return readThrough(this.#cache, digests[0]!.toString('base64'), () => this.#read(digests))
  }

  async #read(digests: readonly Buffer[]): Promise<Known | null> {
    const row = await this.#db
      .selectFrom('api_keys')
      .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
      .innerJoin('plans', 'plans.name', 'organizations.plan')
      .leftJoin('operators', 'operators.id', 'api_keys.operator_id')
      .select([
        'api_keys.id',
        'api_keys.organization_id',
        'api_keys.workspace_id',
        'api_keys.livemode',
        'api_keys.digest',
        'api_keys.scopes',
        'api_keys.expires_at',
        'api_keys.revoked_at',
        'api_keys.operator_id',
        'operators.status as operator_status',
        'organizations.type',
        'organizations.suspended_at',
        'plans.requests_per_minute',
      ])
      .where('api_keys.digest', 'in', digests)
      .executeTakeFirst()
    if (row === undefined || !digests.some((digest) => timingSafeEqual(digest, row.digest))) {
      return null
    }
    return {
      expiresAt: row.expires_at,
      isRevoked: row.revoked_at !== null || row.operator_status === 'disabled',
      principal: {
        keyId: row.id,
        operatorId: row.operator_id,
        organizationId: row.organization_id,
        organizationType: row.type,
        workspaceId: row.workspace_id,
        livemode: row.livemode,
        scopes: new Set(scopes.filter((scope) => row.scopes.includes(scope))),
        requestsPerMinute: row.requests_per_minute,
        isSuspended: row.suspended_at !== null,
      },
    }
  }

  #noteUse(keyId: string): void {
    if (this.#recentlyNoted.has(keyId) || this.#noted.size >= notedMax) return
    this.#recentlyNoted.set(keyId, true)
    this.#noted.add(keyId)
    this.#writing ??= this.#writeUses().finally(() => {
      this.#writing = null
    })
  }

  /** Outside the request's path; an unreachable database costs a note, never a request. */
  async #writeUses(): Promise<void> {
    while (this.#noted.size > 0) {
      const ids = [...this.#noted]
      this.#noted = new Set()
      try {
        await this.#db
          .updateTable('api_keys')
          .set({ last_used_at: new Date() })
          .where('id', 'in', ids)
          .execute()
      } catch {
        for (const id of ids) this.#recentlyNoted.delete(id)
        return
      }
    }
  }
}
