import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Principal } from '../../security/api-keys.ts'
import { filterText, openEnum, time, timestamp } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { beginsId, type IdBeginning, idBeginningMin, idBeginningOf } from './id-beginning.ts'
import { reachOf, type Searched, searchedKinds, workspaceColumnOf } from './searched-kinds.ts'

/** Of each kind and each way of searching: a search that finds more is for the lists. */
const foundMax = 10
const textMax = 255

const types = searchedKinds.map(({ type }) => type) as [Searched['type'], ...Searched['type'][]]
const matches = ['id', 'external_reference', 'idempotency_key', 'guide_number'] as const

const foundSchema = z.object({
  id: z.string(),
  object: z.literal('search_result'),
  livemode: z.boolean(),
  type: openEnum(types),
  matched: openEnum(matches).meta({ description: 'What the text was found in' }),
  title: z.string().nullable().meta({
    description: 'What names it to a person: a reference, a name, a type of event or a route',
  }),
  status: z.string().nullable(),
  workspace_id: z.string().nullable(),
  created_at: timestamp,
})

const searchSchema = z
  .object({
    object: z.literal('search'),
    livemode: z.boolean(),
    data: z.array(foundSchema),
    has_more: z.boolean().meta({
      description: `Whether one kind of object has more than ${foundMax} matches; lists show them all`,
    }),
  })
  .meta({ id: 'Search' })

export function searchRoutes(app: App, deps: Pick<RouteDeps, 'db'>): void {
  app.route({
    method: 'GET',
    url: '/v1/search',
    config: { collectionScope: null },
    schema: {
      operationId: 'findByText',
      summary: 'Find objects by an id, a reference, a guide number or a key',
      description: `Ids are found by their beginning, at least ${idBeginningMin} characters after the prefix, in any case, with the prefix or without. External references, idempotency keys and guide numbers are found whole, exactly as written. At most ${foundMax} of each, within the reach of the key and the kinds of object that its scopes may read. Operations are found by their id only if their outcome was once unknown.`,
      tags: ['Search'],
      querystring: z.strictObject({
        text: filterText(textMax).min(1).meta({ example: 'shp_0aB1cD' }),
      }),
      response: { 200: searchSchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const searches = searchesFor(request.query.text, principal)
      const rows = searches.length === 0 ? [] : await foundBy(deps, searches)
      const groups = [...Map.groupBy(rows, ({ type, matched }) => `${type} ${matched}`).values()]
      const { livemode } = principal
      return {
        object: 'search' as const,
        livemode,
        data: withoutRepeats(groups.flatMap((group) => group.slice(0, foundMax))).map((row) => ({
          ...row,
          object: 'search_result' as const,
          livemode,
          created_at: time(row.created_at),
        })),
        has_more: groups.some(({ length }) => length > foundMax),
      }
    },
  })
}

type Row = {
  readonly id: string
  readonly type: Searched['type']
  readonly matched: (typeof matches)[number]
  readonly title: string | null
  readonly status: string | null
  readonly workspace_id: string | null
  readonly created_at: Date
}

function searchesFor(text: string, principal: Principal): readonly RawBuilder<Row>[] {
  const beginning = idBeginningOf(text)
  return searchedKinds
    .filter(({ scope }) => principal.scopes.has(scope))
    .flatMap((kind: Searched) => [
      ...byBeginning(kind, beginning, principal),
      ...kind.texts.map((column) =>
        select(kind, principal, column, sql<SqlBool>`${sql.ref(column)} = ${text}`),
      ),
    ])
}

function byBeginning(kind: Searched, beginning: IdBeginning | null, principal: Principal) {
  if (beginning === null) return []
  const { prefix, value } = beginning
  if (prefix !== null && prefix !== kind.prefix) return []
  return [select(kind, principal, 'id', beginsId(kind.id, kind.prefix, value))]
}

function select(
  kind: Searched,
  principal: Principal,
  matched: Row['matched'],
  condition: Expression<SqlBool>,
): RawBuilder<Row> {
  const { type, table, id, title, status, where = sql`true` } = kind
  const column = (name: string | null) => (name === null ? sql`NULL` : sql.ref(name))
  return sql<Row>`(
    SELECT ${sql.ref(id)} AS id, ${sql.lit(type)} AS type, ${sql.lit(matched)} AS matched,
      ${column(title)}::text AS title, ${column(status)}::text AS status,
      ${column(workspaceColumnOf(kind))}::text AS workspace_id, created_at
    FROM ${sql.table(table)}
    WHERE ${condition} AND ${reachOf(kind, principal)} AND ${where}
    ORDER BY created_at DESC LIMIT ${foundMax + 1})`
}

/** One object may be found in two ways. */
function withoutRepeats(rows: readonly Row[]): readonly Row[] {
  const first = new Map<string, Row>()
  for (const row of rows) if (!first.has(row.id)) first.set(row.id, row)
  return [...first.values()]
}

/** All kinds in one statement, in their order. */
async function foundBy(
  { db }: Pick<RouteDeps, 'db'>,
  searches: readonly RawBuilder<Row>[],
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`${sql.join(searches, sql` UNION ALL `)}`.execute(db)
  const rank = ({ type }: Row) => types.indexOf(type)
  return rows.toSorted((a, b) => rank(a) - rank(b))
}
