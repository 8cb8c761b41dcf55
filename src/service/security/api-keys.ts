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
import { type KeyRole, type Scope, scopes } from './scopes.ts'

export { defaultScopes, type Scope, scopes, scopesOnRequest } from './scopes.ts'

export type OrganizationType = 'external' | 'internal' | 'platform'

/**
 * The caller and what its key may access. `workspaceId` null = every workspace of the key's mode.
 */
export type Principal = {
  readonly keyId: string
  /** The operator who owns the key; null for a key without an operator. */
  readonly operatorId: string | null
  readonly organizationId: string
  readonly organizationType: OrganizationType
  readonly workspaceId: string | null
  readonly livemode: boolean
  readonly scopes: ReadonlySet<Scope>
  /** The plan's limit for each key; null = unlimited. */
  readonly requestsPerMinute: number | null
  /** A suspended organization cannot start anything new. */
  readonly isSuspended: boolean
}

/** The actor recorded for requests with this key: its operator, else the key itself. */
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
/** Cached keys: more than are used within `freshMs`. */
const cachedMax = 10_000
/** The precision of `last_used_at`: at most one write per key in this time. */
const lastUsedStepMs = 60_000
/** Pending `last_used_at` writes; beyond this the write is dropped, not the request. */
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

/** Whether the text has a key's form and checksum: garbage is rejected without a database query. */
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
  /** Default: a new id. */
  readonly id?: string
  readonly organizationId: string
  readonly workspaceId: string | null
  readonly livemode: boolean
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  /** An operator of the same organization; null or absent = a key without an operator. */
  readonly operatorId?: string | null
  /** What people call it. Default: nothing. */
  readonly name?: string | null
  /** Default: `custom`. The caller passes the scopes of any other role. */
  readonly role?: KeyRole
  /** A sign-in to the console creates it. Default: false. */
  readonly fromSignIn?: boolean
}

type Deps = {
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly pepper: Peppers
}

/**
 * Creates a key. The audit event is appended first. Only the returned value contains the key
 * itself. `beside` runs in the transaction that stores the key. Throws `unauthenticated` if the key or
 * operator that creates it was revoked or disabled meanwhile.
 */
export async function createApiKey(
  deps: Deps,
  order: NewKey,
  by: { readonly actor: Actor; readonly requestId: string | null },
  beside: (tx: Kysely<Database>) => Promise<void> = async () => undefined,
): Promise<{ readonly id: string; readonly key: string; readonly last4: string }> {
  const { id = newKeyId(), role = 'custom' } = order
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
      role,
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
        name: order.name ?? null,
        role,
        from_sign_in: order.fromSignIn ?? false,
        scopes: [...order.scopes],
        expires_at: order.expiresAt,
        operator_id: order.operatorId ?? null,
        created_by_key_id: by.actor.keyId,
        created_by_operator_id: creator,
        created_at: new Date(),
      })
      .execute()
    await beside(tx)
  })
  return { id, key, last4: key.slice(-4) }
}

/**
 * Locks the creator's row until the key is stored. A revocation that was committed before refuses
 * the new key; one that is committed later sees it.
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

/**
 * Revokes a key. The audit event is appended first. False if the key does not exist. Calling it
 * again changes nothing.
 */
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
  /** The key was revoked, or its operator is disabled. */
  readonly isRevoked: boolean
}

function isValid({ expiresAt, isRevoked }: Known): boolean {
  return !isRevoked && (expiresAt === null || expiresAt.getTime() > Date.now())
}

/** Authenticates API keys. One per process; close it before the database. */
export class ApiKeys {
  readonly #db: Kysely<Database>
  /** KeyObjects: converting bytes each time would be most of the cost of a digest. */
  readonly #peppers: readonly { readonly key: KeyObject }[]
  readonly #cache: ReadCache<Known> = new LRUCache({
    max: cachedMax,
    ttl: freshMs,
    ttlResolution: 0,
  })
  /** Keys whose `last_used_at` was updated within the last `lastUsedStepMs`. */
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
   * The principal of an `Authorization` header, or null. Missing, malformed, unknown, expired and
   * revoked keys look the same to the caller, as does the key of a disabled operator. `refused` is
   * called with the owner of the key, or null if it is unknown. Throws if the database cannot be
   * reached.
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

  /** Writes the pending `last_used_at` values and releases the database. */
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

  /** Runs outside the request: an unreachable database loses a timestamp, never a request. */
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
