import type { AuditEvent } from '../domain/audit.ts'
import type { JsonObject } from '../domain/decider.ts'
import { shipmentIdOfOperation } from '../domain/ids.ts'
import type { Shipment } from '../domain/shipment.ts'
import { operationOf } from '../domain/shipment-operations.ts'
import { loadShipment, type Snapshot } from '../event-store/transact.ts'
import { operationObject } from '../http/operations.ts'
import { newRequestId } from '../http/request-id.ts'
import type { ProcessDeps } from '../processes/deps.ts'
import { lookNow, type OperatorAct, resolveOperation } from '../processes/operator.ts'
import { readClock } from '../processes/workspace-clock.ts'
import { byCli, type OperationsAdministration } from './administration.ts'
import { auditReads } from './audit-reads.ts'
import { CommandFailed } from './command.ts'

/**
 * Operations of every organization, by the same functions as the routes. What is personal stays in
 * the vault: who decided and the note are shown to the owner's key only.
 */
export function operationsAdministration(
  processes: ProcessDeps,
  simulatorIsKnown: boolean,
): OperationsAdministration {
  const act = async (operationId: string, asksCourier: boolean) => {
    const snapshot = await loadShipment(processes.store, shipmentIdOfOperation(operationId))
    const { state } = snapshot
    if (state === null || operationOf(state, operationId) === null) return null
    if (asksCourier && !state.request.livemode && !simulatorIsKnown) {
      throw new CommandFailed(
        'Where the simulated courier listens is not known here: set SIMULATOR_URL to it.',
      )
    }
    return await actOn(processes, operationId, snapshot, state)
  }
  return {
    list: (filter) => listed(processes, filter),
    show: async (operationId) => {
      const found = await act(operationId, false)
      const organizationId = found?.snapshot.state?.request.organization_id
      if (found === null || organizationId === undefined) return null
      await auditReads(processes.store, [{ id: operationId, organizationId }], seen)
      return objectOf(operationId, found.snapshot)
    },
    look: async (operationId) => {
      const found = await act(operationId, true)
      return found === null ? null : objectOf(operationId, await lookNow(processes, found))
    },
    resolve: async (operationId, order) => {
      const found = await act(operationId, order.guideNumber !== null)
      if (found === null) return null
      return objectOf(operationId, await resolveOperation(processes, found, order))
    },
  }
}

function seen(operation_ids: string[]): AuditEvent {
  return { type: 'OperationsSeenByPlatform', data: { operation_ids } }
}

async function actOn(
  processes: ProcessDeps,
  operationId: string,
  snapshot: Snapshot,
  { request }: Shipment,
): Promise<OperatorAct> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  const { now } = await readClock(processes.db, workspace)
  const offsetMs = now - Date.now()
  return {
    shipmentId: shipmentIdOfOperation(operationId),
    operationId,
    snapshot,
    actor: byCli.actor,
    requestId: newRequestId(),
    now: () => Date.now() + offsetMs,
  }
}

function objectOf(operationId: string, { state }: Snapshot): JsonObject | null {
  const attempt = state === null ? null : operationOf(state, operationId)
  if (state === null || attempt === null) return null
  return operationObject(shipmentIdOfOperation(operationId), state, attempt, null)
}

async function listed(
  processes: ProcessDeps,
  filter: Parameters<OperationsAdministration['list']>[0],
): Promise<readonly JsonObject[]> {
  let query = processes.db
    .selectFrom('projections.operations as o')
    .innerJoin('projections.timers as t', 't.shipment_id', 'o.shipment_id')
    .select(['o.operation_id', 'o.organization_id', 't.listed_state as state'])
    .$narrowType<{ state: Shipment }>()
  if (filter.status !== null) query = query.where('o.status', '=', filter.status)
  if (filter.organizationId !== null) {
    query = query.where('o.organization_id', '=', filter.organizationId)
  }
  const rows = await query
    .orderBy('o.created_at')
    .orderBy('o.operation_id')
    .limit(filter.limit)
    .execute()
  const reads = rows.map((row) => ({ id: row.operation_id, organizationId: row.organization_id }))
  await auditReads(processes.store, reads, seen)
  return rows.flatMap(({ operation_id: operationId, organization_id, state }) => {
    const attempt = operationOf(state, operationId)
    if (attempt === null) return []
    const shipmentId = shipmentIdOfOperation(operationId)
    return [{ ...operationObject(shipmentId, state, attempt, null), organization_id }]
  })
}
