import { rfc3339 } from '../src/service/domain/decider.ts'
import { isOpen } from '../src/service/domain/operation/machine.ts'
import { orderKeyOf } from '../src/service/domain/shipment/order-key.ts'
import {
  findCurrentAttempt,
  openOperationOf,
  operationsOf,
  type Shipment,
  statusOf,
} from '../src/service/domain/shipment/shipment.ts'
import { flag, id, idOrNull, int, ownerColumns, time, timeOrNull } from './columns.ts'
import type { Changed } from './fold-batch.ts'
import { index, listIndexes, table } from './table.ts'

/**
 * The list of shipments, with all its filter columns. The shipments themselves are folded from their
 * streams, up to each row's `version`.
 */
export const shipments = table({
  madeOf: 'shipments',
  key: 'shipment_id',
  columns: {
    shipment_id: id,
    version: int,
    ...ownerColumns,
    courier_connection_id: id,
    external_reference: id,
    /** Equal for all spellings of one order. */
    order_key: id,
    idempotency_key: id,
    status: id,
    tracking_status: idOrNull,
    guide_number: idOrNull,
    open_operation_id: idOrNull,
    /** Whether a call is in flight or an outcome is not certain yet. */
    is_open: flag,
    /** Whether the courier collects cash for the shop. */
    collects_cash: flag,
    created_at: time,
    /** Null while the personal data is kept. */
    erased_at: timeOrNull,
    /** When its own legal hold began; null if it has none. */
    held_since: timeOrNull,
  },
  indexes: (name) => [
    ...listIndexes(name, 'shipment_id', {
      age: 'organization_id, livemode',
      workspace: 'workspace_id',
      connection: 'courier_connection_id',
      reference: 'organization_id, livemode, external_reference',
      key: 'organization_id, livemode, idempotency_key',
    }),
    `CREATE INDEX IF NOT EXISTS ${index(name, 'order')} ON ${name} (order_key)`,
    // The most common status does not need an index: the list's order finds it.
    ...partial(name, 'status', "status <> 'created'"),
    ...partial(name, 'tracking_status', "tracking_status <> 'registered'"),
    ...partial(name, 'guide_number', 'guide_number IS NOT NULL'),
    ...listIndexes(
      name,
      'shipment_id',
      { open: 'organization_id, livemode' },
      'open_operation_id IS NOT NULL',
    ),
    `CREATE INDEX IF NOT EXISTS ${index(name, 'connection_open')} ON ${name} (courier_connection_id)
      WHERE is_open`,
    `CREATE INDEX IF NOT EXISTS ${index(name, 'cash')} ON ${name} (courier_connection_id, created_at,
      shipment_id) WHERE collects_cash`,
    `CREATE INDEX IF NOT EXISTS ${index(name, 'keeping')} ON ${name} (workspace_id, created_at)
      WHERE erased_at IS NULL AND held_since IS NULL`,
    `CREATE INDEX IF NOT EXISTS ${index(name, 'held')} ON ${name} (held_since, shipment_id)
      WHERE held_since IS NOT NULL`,
  ],
  rows: ({ changed }) => changed.map(row),
})

function partial(name: string, column: string, where: string): readonly string[] {
  const columns = { [column]: `organization_id, livemode, ${column}` }
  return listIndexes(name, 'shipment_id', columns, where)
}

function row({ shipmentId, state }: Changed) {
  const { request } = state
  const { workspace_id: workspaceId, livemode, external_reference: reference } = request
  return {
    shipment_id: shipmentId,
    version: state.version,
    ...ownerOf(state),
    courier_connection_id: request.courier_connection_id,
    external_reference: reference.normalize('NFC'),
    order_key: orderKeyOf({ workspaceId, livemode, reference }),
    idempotency_key: request.idempotency_key,
    status: statusOf(state),
    tracking_status: state.tracking.status,
    guide_number: findCurrentAttempt(state)?.guide?.guideNumber ?? null,
    open_operation_id: openOperationOf(state)?.operationId ?? null,
    is_open: operationsOf(state).some((each) => each.state === 'calling' || isOpen(each)),
    collects_cash: request.cash_on_delivery !== undefined,
    created_at: rfc3339(state.createdAt),
    erased_at: state.erasedAt === null ? null : rfc3339(state.erasedAt),
    held_since: state.legalHold === null ? null : rfc3339(state.legalHold.since),
  }
}

export function ownerOf({ request }: Shipment) {
  const { organization_id, workspace_id, livemode } = request
  return { organization_id, workspace_id, livemode }
}
