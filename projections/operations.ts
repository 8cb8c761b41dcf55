import { rfc3339 } from '../src/service/domain/decider.ts'
import { isUnconfirmed } from '../src/service/domain/operation/machine.ts'
import {
  operationResultOf,
  operationStatusOf,
  surplusGuidesOf,
  wasUnknown,
} from '../src/service/domain/operation/operation.ts'
import { operationsOf } from '../src/service/domain/shipment/shipment.ts'
import { flag, id, idOrNull, ids, int, ownerColumns, time, timeOrNull } from './columns.ts'
import type { Changed } from './fold-batch.ts'
import { ownerOf } from './shipments.ts'
import { index, listIndexes, table } from './table.ts'

/**
 * The operators' list: operations whose outcome is or was unknown. Their contents are folded from the
 * streams, up to the version in the list of shipments.
 */
export const operations = table({
  madeOf: 'shipments',
  key: 'operation_id',
  columns: {
    operation_id: id,
    version: int,
    shipment_id: id,
    ...ownerColumns,
    courier_connection_id: id,
    provider_code: id,
    type: id,
    status: id,
    result: idOrNull,
    cause: idOrNull,
    external_reference: id,
    idempotency_key: id,
    escalated: flag,
    /** Whether evidence has ever contradicted a conclusion. */
    contradicted: flag,
    /** Whether a decision names a guide that the courier has not reported yet. */
    unconfirmed: flag,
    /** Whether the courier lists a guide that the decision in force does not use. */
    surplus: flag,
    assignee: idOrNull,
    /** Every guide that a look has reported. */
    guide_numbers: ids,
    snoozed_until: timeOrNull,
    created_at: time,
  },
  indexes: (name) => [
    ...listIndexes(name, 'operation_id', {
      age: 'organization_id, livemode',
      workspace: 'workspace_id',
      shipment: 'shipment_id',
      status: 'organization_id, livemode, status',
      result: 'organization_id, livemode, result',
      cause: 'organization_id, livemode, cause',
      type: 'organization_id, livemode, type',
      provider: 'organization_id, livemode, provider_code',
      escalated: 'organization_id, livemode, escalated',
      contradicted: 'organization_id, livemode, contradicted',
      unconfirmed: 'organization_id, livemode, unconfirmed',
      surplus: 'organization_id, livemode, surplus',
      assignee: 'organization_id, livemode, assignee',
      reference: 'organization_id, livemode, external_reference',
      key: 'organization_id, livemode, idempotency_key',
    }),
    ...listIndexes(
      name,
      'operation_id',
      { escalation: 'livemode' },
      "escalated AND status <> 'resolved'",
    ),
    ...listIndexes(
      name,
      'operation_id',
      { unresolved: 'organization_id, livemode' },
      "status <> 'resolved'",
    ),
    ...listIndexes(
      name,
      'operation_id',
      { snoozed: 'organization_id, livemode' },
      'snoozed_until IS NOT NULL',
    ),
    `CREATE INDEX IF NOT EXISTS ${index(name, 'guide')} ON ${name} USING gin (guide_numbers)`,
    `CREATE INDEX IF NOT EXISTS ${index(name, 'open')} ON ${name} (status, created_at)
      WHERE status <> 'resolved'`,
  ],
  rows: ({ changed }) => changed.flatMap(rowsOf),
})

function rowsOf({ shipmentId, state }: Changed) {
  const { request } = state
  return operationsOf(state)
    .filter(wasUnknown)
    .map((operation) => ({
      operation_id: operation.operationId,
      version: operation.version,
      shipment_id: shipmentId,
      ...ownerOf(state),
      courier_connection_id: request.courier_connection_id,
      provider_code: request.provider_code,
      type: operation.type,
      status: operationStatusOf(operation),
      result: operationResultOf(operation),
      cause: operation.cause,
      external_reference: request.external_reference.normalize('NFC'),
      idempotency_key: request.idempotency_key,
      escalated: operation.escalated,
      contradicted: operation.contradicted,
      unconfirmed: isUnconfirmed(operation),
      surplus: surplusGuidesOf(operation).length > 0,
      assignee: operation.assigneeId,
      guide_numbers: [...new Set(operation.looks.flatMap((look) => look.guideNumbers))],
      snoozed_until: operation.snoozedUntil === null ? null : rfc3339(operation.snoozedUntil),
      created_at: rfc3339(operation.requestedAt),
    }))
}
