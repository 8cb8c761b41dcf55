import { sql } from 'kysely'
import type { JsonObject } from '../domain/decider.ts'
import { type WebhookEvent, webhookEventId } from '../domain/webhooks/webhook-event.ts'
import type { RowWebhookType } from '../domain/webhooks/webhook-types.ts'
import { type OutboxEvent, storeWebhooks, type WebhookTx } from './store-webhooks.ts'

/** A webhook about a changed row. */
export type RowWebhook = {
  /** Names the change. The event's id is derived from it, so one change has one event. */
  readonly change: string
  readonly organizationId: string
  /** Null: one event for each of the organization's workspaces in this mode. */
  readonly workspaceId: string | null
  readonly livemode: boolean
  readonly type: RowWebhookType
  readonly resource: WebhookEvent['resource']
  readonly object: JsonObject
  readonly previous: JsonObject | null
  readonly requestId: string | null
  /** Wall-clock time. The event gets the same moment on the clock of its workspace. */
  readonly at: Date
}

type Workspace = {
  readonly id: string
  readonly organization_id: string
  readonly livemode: boolean
  readonly offset_ms: string
}

/**
 * Writes webhook events and their deliveries in the transaction that changes the rows, so that both
 * are committed or neither. Enqueuing the same change again adds nothing.
 *
 * Call it last in the transaction: it holds a share lock on each subscribed endpoint until the
 * commit, and a change of such an endpoint waits for that. It may be called several times and in any
 * order. A transaction that itself changes an endpoint must first call `lockWorkspaceHealth`.
 */
export async function enqueueWebhooks(
  tx: WebhookTx,
  webhooks: readonly RowWebhook[],
): Promise<void> {
  if (webhooks.length === 0) return
  const workspaces = await workspacesOf(tx, webhooks)
  const events = webhooks.flatMap((webhook) =>
    workspaces
      .filter((each) => isFor(webhook, each))
      .map((workspace) => outboxEventOf(webhook, workspace)),
  )
  // In the order of their ids: two transactions that enqueue the same changes cannot deadlock.
  const byId = new Map(events.map((each) => [each.event.id, each]))
  await storeWebhooks(
    tx,
    [...byId.keys()].toSorted().flatMap((id) => byId.get(id) ?? []),
  )
}

async function workspacesOf(
  tx: WebhookTx,
  webhooks: readonly RowWebhook[],
): Promise<readonly Workspace[]> {
  const ids = webhooks.flatMap(({ workspaceId }) => workspaceId ?? [])
  const organizationIds = webhooks.flatMap(({ organizationId, workspaceId }) =>
    workspaceId === null ? organizationId : [],
  )
  const { rows } = await sql<Workspace>`
    SELECT w.id, w.organization_id, w.livemode, coalesce(c.offset_ms, 0) AS offset_ms
    FROM workspaces w
    LEFT JOIN sandbox_clocks c ON c.workspace_id = w.id AND NOT w.livemode
    WHERE w.id = ANY (${ids}) OR w.organization_id = ANY (${organizationIds})`.execute(tx)
  return rows
}

function isFor(webhook: RowWebhook, workspace: Workspace): boolean {
  return (
    workspace.organization_id === webhook.organizationId &&
    workspace.livemode === webhook.livemode &&
    (webhook.workspaceId === null || workspace.id === webhook.workspaceId)
  )
}

function outboxEventOf(webhook: RowWebhook, workspace: Workspace): OutboxEvent {
  const { type } = webhook
  return {
    organizationId: webhook.organizationId,
    shipmentId: null,
    shipmentVersion: null,
    event: {
      id: webhookEventId(webhook.change, workspace.id, type),
      type,
      at: webhook.at.getTime() + Number(workspace.offset_ms),
      livemode: webhook.livemode,
      workspaceId: workspace.id,
      sequence: null,
      resource: webhook.resource,
      object: webhook.object,
      previous: webhook.previous,
      requestId: webhook.requestId,
    },
  }
}
