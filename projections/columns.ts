/**
 * A table column, declared once: its DDL, and the types that queries read and writes take.
 */
type Column<Read, Written = Read> = {
  readonly ddl: string
  /** Exists only for type inference; never set. */
  readonly types?: { readonly read: Read; readonly written: Written }
}

export type Columns = Readonly<Record<string, Column<unknown>>>

export type ReadRow<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Read, unknown> ? Read : never
}
export type WrittenRow<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<unknown, infer Written> ? Written : never
}

function required<Read, Written = Read>(type: string): Column<Read, Written> {
  return { ddl: `${type} NOT NULL` }
}
function optional<Read, Written = Read>(type: string): Column<Read | null, Written | null> {
  return { ddl: type }
}

/** Text that is compared byte by byte: ids, codes and positions. */
const word = 'text COLLATE "C"'
export const id = required<string>(word)
export const idOrNull = optional<string>(word)
export const ids = required<readonly string[]>('text[] COLLATE "C"')
export const text = required<string>('text')
export const int = required<number>('int')
export const flag = required<boolean>('boolean')
export const time = required<Date, string>('timestamptz')
/** Counters by name. */
export const counts = required<Readonly<Record<string, number>>>('jsonb')
export const timeOrNull = optional<Date, string>('timestamptz')

/** The columns of the owner, which every table has. */
export const ownerColumns = { organization_id: id, workspace_id: id, livemode: flag } as const

export function createTableSql(name: string, key: readonly string[], columns: Columns): string {
  const lines = Object.entries(columns).map(([column, { ddl }]) => `${column} ${ddl}`)
  return `CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}, PRIMARY KEY (${key.join(', ')}))
    WITH (fillfactor = 80)`
}
