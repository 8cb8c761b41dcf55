import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../../projections/projection.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { type Alert, alertBefore, alertToApi } from '../../domain/webhooks/alert.ts'
import type { AlertType } from '../../domain/webhooks/webhook-types.ts'
import { enqueueWebhooks, type RowWebhook } from '../enqueue-webhooks.ts'
import type { AlertCondition } from './alert-conditions.ts'

/** Alerts that one check changes. The next check changes the rest. */
const changedMax = 500
/** Webhooks enqueued at once: an alert of the whole service is sent to every subscriber. */
const pageMax = 500

const alertTimes = {
  /**
   * An alert fires for at least this long, so that a subject that fails now and then sends two
   * webhooks in this time at most.
   */
  firingMinMs: 5 * 60_000,
} as const

type Change = {
  readonly subject_id: string
  readonly workspace_id: string | null
  readonly is_firing: boolean
  readonly since: Date
  readonly version: number
}

/**
 * Compares each condition with its alerts, and enqueues a webhook for each alert that begins or
 * ends, in the transaction that changes the alert's row. Any number of processes may run it at once:
 * of two that find the same change, one writes it. Returns how many webhooks it enqueued.
 */
export async function checkAlerts(
  db: Kysely<Tables>,
  conditions: readonly AlertCondition[],
  times: { readonly firingMinMs: number } = alertTimes,
): Promise<number> {
  if (!(await isNeeded(db, conditions))) return 0
  let changed = 0
  for (const condition of conditions) {
    const changes = await changesOf(db, condition, times)
    if (changes.length === 0) continue
    changed += await db.transaction().execute((tx) => write(tx, condition, changes))
  }
  return changed
}

/** Usually no endpoint subscribes, and nothing fires. */
async function isNeeded(
  db: Kysely<Tables>,
  conditions: readonly AlertCondition[],
): Promise<boolean> {
  const types = conditions.map(({ type }) => type)
  const { rows } = await sql`
    SELECT FROM webhook_endpoints WHERE deleted_at IS NULL AND event_types && ${['alert.*', ...types]}
    UNION ALL SELECT FROM alerts WHERE is_firing AND type = ANY (${types}) LIMIT 1`.execute(db)
  return rows.length > 0
}

/** The workspaces with an endpoint that subscribes to the alert. Only they are checked. */
const subscriberOf = (type: AlertType) => sql`
  SELECT DISTINCT workspace_id FROM webhook_endpoints
  WHERE deleted_at IS NULL AND event_types && ARRAY['alert.*', ${type}]`

async function changesOf(
  db: Kysely<Tables>,
  { type, subjects }: AlertCondition,
  { firingMinMs }: { readonly firingMinMs: number },
): Promise<readonly Change[]> {
  const { rows } = await sql<Change>`
    WITH subscriber AS MATERIALIZED (${subscriberOf(type)}),
    subject AS MATERIALIZED (${subjects}),
    known AS MATERIALIZED (SELECT * FROM alerts WHERE type = ${type})
    SELECT s.subject_id, s.workspace_id, true AS is_firing, s.since, coalesce(k.version, 0) + 1 AS version
    FROM subject s LEFT JOIN known k ON k.subject_id = s.subject_id
    WHERE s.is_failing AND k.is_firing IS NOT TRUE
    UNION ALL
    SELECT k.subject_id, k.workspace_id, false, k.since, k.version + 1
    FROM known k LEFT JOIN subject s ON s.subject_id = k.subject_id
    WHERE k.is_firing AND k.changed_at <= now() - ${firingMinMs} * interval '1 millisecond'
      AND (s.subject_id IS NULL OR s.is_failing = false)
    LIMIT ${changedMax}`.execute(db)
  return rows
}

type Made = Change & { readonly changed_at: Date }

/**
 * Writes the changes that no other process has made meanwhile, in the order of their subjects so
 * that two processes cannot deadlock. Returns how many webhooks it enqueued.
 */
async function write(
  tx: Tx,
  { type, subject }: AlertCondition,
  changes: readonly Change[],
): Promise<number> {
  const { rows: made } = await sql<Made>`
    INSERT INTO alerts AS a (type, subject_id, workspace_id, is_firing, since, version)
    SELECT ${type}, subject_id, workspace_id, is_firing, since, version
    FROM json_populate_recordset(NULL::alerts, ${JSON.stringify(changes)}::json)
    ORDER BY subject_id
    ON CONFLICT (type, subject_id) DO UPDATE
      SET is_firing = excluded.is_firing, since = excluded.since,
        changed_at = excluded.changed_at, version = excluded.version
      WHERE a.version = excluded.version - 1
    RETURNING subject_id, workspace_id, is_firing, since, version, changed_at`.execute(tx)
  let enqueued = 0
  for await (const page of alertsBySubscriber(tx, type, made)) {
    await enqueueWebhooks(
      tx,
      page.map((row) => webhookOf(type, subject, row)),
    )
    enqueued += page.length
  }
  return enqueued
}

type Sent = Made & {
  readonly subscriber_id: string
  readonly organization_id: string
  readonly livemode: boolean
  /** How far the subscriber's clock is ahead of the wall clock. */
  readonly offset_ms: string
}

/** Each changed alert with each workspace that it is sent to, in pages. */
async function* alertsBySubscriber(tx: Tx, type: AlertType, made: readonly Made[]) {
  let after = { subject_id: '', subscriber_id: '' }
  for (;;) {
    const { rows } = await sql<Sent>`
      WITH made AS MATERIALIZED (
        SELECT * FROM json_populate_recordset(NULL::alerts, ${JSON.stringify(made)}::json)
      )
      SELECT m.subject_id, m.workspace_id, m.is_firing, m.since, m.version, m.changed_at,
        w.id AS subscriber_id, w.organization_id, w.livemode, coalesce(c.offset_ms, 0) AS offset_ms
      FROM made m
      JOIN workspaces w ON w.id = coalesce(m.workspace_id, w.id)
        AND w.id IN (${subscriberOf(type)})
      LEFT JOIN sandbox_clocks c ON c.workspace_id = w.id AND NOT w.livemode
      WHERE (m.subject_id, w.id) > (${after.subject_id}, ${after.subscriber_id})
      ORDER BY m.subject_id, w.id LIMIT ${pageMax}`.execute(tx)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageMax) return
    after = last
  }
}

function webhookOf(type: AlertType, subject: AlertCondition['subject'], row: Sent): RowWebhook {
  const offsetMs = Number(row.offset_ms)
  const isOfService = row.workspace_id === null
  const alert: Alert = {
    type,
    livemode: row.livemode,
    workspaceId: row.subscriber_id,
    subject: { type: subject, id: isOfService ? null : row.subject_id },
    shipmentId: null,
    reason: null,
    since: row.since.getTime() + (isOfService ? offsetMs : 0),
    resolvedAt: row.is_firing ? null : row.changed_at.getTime() + offsetMs,
    version: row.version,
  }
  const object = alertToApi(alert)
  return {
    change: `${type}:${row.subject_id}:${row.version}`,
    organizationId: row.organization_id,
    workspaceId: row.subscriber_id,
    livemode: row.livemode,
    type,
    resource: { type: 'alert', id: object.id, version: row.version },
    object,
    previous: alertBefore(alert),
    requestId: null,
    at: row.changed_at,
  }
}
