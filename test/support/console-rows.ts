import pg from 'pg'
import { loadShipment, transact } from '../../src/event-store/transact.ts'
import type { Service } from './service.ts'

const minuteMs = 60_000

/**
 * So many operations that need review, each a copy of the one that is given: rows of the read models
 * only, which is what a list reads.
 */
export async function fillOperations(
  shop: Service,
  model: { readonly shipmentId: string; readonly operationId: string },
  rows: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: shop.database.adminUrl })
  await client.connect()
  try {
    await client.query('SET session_replication_role = replica')
    const of = [model.shipmentId, model.operationId, rows]
    await client.query(
      `INSERT INTO projections.timers (shipment_id, version, organization_id, workspace_id, livemode,
        listed_state, courier_connection_id, is_open)
      SELECT 'shp_' || value, version, organization_id, workspace_id, livemode,
        replace(replace(listed_state::text, $1, 'shp_' || value), $2, 'op_' || value || '01')::json,
        courier_connection_id, false
      FROM projections.timers, (SELECT lpad(n::text, 22, '0') AS value
        FROM generate_series(1, $3::int) n) made WHERE shipment_id = $1`,
      of,
    )
    await client.query(
      `INSERT INTO projections.operations (operation_id, version, shipment_id, organization_id,
        workspace_id, courier_connection_id, livemode, type, status, result, cause,
        external_reference, idempotency_key, escalated, contradicted, unconfirmed, provider_code,
        created_at)
      SELECT 'op_' || value || '01', version, 'shp_' || value, organization_id, workspace_id,
        courier_connection_id, livemode, type, status, result, cause, external_reference,
        idempotency_key, escalated, contradicted, unconfirmed, provider_code, created_at
      FROM projections.operations, (SELECT lpad(n::text, 22, '0') AS value
        FROM generate_series(1, $2::int) n) made WHERE operation_id = $1`,
      [model.operationId, rows],
    )
    await client.query('ANALYZE projections.operations, projections.timers')
  } finally {
    await client.end()
  }
}

/** Lets a shipment's history grow to so many events, by the domain's own decisions. */
export async function growHistory(
  shop: Service,
  shipmentId: string,
  events: number,
): Promise<void> {
  const { store } = shop.parts
  let snapshot = await loadShipment(store, shipmentId)
  for (let n = 0; (snapshot.state?.version ?? 0) < events; n++) {
    const now = (snapshot.state?.updatedAt ?? 0) + minuteMs
    const done = await transact(
      store,
      shipmentId,
      {
        ...{ do: 'observe_tracking', events: [], eta: now + n * minuteMs },
        ...{ evidenceRef: null, monitoring: 'active' },
      },
      { actor: { type: 'poller', keyId: null }, requestId: null, now, from: snapshot },
    )
    if (done.kind !== 'done' || !done.appended) throw new Error(`the history stopped: ${done.kind}`)
    snapshot = done.snapshot
  }
}
