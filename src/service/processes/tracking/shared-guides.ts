import { sql } from 'kysely'
import { batched } from '../../database/batcher.ts'
import type { Instant } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { sharedWithMax } from '../../domain/tracking/tracking.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, type Snapshot, transact } from '../../event-store/transact.ts'
import type { ProcessServices } from '../process-services.ts'

const noticer: Actor = { type: 'system', keyId: null }

type ShareDeps = Pick<ProcessServices, 'db' | 'log' | 'noteAnomaly' | 'store'>

/**
 * Records on a shipment, and on every other shipment of its connection with the same guide number,
 * that they share it. Returns the shipment's new state.
 */
export async function noteSharedGuide(
  deps: ShareDeps,
  shipmentId: string,
  snapshot: Snapshot,
  now: Instant,
): Promise<Snapshot> {
  const { request, followedGuide: guideNumber, tracking } = existing(snapshot)
  if (guideNumber === null || tracking.sharedWith.length >= sharedWithMax) return snapshot
  const others = await othersWithGuide(deps.db, { shipmentId, guideNumber, request })
  let latest = snapshot
  for (const otherId of others.filter((id) => !tracking.sharedWith.includes(id))) {
    await record(deps, otherId, { guideNumber, sharedWith: shipmentId, now })
    latest = await record(deps, shipmentId, { guideNumber, sharedWith: otherId, now, from: latest })
  }
  return latest
}

type GuideOf = {
  readonly shipmentId: string
  readonly guideNumber: string
  readonly request: Shipment['request']
}

/** Other shipments of the connection with this guide number, oldest first. */
const othersWithGuide = batched(async (db: ProcessServices['db'], guides: readonly GuideOf[]) => {
  const asked = guides.map(({ shipmentId, guideNumber, request }) => ({
    shipment_id: shipmentId,
    guide_number: guideNumber,
    organization_id: request.organization_id,
    livemode: request.livemode,
    connection: request.courier_connection_id,
  }))
  const { rows } = await sql<{ of: string; shipment_id: string }>`
    SELECT asked.shipment_id AS of, other.shipment_id
    FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked (
      shipment_id text, guide_number text, organization_id text, livemode boolean, connection text)
    CROSS JOIN LATERAL (
      SELECT s.shipment_id FROM projections.shipments s
      WHERE s.organization_id = asked.organization_id COLLATE "C" AND s.livemode = asked.livemode
        AND s.guide_number = asked.guide_number COLLATE "C"
        AND s.courier_connection_id = asked.connection COLLATE "C"
        AND s.shipment_id <> asked.shipment_id
      ORDER BY s.created_at, s.shipment_id LIMIT ${sharedWithMax}
    ) other`.execute(db)
  const found = Map.groupBy(rows, (row) => row.of)
  return guides.map(({ shipmentId }) => (found.get(shipmentId) ?? []).map((row) => row.shipment_id))
})

type Shared = {
  readonly guideNumber: string
  readonly sharedWith: string
  readonly now: Instant
  readonly from?: Snapshot
}

async function record(
  { store, log, noteAnomaly }: ShareDeps,
  shipmentId: string,
  { guideNumber, sharedWith, now, from }: Shared,
): Promise<Snapshot> {
  const command = { do: 'note_shared_guide', guideNumber, sharedWith } as const
  const options = { actor: noticer, requestId: null, now, append: { reserved: true } }
  const done = await transact(store, shipmentId, command, {
    ...options,
    ...(from === undefined ? {} : { from }),
  })
  if (done.kind !== 'done') throw new Error(`bug: a shared guide was ${done.kind}`)
  const { livemode } = existing(done.snapshot).request
  if (done.appended) {
    noteAnomaly('guide_number_shared', livemode)
    log.warn(
      { shipmentId, otherId: sharedWith },
      'another shipment of the connection has the guide number',
    )
  }
  return done.snapshot
}
