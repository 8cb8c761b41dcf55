import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type ReachedThreshold, thresholdResource } from '../../domain/quota.ts'
import { enqueueWebhooks, type RowWebhook } from '../../webhooks/enqueue-webhooks.ts'

/** Enqueued in one transaction, each for every workspace of its organization. */
const thresholdsMax = 10

type ThresholdRow = ReachedThreshold & { readonly month: string; readonly reachedAt: Date }

/**
 * Enqueues `quota.threshold_reached` for the thresholds that were reached, once each: the function
 * that takes a place in a quota notes them, and this marks them. Any number of processes may run it
 * at once. Returns how many thresholds it marked.
 */
export async function enqueueThresholds(db: Kysely<Tables>): Promise<number> {
  // Without a transaction at first: usually there is nothing.
  const { rows: some } = await sql`
    SELECT FROM quota_thresholds WHERE enqueued_at IS NULL LIMIT 1`.execute(db)
  if (some.length === 0) return 0
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<ThresholdRow>`
      SELECT organization_id AS "organizationId", livemode, percent, used, quota,
        to_char(month, 'YYYY-MM') AS period, to_char(month, 'YYYY-MM-DD') AS month,
        reached_at AS "reachedAt"
      FROM quota_thresholds WHERE enqueued_at IS NULL
      ORDER BY reached_at LIMIT ${thresholdsMax} FOR UPDATE SKIP LOCKED`.execute(tx)
    await enqueueWebhooks(tx, rows.map(webhookOf))
    // Last, because from here to the commit a request of the organization may wait for this row.
    await sql`
      UPDATE quota_thresholds t SET enqueued_at = clock_timestamp()
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS e ("organizationId" text, livemode boolean, month date, percent int)
      WHERE t.organization_id = e."organizationId" COLLATE "C" AND t.livemode = e.livemode
        AND t.month = e.month AND t.percent = e.percent`.execute(tx)
    return rows.length
  })
}

function webhookOf({ month, reachedAt, ...threshold }: ThresholdRow): RowWebhook {
  const { organizationId, livemode, percent } = threshold
  return {
    change: `quota:${organizationId}:${livemode}:${month}:${percent}`,
    organizationId,
    workspaceId: null,
    livemode,
    type: 'quota.threshold_reached',
    resource: { type: 'quota', id: organizationId, version: null },
    object: thresholdResource(threshold),
    previous: null,
    requestId: null,
    at: reachedAt,
  }
}
