import { rfc3339 } from '../src/domain/decider.ts'
import { shipmentStreamPrefix } from '../src/domain/ids.ts'
import { isTracked, latestAttempt } from '../src/domain/shipment.ts'
import { hasEnded } from '../src/domain/tracking.ts'
import { type Changed, foldedColumns, foldedDdl } from './fold-batch.ts'
import { folded } from './folded.ts'
import { index } from './shipments.ts'

/** The guides to follow; the poller takes up those that were never read (processes/poll-plan.ts). */
export const tracking = folded({
  name: 'tracking',
  version: 5,
  prefixes: [shipmentStreamPrefix],
  rowsOf: { tracking: { key: 'shipment_id', rows: (changed) => changed.map(trackingRow) } },
  ddl: (table) => {
    const name = table('tracking')
    return [
      `CREATE TABLE IF NOT EXISTS ${name} (${foldedDdl},
        courier_connection_id text COLLATE "C" NOT NULL,
        guide_number text COLLATE "C",
        status text COLLATE "C",
        monitoring text COLLATE "C" NOT NULL,
        issued_at timestamptz,
        is_followed boolean NOT NULL
      ) WITH (fillfactor = 80)`,
    ]
  },
  indexes: (table) => {
    const name = table('tracking')
    return [
      `CREATE INDEX IF NOT EXISTS ${index(name, 'novelty')} ON ${name} (workspace_id, shipment_id)
        WHERE is_followed AND monitoring = 'not_started'`,
    ]
  },
})

function trackingRow(changed: Changed) {
  const { state } = changed
  const hasGuide = isTracked(state)
  const attempt = latestAttempt(state)
  // What is read again begins when that became known, not when the guide was issued.
  const from = state.tracking.resumedAt ?? attempt?.concludedAt
  return {
    ...foldedColumns(changed),
    courier_connection_id: state.request.courier_connection_id,
    guide_number: attempt?.guide?.guideNumber ?? null,
    status: state.tracking.status,
    monitoring: state.tracking.monitoring,
    issued_at: hasGuide && from != null ? rfc3339(from) : null,
    is_followed: hasGuide && !hasEnded(state.tracking),
  }
}
