import { isOpen } from '../src/domain/course.ts'
import { rfc3339 } from '../src/domain/decider.ts'
import {
  isUnconfirmed,
  operationResultOf,
  operationStatusOf,
  wasUnknown,
} from '../src/domain/operation.ts'
import { nextDue } from '../src/domain/reconciliation.ts'
import { operationsOf, owingOperations } from '../src/domain/shipment-operations.ts'
import { type Changed, foldedColumns, foldedDdl } from './fold-batch.ts'
import type { FoldedPart } from './folded.ts'
import { settlementRows, settlementsDdl, settlementsIndexes } from './settlements.ts'
import { index, listIndexes } from './shipments.ts'

/**
 * The operators' list, and the to-do lists of the processes: what each shipment owes next, and when,
 * and which places in the quotas are to be given back.
 */
export const operations: FoldedPart = {
  rowsOf: {
    operations: { key: 'operation_id', rows: (changed) => changed.flatMap(operationRows) },
    timers: { key: 'shipment_id', rows: (changed) => changed.map(timerRow) },
    settlements: { key: 'shipment_id', rows: settlementRows },
  },
  ddl: (table) => {
    const [list, timers] = [table('operations'), table('timers')]
    return [
      `CREATE TABLE IF NOT EXISTS ${timers} (${foldedDdl},
        courier_connection_id text COLLATE "C" NOT NULL,
        due_at timestamptz,
        step text COLLATE "C",
        calling_until timestamptz,
        is_open boolean NOT NULL,
        listed_state json
      ) WITH (fillfactor = 80)`,
      `CREATE TABLE IF NOT EXISTS ${list} (
        operation_id text COLLATE "C" PRIMARY KEY,
        version int NOT NULL,
        shipment_id text COLLATE "C" NOT NULL,
        organization_id text COLLATE "C" NOT NULL,
        workspace_id text COLLATE "C" NOT NULL,
        courier_connection_id text COLLATE "C" NOT NULL,
        provider_code text COLLATE "C" NOT NULL,
        livemode boolean NOT NULL,
        type text COLLATE "C" NOT NULL,
        status text COLLATE "C" NOT NULL,
        result text COLLATE "C",
        cause text COLLATE "C",
        external_reference text NOT NULL,
        idempotency_key text COLLATE "C" NOT NULL,
        escalated boolean NOT NULL,
        contradicted boolean NOT NULL,
        unconfirmed boolean NOT NULL,
        created_at timestamptz NOT NULL
      ) WITH (fillfactor = 80)`,
      ...settlementsDdl(table('settlements')),
    ]
  },
  indexes: (table) => {
    const [list, timers] = [table('operations'), table('timers')]
    return [
      `CREATE INDEX IF NOT EXISTS ${index(timers, 'due')} ON ${timers} (due_at)
        WHERE due_at IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS ${index(timers, 'workspace')} ON ${timers} (workspace_id, due_at)
        WHERE due_at IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS ${index(timers, 'connection')} ON ${timers} (courier_connection_id)
        WHERE is_open`,
      ...listIndexes(list, 'operation_id', {
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
        reference: 'organization_id, livemode, external_reference',
        key: 'organization_id, livemode, idempotency_key',
      }),
      ...listIndexes(
        list,
        'operation_id',
        { escalation: 'livemode' },
        "escalated AND status <> 'resolved'",
      ),
      `CREATE INDEX IF NOT EXISTS ${index(list, 'open')} ON ${list} (status, created_at)
        WHERE status <> 'resolved'`,
      ...settlementsIndexes(table('settlements')),
    ]
  },
}

function timerRow(changed: Changed) {
  const { state } = changed
  const due = nextDue(owingOperations(state))
  const operations = operationsOf(state)
  const calling = operations.find((operation) => operation.status === 'calling')
  return {
    ...foldedColumns(changed),
    courier_connection_id: state.request.courier_connection_id,
    due_at: due === null ? null : rfc3339(due.at),
    step: due?.step.do ?? null,
    calling_until: calling === undefined ? null : rfc3339(calling.callDeadline),
    is_open: calling !== undefined || operations.some(isOpen),
    listed_state: operations.some(wasUnknown) ? state : null,
  }
}

function operationRows({ shipmentId, state }: Changed) {
  return operationsOf(state)
    .filter(wasUnknown)
    .map((attempt) => ({
      operation_id: attempt.operationId,
      version: attempt.version,
      shipment_id: shipmentId,
      organization_id: state.request.organization_id,
      workspace_id: state.request.workspace_id,
      courier_connection_id: state.request.courier_connection_id,
      provider_code: state.request.provider_code,
      livemode: state.request.livemode,
      type: attempt.type,
      status: operationStatusOf(attempt),
      result: operationResultOf(attempt),
      cause: attempt.cause,
      external_reference: state.request.external_reference,
      idempotency_key: state.request.idempotency_key,
      escalated: attempt.escalated,
      contradicted: attempt.contradicted,
      unconfirmed: isUnconfirmed(attempt),
      created_at: rfc3339(attempt.requestedAt),
    }))
}
