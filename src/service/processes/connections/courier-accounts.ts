import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tables } from '../../../../projections/tables.ts'
import type { Courier, Credentials } from '../../couriers/courier.ts'
import type { Couriers } from '../../couriers/couriers.ts'
import { Batcher } from '../../database/batcher.ts'
import { type ReadCache, readThrough } from '../../database/read-through.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { audit } from '../../security/audit.ts'
import { enqueueWebhooks, type RowWebhook } from '../../webhooks/enqueue-webhooks.ts'
import { type ConnectionRow, connectionToApi } from './connection-to-api.ts'

export type CourierAccount = {
  readonly connectionId: string
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly providerCode: string
  readonly status: 'active' | 'needs_reauth' | 'disabled'
  readonly credentialsVersion: number
  readonly credentials: Credentials
}

/** The connection and its owner: a connection of another owner or workspace is not found. */
export type ConnectionPlace = Pick<
  CourierAccount,
  'connectionId' | 'organizationId' | 'workspaceId'
>

/** The connection that a shipment was requested with. */
export function connectionOf({ request }: Shipment): ConnectionPlace {
  return {
    connectionId: request.courier_connection_id,
    organizationId: request.organization_id,
    workspaceId: request.workspace_id,
  }
}

export type CourierAccounts = {
  /**
   * The connection with decrypted credentials, for new guides; null if it does not exist or is
   * deleted.
   */
  load(place: ConnectionPlace): Promise<CourierAccount | null>
  /**
   * The same for existing guides: looks, polls and labels continue after the connection was
   * deleted.
   */
  loadForReads(place: ConnectionPlace): Promise<CourierAccount | null>
  /**
   * Marks the connection as needing new credentials, because the courier refused these. Parks only
   * the refused version; one rotated in meanwhile stays active.
   */
  park(account: CourierAccount): Promise<void>
  /**
   * Rereads the connection, which this process has changed. Other processes see the change within
   * `freshMs`.
   */
  forget(place: ConnectionPlace): void
}

type Row = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  provider_code: string
  status: CourierAccount['status']
  credentials: Buffer
  credentials_version: number
  is_deleted: boolean
}

/** Changes by another process take effect here within this time. */
const freshMs = 1_000
/** Connections cached at once. */
const keptMax = 10_000
/** Connections read by one statement, and waiting for the next. */
const loadsMax = { batchMax: 500, queueMax: 10_000 }

export function courierAccounts(deps: {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly open: (at: {
    readonly organizationId: string
    readonly connectionId: string
    readonly sealed: Buffer
  }) => Credentials
}): CourierAccounts {
  const { db, store } = deps
  // The cache holds sealed credentials, which are decrypted for each use.
  const cache: ReadCache<Row> = new LRUCache({ max: keptMax, ttl: freshMs, ttlResolution: 0 })
  const reads = new Batcher<ConnectionPlace, Row | null>({
    ...loadsMax,
    write: (places) => readRows(db, places),
  })
  // The owner is part of the key, so another owner's look-up never finds this entry.
  const known = (place: ConnectionPlace) =>
    readThrough(cache, nameOf(place), () => reads.add(place))
  const opened = (row: Row): CourierAccount => {
    const { id: connectionId, organization_id: organizationId } = row
    return {
      connectionId,
      organizationId,
      workspaceId: row.workspace_id,
      livemode: row.livemode,
      providerCode: row.provider_code,
      status: row.status,
      credentialsVersion: row.credentials_version,
      credentials: deps.open({ organizationId, connectionId, sealed: row.credentials }),
    }
  }
  return {
    async load(place) {
      const row = await known(place)
      return row === null || row.is_deleted ? null : opened(row)
    },
    async loadForReads(place) {
      const row = await known(place)
      return row === null ? null : opened(row)
    },
    forget: (place) => cache.delete(nameOf(place)),

    async park(account) {
      const { connectionId, organizationId, workspaceId, livemode } = account
      const [row] = await readRows(db, [account])
      const isTheRefusedOne = row?.credentials_version === account.credentialsVersion
      if (row?.status !== 'active' || !isTheRefusedOne) {
        cache.delete(nameOf(account))
        return
      }
      await audit(store, {
        type: 'CourierConnectionChanged',
        data: {
          courier_connection_id: connectionId,
          fields: ['status'],
          changes: { status: { before: row.status, after: 'needs_reauth' } },
        },
        organizationId,
        workspaceId,
        livemode,
        actor: { type: 'system', keyId: null },
        requestId: null,
      })
      await parkRow(db, account)
      cache.delete(nameOf(account))
    },
  }
}

async function readRows(
  db: Kysely<Tables>,
  places: readonly ConnectionPlace[],
): Promise<readonly (Row | null)[]> {
  const ids = places.map(({ connectionId }) => connectionId)
  const { rows } = await sql<Row>`
    SELECT c.id, c.organization_id, c.workspace_id, c.livemode, c.provider_code, c.status,
      c.credentials, c.credentials_version, c.deleted_at IS NOT NULL AS is_deleted
    FROM courier_connections c
    WHERE c.id = ANY (${ids}) AND (c.id, c.organization_id, c.workspace_id) IN (
      SELECT * FROM unnest(${ids}::text[],
        ${places.map(({ organizationId }) => organizationId)}::text[],
        ${places.map(({ workspaceId }) => workspaceId)}::text[]))`.execute(db)
  const byName = new Map(rows.map((row) => [nameOf(placeOf(row)), row]))
  return places.map((place) => byName.get(nameOf(place)) ?? null)
}

export function placeOf(
  row: Pick<Row, 'id' | 'organization_id' | 'workspace_id'>,
): ConnectionPlace {
  return {
    connectionId: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
  }
}

function nameOf({ organizationId, workspaceId, connectionId }: ConnectionPlace): string {
  return [organizationId, workspaceId, connectionId].join(' ')
}

/** Parks the row once and enqueues the webhooks with it. */
async function parkRow(db: Kysely<Tables>, account: CourierAccount): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<ConnectionRow>`
      UPDATE courier_connections
      SET status = 'needs_reauth', updated_at = now(), version = version + 1
      WHERE id = ${account.connectionId} AND credentials_version = ${account.credentialsVersion}
        AND status = 'active'
      RETURNING *`.execute(tx)
    await enqueueWebhooks(tx, rows.map(parkedWebhook))
  })
}

function parkedWebhook(row: ConnectionRow): RowWebhook {
  const { id, version } = row
  return {
    change: `courier_connection:${id}:${version}`,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    livemode: row.livemode,
    type: 'connection.needs_reauth',
    resource: { type: 'courier_connection', id, version },
    // The client chose the name, so it may be personal.
    object: { ...connectionToApi(row), display_name: null },
    previous: { status: 'active' },
    requestId: null,
    at: row.updated_at,
  }
}

export type UsableConnection = { readonly account: CourierAccount; readonly courier: Courier }

/** The account with its courier, if new calls may be made with it. Throws a Problem otherwise. */
export function usableConnection(
  couriers: Couriers,
  account: CourierAccount,
  mode: Parameters<Couriers['courierFor']>[0],
): UsableConnection {
  if (account.status === 'disabled') throw new Problem('connection_disabled')
  if (account.status === 'needs_reauth') throw new Problem('connection_needs_reauth')
  const courier = couriers.courierFor(mode)
  if (courier === null) throw new Problem('courier_not_available')
  return { account, courier }
}
