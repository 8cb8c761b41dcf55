import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { hasColumn } from '../../processes/has-column.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { filterText, livemode, openEnum, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  beginsId,
  beginsLoweredId,
  type IdBeginning,
  idBeginningMin,
  idBeginningOf,
} from './id-beginning.ts'
import {
  type Searched,
  type SearchedText,
  searchedKinds,
  tenantScopeOf,
  workspaceColumnOf,
} from './searched-kinds.ts'

/** Matches of each kind and each way of searching. For more, there are the lists. */
const foundMax = 10
const textMax = 255

const types = searchedKinds.map(({ type }) => type) as [Searched['type'], ...Searched['type'][]]
const matches = ['id', 'external_reference', 'idempotency_key', 'guide_number'] as const

const foundSchema = z.object({
  id: z.string().meta({ description: 'The id of what was found.' }),
  object: typeOf('search_result'),
  livemode,
  type: openEnum(types).meta({ description: 'The kind of object that was found.' }),
  matched: openEnum(matches).meta({ description: 'The field that the text was found in.' }),
  title: z.string().nullable().meta({
    description:
      'A title for people: a reference, a name, a type of event or a route. `null` if there is none.',
  }),
  status: z.string().nullable().meta({
    description: 'Its status or state. `null` if it has none.',
    example: 'created',
  }),
  workspace_id: z.string().nullable().meta({
    description: 'The workspace that it belongs to. `null` if it belongs to none.',
  }),
  created_at: timestamp.meta({ description: 'When it was created.' }),
})

const searchSchema = z
  .object({
    object: typeOf('search'),
    livemode,
    data: z.array(foundSchema).meta({
      description: 'The objects that were found, by kind.',
    }),
    has_more: z.boolean().meta({
      description: `Whether any kind of object has more than ${foundMax} matches. The lists show all of them.`,
    }),
  })
  .meta({ id: 'Search', description: 'The objects in which a text was found.' })

export function findByTextRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/search',
    config: { collectionScope: null },
    schema: {
      operationId: 'findByText',
      summary: 'Find objects by an id, a reference, a guide number or a key',
      description: `Ids match by their beginning: at least ${idBeginningMin} characters after the prefix, in upper or lower case, with the prefix or without. External references match by their beginning, and idempotency keys and guide numbers as a whole; these are case-sensitive. A guide number that a look found leads to the operation, even if the shipment has another guide. At most ${foundMax} of each are returned, within the reach of the key and the kinds of object that its scopes may read. Operations are found by their id only if their outcome was once unknown.`,
      tags: ['Search'],
      querystring: z.strictObject({
        text: filterText(textMax)
          .min(1)
          .meta({
            description: `What to find, in 1 to ${textMax} characters.`,
            example: 'shp_0aB1cD',
          }),
      }),
      response: { 200: searchSchema.meta({ description: 'What was found.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const textsOf = await searchableTexts(deps.db)
      const rows = await foundBy(searchesFor(deps.db, request.query.text, principal, textsOf))
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

/** The kinds name the tables, so only the tests check their columns. */
type Tables = Kysely<Readonly<Record<string, Readonly<Record<string, Date | string>>>>>
type Search = ReturnType<typeof select>

/** The queries are built, not written as text, so that the tenant fence restricts them too. */
function searchesFor(
  db: ApiServices['db'],
  text: string,
  principal: Principal,
  textsOf: TextsOf,
): readonly Search[] {
  const tables = db as unknown as Tables
  const beginning = idBeginningOf(text)
  const conditionsOf = (kind: Searched): readonly Condition[] => [
    ...idsOf(kind, beginning),
    ...textsOf(kind).map((searched) => conditionOf(searched, text)),
  ]
  return searchedKinds
    .filter(({ scope }) => principal.scopes.has(scope))
    .flatMap((kind: Searched) =>
      conditionsOf(kind).map((condition) => select(tables, kind, principal, condition)),
    )
}

type TextsOf = (kind: Searched) => readonly SearchedText[]

/** After an upgrade, texts are matched as a whole until the lists of the new version are built. */
async function searchableTexts(db: ApiServices['db']): Promise<TextsOf> {
  if (await hasColumn(db, 'projections.operations', 'guide_numbers')) return ({ texts }) => texts
  return ({ texts }) =>
    texts.filter(({ by }) => by !== 'item').map((each) => ({ ...each, by: 'whole' }))
}

function idsOf(
  { id, prefix, isLowered }: Searched,
  beginning: IdBeginning | null,
): readonly Condition[] {
  if (beginning === null) return []
  const isOther = beginning.prefix !== null && beginning.prefix !== prefix
  const begins = isLowered ? beginsLoweredId : beginsId
  return isOther
    ? []
    : [{ matched: 'id', is: begins(id, prefix, beginning.value), orderedBy: null }]
}

type Condition = {
  readonly matched: Row['matched']
  readonly is: Expression<SqlBool>
  /** The column whose index has the order of the matches; null if the newest come first. */
  readonly orderedBy: string | null
}

function conditionOf({ column, matched, by }: SearchedText, text: string): Condition {
  const value = sql.ref(column)
  switch (by) {
    case 'beginning':
      return { matched, is: sql`starts_with(${value}, ${text})`, orderedBy: column }
    case 'whole':
      return { matched, is: sql`${value} = ${text}`, orderedBy: null }
    case 'item':
      return { matched, is: sql`${value} @> ARRAY[${text}]`, orderedBy: null }
  }
}

function select(tables: Tables, kind: Searched, principal: Principal, condition: Condition) {
  const { matched, is, orderedBy } = condition
  const { type, table, id, title, status, where = sql<SqlBool>`true` } = kind
  const textOf = (name: string | null) =>
    name === null ? sql<string | null>`NULL::text` : sql<string | null>`${sql.ref(name)}::text`
  const found = tables
    .selectFrom(table)
    .select([
      textOf(id).as('id'),
      sql<string>`${sql.lit(type)}`.as('type'),
      sql<string>`${sql.lit(matched)}`.as('matched'),
      textOf(title).as('title'),
      textOf(status).as('status'),
      textOf(workspaceColumnOf(kind)).as('workspace_id'),
      'created_at',
    ])
    .where(is)
    .where(tenantScopeOf(kind, principal))
    .where(where)
    .$if(orderedBy !== null, (query) => query.orderBy(sql.ref(String(orderedBy))))
    .orderBy('created_at', 'desc')
    .limit(foundMax + 1)
  return tables.selectFrom(found.as('found')).selectAll()
}

/** All kinds in one statement, in their order. */
async function foundBy([first, ...others]: readonly Search[]): Promise<readonly Row[]> {
  if (first === undefined) return []
  const all = others.reduce((before, next) => before.unionAll(next), first)
  const rows = (await all.execute()) as unknown as readonly Row[]
  const rank = ({ type }: Row) => types.indexOf(type)
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** One object may be found in two ways. */
function withoutRepeats(rows: readonly Row[]): readonly Row[] {
  const first = new Map<string, Row>()
  for (const row of rows) if (!first.has(row.id)) first.set(row.id, row)
  return [...first.values()]
}
