import { Problem } from '../../errors.ts'
import { placeOf } from '../../processes/connections/courier-accounts.ts'
import type { ConnectionRow } from '../../processes/connections/shown-connection.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import type { RouteDeps } from '../server-deps.ts'
import type { ChangeConnection, CreateConnection } from './connection-schema.ts'

export type ChangeDeps = Pick<
  RouteDeps,
  | 'db'
  | 'store'
  | 'clock'
  | 'couriers'
  | 'workspaces'
  | 'sealer'
  | 'hasUnresolvedOperations'
  | 'forgetConnection'
>

/** Creates the connection under this id, unless an earlier try has created it. */
export async function createConnection(
  deps: ChangeDeps,
  caller: Caller,
  body: CreateConnection,
  id: string,
): Promise<string> {
  const { organizationId, livemode } = caller.principal
  await deps.workspaces.require(caller.principal, body.workspace_id)
  const made = await deps.db
    .selectFrom('courier_connections')
    .select('id')
    .where((eb) => eb.and({ id, organization_id: organizationId }))
    .executeTakeFirst()
  if (made !== undefined) return id
  const providerCode = body.provider_code
  if (deps.couriers.courierFor({ livemode, providerCode }) === null) {
    throw new Problem('courier_not_available', {
      errors: [
        {
          pointer: '/provider_code',
          reason: 'courier_not_available',
          detail: 'GET /v1/couriers lists the couriers of this key.',
        },
      ],
    })
  }
  await withinPlan(deps, caller.principal, 'courier_connections', () =>
    insertConnection(deps, caller, body, id),
  )
  return id
}

async function insertConnection(
  deps: ChangeDeps,
  caller: Caller,
  body: CreateConnection,
  id: string,
): Promise<void> {
  const { organizationId, livemode } = caller.principal
  const { workspace_id: workspaceId, provider_code: providerCode } = body
  const sealed = deps.sealer.seal({
    organizationId,
    connectionId: id,
    credentials: body.credentials,
  })
  await auditAct(deps, caller, workspaceId, {
    type: 'CourierConnectionCreated',
    data: { courier_connection_id: id, workspace_id: workspaceId, provider_code: providerCode },
  })
  const now = deps.clock.now()
  await deps.db
    .insertInto('courier_connections')
    .values({
      id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      livemode,
      provider_code: providerCode,
      display_name: body.display_name,
      status: 'active',
      credentials: sealed,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

type Change = Partial<
  Pick<
    ConnectionRow,
    'display_name' | 'status' | 'credentials' | 'credentials_version' | 'verified_at'
  >
>

/** New credentials end the connection's parking at once. */
export async function changeConnection(
  deps: ChangeDeps,
  caller: Caller,
  row: ConnectionRow,
  body: ChangeConnection,
): Promise<ConnectionRow> {
  const { id } = row
  const change = changeOf(deps, row, body)
  if (change === null) return row
  if (body.credentials !== undefined) {
    await auditAct(deps, caller, row.workspace_id, {
      type: 'CourierCredentialsReplaced',
      data: { courier_connection_id: id, credentials_version: row.credentials_version + 1 },
    })
  }
  const fields = (['display_name', 'status'] as const).filter(
    (field) => field in change && change[field] !== row[field],
  )
  if (fields.length > 0) {
    await auditAct(deps, caller, row.workspace_id, {
      type: 'CourierConnectionChanged',
      data: { courier_connection_id: id, fields, ...shownChanges(row, change) },
    })
  }
  return write(deps, row, change)
}

/** Before and after, for the audit. A name may be personal data and is left out. */
function shownChanges({ status: before }: ConnectionRow, { status: after }: Change) {
  return after === undefined || after === before ? {} : { changes: { status: { before, after } } }
}

function changeOf(deps: ChangeDeps, row: ConnectionRow, body: ChangeConnection): Change | null {
  const change: Change = {}
  if (body.display_name !== undefined && body.display_name !== row.display_name) {
    change.display_name = body.display_name
  }
  if (body.credentials !== undefined) {
    change.credentials = deps.sealer.seal({
      organizationId: row.organization_id,
      connectionId: row.id,
      credentials: body.credentials,
    })
    change.credentials_version = row.credentials_version + 1
    change.verified_at = null
  }
  const status = statusAfter(row, body)
  // Another request may have parked the connection meanwhile because of the old credentials.
  if (status !== row.status || body.credentials !== undefined) change.status = status
  return Object.keys(change).length === 0 ? null : change
}

/** Without new credentials a parked connection stays parked: the old ones were refused. */
function statusAfter(row: ConnectionRow, body: ChangeConnection): ConnectionRow['status'] {
  if (body.status === 'disabled') return 'disabled'
  const parked = row.status === 'needs_reauth' && body.credentials === undefined
  if (parked) return 'needs_reauth'
  if (body.status === 'active') return 'active'
  return row.status === 'needs_reauth' ? 'active' : row.status
}

async function write(deps: ChangeDeps, row: ConnectionRow, change: Change): Promise<ConnectionRow> {
  const written = await deps.db
    .updateTable('courier_connections')
    .set((eb) => ({ ...change, updated_at: deps.clock.now(), version: eb('version', '+', 1) }))
    .where('organization_id', '=', row.organization_id)
    .where(asRead(row))
    .returningAll()
    .executeTakeFirst()
  deps.forgetConnection(placeOf(row))
  return requireWritten(written)
}

/**
 * Hides the connection. Its sealed credentials stay: later looks and polls of its shipments need
 * them.
 */
export async function deleteConnection(
  deps: ChangeDeps,
  caller: Caller,
  row: ConnectionRow,
): Promise<void> {
  const { id } = row
  if (await deps.hasUnresolvedOperations(placeOf(row))) throw new Problem('connection_in_use')
  await auditAct(deps, caller, row.workspace_id, {
    type: 'CourierConnectionDeleted',
    data: { courier_connection_id: id },
  })
  const now = deps.clock.now()
  const deleted = await deps.db
    .updateTable('courier_connections')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('organization_id', '=', row.organization_id)
    .where(asRead(row))
    .returning('id')
    .executeTakeFirst()
  requireWritten(deleted)
  deps.forgetConnection(placeOf(row))
}
