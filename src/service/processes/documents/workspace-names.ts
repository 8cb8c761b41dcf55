import { type QueryExecutorProvider, sql } from 'kysely'

/** The names of these workspaces, by id. */
export async function workspaceNames(
  db: QueryExecutorProvider,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM workspaces
    WHERE organization_id = ${organizationId} AND id = ANY(${[...new Set(ids)]}::text[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
