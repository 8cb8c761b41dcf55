import pg from 'pg'
import type { Reach } from './isolation-worlds.ts'

const columnsSql = `
  SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name,
         array_agg(column_name::text) AS columns
  FROM information_schema.columns JOIN pg_tables
    ON schemaname = table_schema AND tablename = table_name
  WHERE table_schema IN ('public', 'projections', 'ledger') GROUP BY 1 ORDER BY 1`

/**
 * A digest of each table's rows that belong to the victims, found by organization, workspace or, in
 * the ledger, by the event's metadata. The time at which a key was last used is not compared.
 */
export async function guardedRows(
  adminUrl: string,
  { guarded }: Reach,
): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const digests: Record<string, string> = {}
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(columnsSql)
    for (const { name, columns } of tables) {
      const conditions = [
        ...(columns.includes('organization_id') ? ['organization_id = $1'] : []),
        ...(columns.includes('workspace_id') ? ['workspace_id = ANY ($2)'] : []),
        ...(name === 'public.workspaces' ? ['id = ANY ($2)'] : []),
        ...(name === 'ledger.event'
          ? ["metadata->>'organization_id' = $1", "metadata->>'workspace_id' = ANY ($2)"]
          : []),
      ]
      if (conditions.length === 0) continue
      const { rows } = await client.query<{ count: string; digest: string | null }>(
        `SELECT count(*), md5(string_agg(row, ' ' ORDER BY row)) AS digest
         FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${name} AS t
               WHERE (${conditions.join(' OR ')}) AND ($1::text IS NOT NULL OR $2::text[] IS NOT NULL)) AS o`,
        [guarded.organizationId, guarded.workspaceIds],
      )
      digests[name] = `${rows[0]?.count} rows ${rows[0]?.digest}`
    }
    return digests
  } finally {
    await client.end()
  }
}

/** The bodies of a workspace's webhooks as one text, by its id. */
export type WebhookTexts = Readonly<Record<string, string>>

/** What would be sent to each workspace. */
export async function webhookTexts(adminUrl: string): Promise<WebhookTexts> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ workspace_id: string; text: string }>(
      "SELECT workspace_id, string_agg(body, ' ') AS text FROM webhook_events GROUP BY 1",
    )
    return Object.fromEntries(rows.map(({ workspace_id, text }) => [workspace_id, text]))
  } finally {
    await client.end()
  }
}
