import { rfc3339 } from '../src/domain/decider.ts'
import { shipmentStreamPrefix } from '../src/domain/ids.ts'
import { latestAttempt, openOperationOf, statusOf } from '../src/domain/shipment.ts'
import { foldBatch, foldedColumns, foldedDdl } from './fold-batch.ts'
import { type Projection, upsertRows } from './projection.ts'

/** The list of shipments and everything it can be filtered by. */
export const shipments: Projection = {
  name: 'shipments',
  version: 2,
  prefixes: [shipmentStreamPrefix],
  tables: ['shipments'],
  ddl: (table) => {
    const name = table('shipments')
    return [
      `CREATE TABLE IF NOT EXISTS ${name} (${foldedDdl},
        courier_connection_id text COLLATE "C" NOT NULL,
        external_reference text NOT NULL,
        idempotency_key text COLLATE "C" NOT NULL,
        status text COLLATE "C" NOT NULL,
        tracking_status text COLLATE "C",
        guide_number text COLLATE "C",
        open_operation_id text COLLATE "C",
        created_at timestamptz NOT NULL
      ) WITH (fillfactor = 80)`,
      `CREATE INDEX IF NOT EXISTS ${index(name, 'age')} ON ${name}
        (organization_id, livemode, created_at DESC, shipment_id DESC)`,
      `CREATE INDEX IF NOT EXISTS ${index(name, 'workspace')} ON ${name}
        (workspace_id, created_at DESC, shipment_id DESC)`,
      `CREATE INDEX IF NOT EXISTS ${index(name, 'reference')} ON ${name}
        (organization_id, external_reference)`,
      `CREATE INDEX IF NOT EXISTS ${index(name, 'guide')} ON ${name} (organization_id, guide_number)
        WHERE guide_number IS NOT NULL`,
    ]
  },
  async apply(tx, table, events) {
    const name = table('shipments')
    const changed = await foldBatch(tx, name, events)
    const rows = changed.map((each) => {
      const { state } = each
      return {
        ...foldedColumns(each),
        courier_connection_id: state.request.courier_connection_id,
        external_reference: state.request.external_reference,
        idempotency_key: state.request.idempotency_key,
        status: statusOf(state),
        tracking_status: state.tracking.status,
        guide_number: latestAttempt(state)?.guide?.guideNumber ?? null,
        open_operation_id: openOperationOf(state)?.operationId ?? null,
        created_at: rfc3339(state.createdAt),
      }
    })
    await upsertRows(tx, name, 'shipment_id', rows)
  },
}

export function index(table: string, purpose: string): string {
  return `${table.slice(table.indexOf('.') + 1)}_by_${purpose}`
}
