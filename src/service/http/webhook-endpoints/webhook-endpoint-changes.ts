import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import { Problem } from '../../errors.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import { discardPending, holdLane, noticeDisabled } from '../../webhooks/disable.ts'
import { checkWebhookUrl } from '../../webhooks/egress/egress.ts'
import { newSecret } from '../../webhooks/sign.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import type { NoteMade } from '../rules/once.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import type { RouteDeps } from '../server-deps.ts'
import {
  type ChangeEndpoint,
  type CreateEndpoint,
  type EndpointRow,
  endpoints,
} from './webhook-endpoint-schema.ts'
import { refusedUrls } from './webhook-urls.ts'

export type ChangeDeps = Pick<
  RouteDeps,
  'db' | 'store' | 'workspaces' | 'webhookSealer' | 'webhookAllowPrivate'
>

/** How long the previous secret still signs after a rotation, in real time. */
const rotationHours = 24

/** The current time on the workspace's clock. */
export async function workspaceNow(
  deps: Pick<RouteDeps, 'db'>,
  at: { readonly workspace_id: string; readonly livemode: boolean },
): Promise<Date> {
  const workspace = { workspaceId: at.workspace_id, livemode: at.livemode }
  return new Date((await readClock(deps.db, workspace)).now)
}

function requireUrl(deps: ChangeDeps, { principal }: Caller, url: string): void {
  const { livemode } = principal
  const reason = checkWebhookUrl(url, { livemode, allowPrivate: deps.webhookAllowPrivate })
  if (reason === null) return
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/url', reason, detail: refusedUrls[reason] }],
  })
}

/** Creates the endpoint under this id and returns its secret; null if an earlier try created it. */
export async function createEndpoint(
  deps: ChangeDeps,
  caller: Caller,
  body: CreateEndpoint,
  id: string,
): Promise<Buffer | null> {
  const { organizationId } = caller.principal
  await deps.workspaces.require(caller.principal, body.workspace_id)
  const made = await deps.db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where((eb) => eb.and({ id, organization_id: organizationId }))
    .executeTakeFirst()
  if (made !== undefined) return null
  requireUrl(deps, caller, body.url)
  return await withinPlan(deps, caller.principal, 'webhook_endpoints', () =>
    insertEndpoint(deps, caller, body, id),
  )
}

async function insertEndpoint(
  deps: ChangeDeps,
  caller: Caller,
  body: CreateEndpoint,
  id: string,
): Promise<Buffer> {
  const { organizationId, livemode } = caller.principal
  const { workspace_id, url, event_types, description = null } = body
  const secret = newSecret()
  await auditAct(deps, caller, workspace_id, {
    type: 'WebhookEndpointCreated',
    data: { webhook_endpoint_id: id, workspace_id, event_types },
  })
  const now = await workspaceNow(deps, { workspace_id, livemode })
  await deps.db
    .insertInto('webhook_endpoints')
    .values({
      id,
      workspace_id,
      livemode,
      url,
      description,
      event_types,
      status: 'enabled',
      organization_id: organizationId,
      secret: deps.webhookSealer.sealSecret({ organizationId, endpointId: id }, secret),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return secret
}

type Changed = Extract<AuditEvent, { readonly type: 'WebhookEndpointChanged' }>['data']
type EndpointChanges = NonNullable<Changed['changes']>

type Changes = Partial<
  Pick<EndpointRow, 'url' | 'description' | 'event_types' | 'status' | 'disabled_reason'>
>

/** Changes the endpoint. One that is enabled or moved starts without earlier failures. */
export async function changeEndpoint(
  deps: ChangeDeps,
  caller: Caller,
  row: EndpointRow,
  body: ChangeEndpoint,
): Promise<EndpointRow> {
  const { id } = row
  if (body.url !== undefined && body.url !== row.url) requireUrl(deps, caller, body.url)
  const changes = changesOf(row, body)
  const fields = Object.keys(changes)
  // Enabling an enabled endpoint says that the receiver works again.
  const isMended = body.status === 'enabled' || changes.url !== undefined
  if (fields.length > 0) {
    await auditAct(deps, caller, row.workspace_id, {
      type: 'WebhookEndpointChanged',
      data: { webhook_endpoint_id: id, fields, ...shownChanges(row, changes) },
    })
  }
  const at = { now: await workspaceNow(deps, row), requestId: caller.requestId }
  await deps.db.transaction().execute(async (tx) => {
    if (fields.length > 0) await writeChanges(tx, row, changes, at)
    if (isMended) await forgetFailures(tx, id)
  })
  return await endpoints.find(deps, caller.principal, id)
}

/** What the body changes. A field set to its current value is no change. */
function changesOf(row: EndpointRow, body: ChangeEndpoint): Changes {
  const changes: Changes = {}
  if (body.url !== undefined && body.url !== row.url) changes.url = body.url
  if (body.description !== undefined && body.description !== row.description) {
    changes.description = body.description
  }
  const types = body.event_types
  if (types !== undefined && types.join() !== row.event_types.join()) changes.event_types = types
  if (body.status !== undefined && body.status !== row.status) {
    changes.status = body.status
    changes.disabled_reason = body.status === 'disabled' ? 'by_owner' : null
  }
  return changes
}

/**
 * Before and after, for the audit. A description may name a person, and any part of a URL may be a
 * secret: they are left out.
 */
function shownChanges(row: EndpointRow, { event_types, status, disabled_reason }: Changes) {
  const shown: EndpointChanges = {}
  if (event_types !== undefined) {
    shown.event_types = { before: row.event_types, after: event_types }
  }
  if (status !== undefined) shown.status = { before: row.status, after: status }
  if (disabled_reason !== undefined && disabled_reason !== row.disabled_reason) {
    shown.disabled_reason = { before: row.disabled_reason, after: disabled_reason }
  }
  return Object.keys(shown).length === 0 ? {} : { changes: shown }
}

/** Writes the changes. A disabled endpoint gets nothing any more. */
async function writeChanges(
  tx: Transaction<Database>,
  before: EndpointRow,
  changes: Changes,
  { now, requestId }: { readonly now: Date; readonly requestId: string },
): Promise<void> {
  const { id } = before
  await holdLane(tx, id)
  const changed = await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ ...changes, updated_at: now, version: eb('version', '+', 1) }))
    .where(asRead(before))
    .returning('version')
    .executeTakeFirst()
  const { version } = requireWritten(changed)
  if (changes.status === 'disabled') {
    await discardPending(tx, id, 'endpoint_disabled', now.getTime())
    const change = { reason: 'by_owner' as const, version, now: now.getTime(), requestId }
    await noticeDisabled(tx, before, change)
  }
}

async function forgetFailures(db: Kysely<Database>, endpointId: string): Promise<void> {
  await db
    .updateTable('webhook_lanes')
    .set({
      failures: 0,
      counted_failures: 0,
      counted_at: null,
      trips: 0,
      open_until: null,
      failing_since: null,
    })
    .where('endpoint_id', '=', endpointId)
    .execute()
}

/** Hides the endpoint and discards its pending deliveries. Its deliveries can still be read. */
export async function deleteEndpoint(
  deps: ChangeDeps,
  caller: Caller,
  row: EndpointRow,
): Promise<void> {
  const { id } = row
  await auditAct(deps, caller, row.workspace_id, {
    type: 'WebhookEndpointDeleted',
    data: { webhook_endpoint_id: id },
  })
  const now = await workspaceNow(deps, row)
  await deps.db.transaction().execute(async (tx) => {
    await holdLane(tx, id)
    const deleted = await tx
      .updateTable('webhook_endpoints')
      .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
      .where(asRead(row))
      .returning('id')
      .executeTakeFirst()
    requireWritten(deleted)
    await discardPending(tx, id, 'endpoint_deleted', now.getTime())
  })
}

/**
 * Gives the endpoint a new secret and returns it. The current secret still signs for a day; one
 * left over from an earlier rotation ends.
 */
export async function rotateSecret(
  deps: ChangeDeps,
  caller: Caller,
  row: EndpointRow,
  noteMade: NoteMade,
): Promise<Buffer> {
  const { id } = row
  await auditAct(deps, caller, row.workspace_id, {
    type: 'WebhookSecretRotated',
    data: { webhook_endpoint_id: id },
  })
  const secret = newSecret()
  const place = { organizationId: row.organization_id, endpointId: id }
  const now = await workspaceNow(deps, row)
  await deps.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('webhook_endpoints')
      .set((eb) => ({
        secret: deps.webhookSealer.sealSecret(place, secret),
        previous_secret: eb.ref('secret'),
        previous_until: sql<Date>`date_trunc('milliseconds', now())
            + ${rotationHours} * interval '1 hour'`,
        updated_at: now,
        version: eb('version', '+', 1),
      }))
      .where(asRead(row))
      .returning('id')
      .executeTakeFirst()
    requireWritten(changed)
    await noteMade(tx, id)
  })
  return secret
}
