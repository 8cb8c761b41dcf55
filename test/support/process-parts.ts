import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../../projections/tables.ts'
import { catalogue } from '../../src/service/couriers/catalogue.ts'
import { couriers } from '../../src/service/couriers/couriers.ts'
import { pool as openPool } from '../../src/service/database/pool.ts'
import type { Instant } from '../../src/service/domain/decider.ts'
import {
  operationIdOf,
  shipmentIdOf,
  shipmentStream,
  shipmentStreamPrefix,
} from '../../src/service/domain/ids.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { quoteTimes } from '../../src/service/domain/quote.ts'
import type { Shipment } from '../../src/service/domain/shipment/shipment.ts'
import type { Command } from '../../src/service/domain/shipment/shipment-decisions.ts'
import type { AnomalyCode } from '../../src/service/domain/tracking/tracking.ts'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { decodeEvent, type LedgerEvent } from '../../src/service/event-store/codec.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { StreamWatch } from '../../src/service/event-store/stream-watch.ts'
import {
  existing,
  loadShipment,
  type Transacted,
  transact,
} from '../../src/service/event-store/transact.ts'
import { besideFirst, type VaultWriter } from '../../src/service/event-store/with-append.ts'
import { InFlightCalls } from '../../src/service/processes/calls/in-flight-calls.ts'
import { courierAccounts } from '../../src/service/processes/connections/courier-accounts.ts'
import { postgresClaims } from '../../src/service/processes/due/claims-postgres.ts'
import { unlisted } from '../../src/service/processes/erasure/erasure-list.ts'
import { erasureRows } from '../../src/service/processes/erasure/erasure-rows.ts'
import { UnreadableLabels } from '../../src/service/processes/labels/unreadable-labels.ts'
import type { ProcessServices } from '../../src/service/processes/process-services.ts'
import { LedgerGuard } from '../../src/service/processes/recovery/ledger-guard.ts'
import { advanceLimits } from '../../src/service/processes/sandbox/advance-limits.ts'
import { AssumedClocks } from '../../src/service/processes/sandbox/assumed-clocks.ts'
import { Signal } from '../../src/service/queue/signal.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { batchSealer, invoiceSealer } from '../../src/service/security/encryption/own-key.ts'
import { webhookSealer } from '../../src/service/security/encryption/webhook-secrets.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import type { DeliveryServices } from '../../src/service/webhooks/deliver.ts'
import { dueDeliveries } from '../../src/service/webhooks/due-deliveries.ts'
import { noTrackingUrls } from '../../src/service/webhooks/outbox.ts'
import { webhookSender } from '../../src/service/webhooks/send.ts'
import { connectionPlace, request, seconds, start } from './given.ts'
import { noLog } from './no-log.ts'
import { type ScriptedCourier, scriptedCourier } from './scripted-courier.ts'
import { testDatabase } from './test-database.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A shipment of the tests. */
export type Made = { readonly shipmentId: string; readonly operationId: string }

export type ProcessParts = {
  /** The database's URL for the application's role. */
  readonly url: string
  readonly pool: pg.Pool
  readonly deps: ProcessServices
  /** Stores rows of the vault without events. */
  readonly writer: VaultWriter
  readonly courier: ScriptedCourier
  /** Counted anomalies. */
  readonly anomalies: AnomalyCode[]
  /** A new shipment whose intent is recorded at T, and its outcome, if given, a second later. */
  shipment(outcome?: CallOutcome, at?: Instant): Promise<Made>
  decide(made: Made, command: Command, now: Instant): Promise<Transacted>
  state(made: Made): Promise<Shipment>
  events(made: Made): Promise<readonly LedgerEvent[]>
  types(made: Made): Promise<readonly string[]>
  /** The connection's current status; `activate` acts like a PATCH of the credentials. */
  connectionStatus(): Promise<string>
  activate(): Promise<void>
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** The processes on a real database, with the memory store and a scripted courier. */
export async function processParts(t: Test): Promise<ProcessParts> {
  const { url, adminUrl } = await testDatabase(t)
  const pool = openPool({ connectionString: url, max: 4, log: noLog })
  const admin = openPool({ connectionString: adminUrl, max: 1, log: noLog })
  const keys = masterKeys(randomBytes(32).toString('base64'))
  const rows = postgresVaultRows(pool)
  const vault = new Vault(rows, keys)
  const writer = new BatchedVaultWriter(rows)
  const store = besideFirst(memoryEventStore(), writer)
  t.teardown(async () => {
    await store.close()
    await Promise.all([pool.end(), admin.end()])
  })
  await seed(admin)
  const courier = scriptedCourier()
  const all = couriers({ simulator: courier, live: new Map() })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const open = () => ({ username: 'shop', password: 'secret' })
  const sender = webhookSender()
  t.teardown(() => sender.close())
  const deliver: DeliveryServices = {
    db,
    store,
    links: noTrackingUrls,
    webhookSender: sender,
    allowPrivateWebhooks: true,
    log: noLog,
    deliveryRules,
    webhookSealer: webhookSealer(keys),
  }
  const anomalies: AnomalyCode[] = []
  const deps: ProcessServices = {
    db,
    store,
    guard: new LedgerGuard({ db, log: noLog, restartStore: () => undefined }),
    couriers: all,
    log: noLog,
    vault,
    clocks: new AssumedClocks(),
    deliveries: dueDeliveries(deliver),
    catalogue: catalogue((mode) => all.courierFor(mode)),
    accounts: courierAccounts({ db, store, open }),
    watch: new StreamWatch(store, [shipmentStreamPrefix]),
    inFlightCalls: new InFlightCalls(),
    claims: postgresClaims(db),
    workAdded: new Signal(),
    batchSealer: batchSealer(keys),
    invoiceSealer: invoiceSealer(keys),
    advance: advanceLimits,
    ratesWithinMs: quoteTimes.answeredWithinMs,
    erasureRows: erasureRows(db),
    noteAnomaly: (code) => {
      anomalies.push(code)
    },
    erasures: unlisted,
    unreadableLabels: new UnreadableLabels({ db, log: noLog, counted: () => undefined }),
  }
  return {
    url,
    pool,
    deps,
    writer,
    courier,
    anomalies,
    ...ledgerOf(deps),
    ...connectionOf(admin, deps),
  }
}

async function seed(admin: pg.Pool): Promise<void> {
  const { organization_id, workspace_id, courier_connection_id } = request
  await admin.query(`INSERT INTO organizations VALUES ($1, 'Test', 'external', now())`, [
    organization_id,
  ])
  await admin.query(
    `INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
     VALUES ($2, $1, false, 'Shop', 'shop', now(), now())`,
    [organization_id, workspace_id],
  )
  await admin.query(
    `INSERT INTO courier_connections (id, organization_id, workspace_id, livemode, provider_code,
       display_name, status, credentials, created_at, updated_at)
     VALUES ($3, $1, $2, false, 'mock', 'Courier', 'active', '', now(), now())`,
    [organization_id, workspace_id, courier_connection_id],
  )
}

function ledgerOf(deps: ProcessServices) {
  const { store, vault } = deps
  const actor = { type: 'system', keyId: null } as const
  let count = 0
  const decide = ({ shipmentId }: Made, command: Command, now: Instant) =>
    transact(store, shipmentId, command, { actor, requestId: null, now })
  const events = async ({ shipmentId }: Made) =>
    (await store.readStream(shipmentStream(shipmentId))).map((event) => decodeEvent(event))
  return {
    decide,
    events,
    types: async (made: Made) => (await events(made)).map((event) => event.type),
    state: async ({ shipmentId }: Made) => existing(await loadShipment(store, shipmentId)),
    async shipment(outcome?: CallOutcome, at: Instant = start): Promise<Made> {
      const { organization_id: organizationId, workspace_id: workspaceId } = request
      const idempotencyKey = `order-${++count}`
      const shipmentId = shipmentIdOf({
        organizationId,
        workspaceId,
        livemode: false,
        idempotencyKey,
      })
      const made = { shipmentId, operationId: operationIdOf(shipmentId, 1) }
      const draft = vault.prepare({ organizationId, workspaceId, shipmentId }, { recipient: {} })
      const intent: Command = {
        do: 'request_shipment',
        now: at,
        callDeadline: at + seconds(20),
        operationId: made.operationId,
        credentialsVersion: 1,
        request: { ...request, idempotency_key: idempotencyKey, vault_ref: draft.ref },
      }
      const options = { actor, requestId: null, now: at, beside: { row: draft.row } }
      await transact(store, shipmentId, intent, options)
      if (outcome !== undefined) {
        const { operationId } = made
        await decide(made, { do: 'record_outcome', operationId, outcome }, at + seconds(1))
      }
      return made
    },
  }
}

function connectionOf(admin: pg.Pool, deps: ProcessServices) {
  const id = request.courier_connection_id
  const query = async <Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => (await admin.query<Row>(text, [...values])).rows
  return {
    query,
    async connectionStatus() {
      const [row] = await query<{ status: string }>(
        'SELECT status FROM courier_connections WHERE id = $1',
        [id],
      )
      return String(row?.status)
    },
    async activate() {
      await query(
        `UPDATE courier_connections
         SET status = 'active', credentials_version = credentials_version + 1 WHERE id = $1`,
        [id],
      )
      deps.accounts.forget(connectionPlace)
    },
  }
}
