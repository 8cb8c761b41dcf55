import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../../projections/projection.ts'
import type { ReadModels } from '../../../../projections/tables.ts'
import { type Alert, alertBefore, shownAlert } from '../../domain/webhooks/alert.ts'
import type { AlertType } from '../../domain/webhooks/webhook-types.ts'
import { leaveNotices } from '../../processes/leave-notices.ts'
import type { AlertCondition } from './alert-conditions.ts'

/** Alerts that one check changes; the next one changes the others. */
const changedMax = 500
/** Notices in one statement: an alert of the whole service is for every subscriber. */
const noticesMax = 500

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
 * Compares each condition with its alerts, and leaves a notice of every alert that begins or ends,
 * in the transaction that writes it down. Any number of processes may run it at once: of two that
 * find the same change, one writes. Returns how many notices it left.
 */
export async function checkAlerts(
  db: Kysely<ReadModels>,
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
  db: Kysely<ReadModels>,
  conditions: readonly AlertCondition[],
): Promise<boolean> {
  const types = conditions.map(({ type }) => type)
  const { rows } = await sql`
    SELECT FROM webhook_endpoints WHERE deleted_at IS NULL AND event_types && ${['alert.*', ...types]}
    UNION ALL SELECT FROM alerts WHERE is_firing AND type = ANY (${types}) LIMIT 1`.execute(db)
  return rows.length > 0
}

/** The workspaces with an endpoint that subscribes to the alert. Others are not asked about. */
const subscriberOf = (type: AlertType) => sql`
  SELECT DISTINCT workspace_id FROM webhook_endpoints
  WHERE deleted_at IS NULL AND event_types && ARRAY['alert.*', ${type}]`

async function changesOf(
  db: Kysely<ReadModels>,
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

/** Writes those changes that no other process has made meanwhile. Returns how many notices it left. */
async function write(
  tx: Tx,
  { type, subject }: AlertCondition,
  changes: readonly Change[],
): Promise<number> {
  const { rows: made } = await sql<Made>`
    INSERT INTO alerts AS a (type, subject_id, workspace_id, is_firing, since, version)
    SELECT ${type}, subject_id, workspace_id, is_firing, since, version
    FROM json_populate_recordset(NULL::alerts, ${JSON.stringify(changes)}::json)
    ON CONFLICT (type, subject_id) DO UPDATE
      SET is_firing = excluded.is_firing, since = excluded.since,
        changed_at = excluded.changed_at, version = excluded.version
      WHERE a.version = excluded.version - 1
    RETURNING subject_id, workspace_id, is_firing, since, version, changed_at`.execute(tx)
  let left = 0
  for await (const page of noticedAlerts(tx, type, made)) {
    await leaveNotices(
      tx,
      page.map((row) => noticeOf(type, subject, row)),
    )
    left += page.length
  }
  return left
}

type Noticed = Made & {
  /** The workspace that is notified. */
  readonly notified_id: string
  readonly organization_id: string
  readonly livemode: boolean
  /** Of the workspace's clock. */
  readonly offset_ms: string
}

/** Each changed alert with each subscriber that it is for, in pages. */
async function* noticedAlerts(tx: Tx, type: AlertType, made: readonly Made[]) {
  let after = { subject_id: '', notified_id: '' }
  for (;;) {
    const { rows } = await sql<Noticed>`
      WITH made AS MATERIALIZED (
        SELECT * FROM json_populate_recordset(NULL::alerts, ${JSON.stringify(made)}::json)
      )
      SELECT m.subject_id, m.workspace_id, m.is_firing, m.since, m.version, m.changed_at,
        w.id AS notified_id, w.organization_id, w.livemode, coalesce(c.offset_ms, 0) AS offset_ms
      FROM made m
      JOIN workspaces w ON w.id = coalesce(m.workspace_id, w.id)
        AND w.id IN (${subscriberOf(type)})
      LEFT JOIN sandbox_clocks c ON c.workspace_id = w.id AND NOT w.livemode
      WHERE (m.subject_id, w.id) > (${after.subject_id}, ${after.notified_id})
      ORDER BY m.subject_id, w.id LIMIT ${noticesMax}`.execute(tx)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < noticesMax) return
    after = last
  }
}

function noticeOf(type: AlertType, subject: AlertCondition['subject'], row: Noticed) {
  const offsetMs = Number(row.offset_ms)
  const isOfService = row.workspace_id === null
  const alert: Alert = {
    type,
    livemode: row.livemode,
    workspaceId: row.notified_id,
    subject: { type: subject, id: isOfService ? null : row.subject_id },
    shipmentId: null,
    reason: null,
    since: row.since.getTime() + (isOfService ? offsetMs : 0),
    resolvedAt: row.is_firing ? null : row.changed_at.getTime() + offsetMs,
    version: row.version,
  }
  const object = shownAlert(alert)
  return {
    change: `${type}:${row.subject_id}:${row.version}`,
    organization_id: row.organization_id,
    workspace_id: row.notified_id,
    livemode: row.livemode,
    type,
    resource: { type: 'alert', id: object.id, version: row.version },
    object,
    previous: alertBefore(alert),
    request_id: null,
    at: row.changed_at.toISOString(),
  }
}
