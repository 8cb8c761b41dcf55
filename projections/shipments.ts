import { rfc3339 } from '../src/domain/decider.ts'
import { latestAttempt, openOperationOf, statusOf } from '../src/domain/shipment.ts'
import { type Changed, foldedColumns, foldedDdl } from './fold-batch.ts'
import type { FoldedPart } from './folded.ts'

/** PostgreSQL compresses a larger row at each write: for ours of 2 to 3 kB that is half of what it costs. */
const storedAsIsBytes = 4_080

/** The list of shipments and everything it can be filtered by. */
export const shipments: FoldedPart = {
  rowsOf: {
    shipments: { key: 'shipment_id', rows: (changed) => changed.map(shipmentRow), apart: 'state' },
  },
  ddl: (table) => {
    const name = table('shipments')
    return [
      `CREATE TABLE IF NOT EXISTS ${name} (${foldedDdl},
        state json NOT NULL,
        courier_connection_id text COLLATE "C" NOT NULL,
        external_reference text NOT NULL,
        idempotency_key text COLLATE "C" NOT NULL,
        status text COLLATE "C" NOT NULL,
        tracking_status text COLLATE "C",
        guide_number text COLLATE "C",
        open_operation_id text COLLATE "C",
        created_at timestamptz NOT NULL,
        erased_at timestamptz
      ) WITH (fillfactor = 80, toast_tuple_target = ${storedAsIsBytes})`,
    ]
  },
  indexes: (table) => {
    const name = table('shipments')
    return [
      ...listIndexes(name, 'shipment_id', {
        age: 'organization_id, livemode',
        workspace: 'workspace_id',
        connection: 'courier_connection_id',
        status: 'organization_id, livemode, status',
        reference: 'organization_id, livemode, external_reference',
        key: 'organization_id, livemode, idempotency_key',
      }),
      ...listIndexes(
        name,
        'shipment_id',
        { tracking: 'organization_id, livemode, tracking_status' },
        'tracking_status IS NOT NULL',
      ),
      ...listIndexes(
        name,
        'shipment_id',
        { guide: 'organization_id, livemode, guide_number' },
        'guide_number IS NOT NULL',
      ),
      ...listIndexes(
        name,
        'shipment_id',
        { open: 'organization_id, livemode' },
        'open_operation_id IS NOT NULL',
      ),
      `CREATE INDEX IF NOT EXISTS ${index(name, 'keeping')} ON ${name} (workspace_id, created_at)
        WHERE erased_at IS NULL`,
    ]
  },
}

function shipmentRow(changed: Changed) {
  const { state } = changed
  return {
    ...foldedColumns(changed),
    state,
    courier_connection_id: state.request.courier_connection_id,
    external_reference: state.request.external_reference,
    idempotency_key: state.request.idempotency_key,
    status: statusOf(state),
    tracking_status: state.tracking.status,
    guide_number: latestAttempt(state)?.guide?.guideNumber ?? null,
    open_operation_id: openOperationOf(state)?.operationId ?? null,
    created_at: rfc3339(state.createdAt),
    erased_at: state.erasedAt === null ? null : rfc3339(state.erasedAt),
  }
}

/**
 * An index for each filter of a list, by its purpose: the columns that the filter fixes, then the
 * list's order, so that a page reads as many rows as it shows whatever is asked for.
 */
export function listIndexes(
  table: string,
  id: string,
  columnsFor: Readonly<Record<string, string>>,
  where?: string,
): readonly string[] {
  return Object.entries(columnsFor).map(
    ([purpose, columns]) =>
      `CREATE INDEX IF NOT EXISTS ${index(table, purpose)} ON ${table}
        (${columns}, created_at DESC, ${id} DESC)${where === undefined ? '' : ` WHERE ${where}`}`,
  )
}

export function index(table: string, purpose: string): string {
  return `${table.slice(table.indexOf('.') + 1)}_by_${purpose}`
}
