import type { FastifyRequest } from 'fastify'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { ApiServices } from '../api-services.ts'
import { time } from '../openapi/schemas.ts'
import { authenticated } from './authenticate.ts'
import {
  type FilterTable,
  type FilterValues,
  type FindDeps,
  findNamed,
  matching,
  olderThan,
} from './filters.ts'
import { type CursorValues, listPage, type PagePlace, type PageQuery, pathOf } from './lists.ts'

type List<Row, Item> = {
  readonly read: (place: PagePlace) => Promise<readonly Row[]>
  readonly sortKey: (row: Row) => CursorValues
  /** The items of the page's rows. */
  readonly show: (rows: readonly Row[]) => readonly Item[] | Promise<readonly Item[]>
}

/** Answers a list request with the page that it asks for. */
export async function answerList<Row, Item>(
  request: FastifyRequest,
  deps: Pick<ApiServices, 'secrets'>,
  { read, sortKey, show }: List<Row, Item>,
) {
  const { principal } = authenticated(request)
  const query = request.query as PageQuery
  const route = pathOf(request)
  const page = await listPage({ deps, principal, route, query, read, sortKey })
  return { ...page, data: [...(await show(page.data))] }
}

/** Narrows a query to a page of the rows that pass the filters, newest first. */
export function newestFirst<Declared extends FilterTable>(
  filters: Declared,
  query: FilterValues<Declared>,
  { after, limit }: PagePlace,
  idColumn = 'id',
) {
  return <DB, Table extends keyof DB, Row>(rows: SelectQueryBuilder<DB, Table, Row>) =>
    rows
      .where(matching(filters, query, after))
      .where(olderThan(after, idColumn))
      .orderBy(sql.ref('created_at'), 'desc')
      .orderBy(sql.ref(idColumn), 'desc')
      .limit(limit)
}

export type ListDeps = FindDeps & Pick<ApiServices, 'secrets'>

type NewestFirst<Tables, Table extends keyof Tables, Row, Item> = {
  /** The rows within the key's reach. */
  readonly rows: SelectQueryBuilder<Tables, Table, Row>
  /** The items of the page's rows. */
  readonly show: (rows: readonly Row[]) => readonly Item[] | Promise<readonly Item[]>
  /** Orders rows created in the same millisecond. Default: `id`. */
  readonly tiebreaker?: keyof Row & string
}

/** Answers a request for the rows that pass the query's filters, newest first. */
export async function listNewestFirst<
  Filters extends FilterTable,
  Tables,
  Table extends keyof Tables,
  Row extends { readonly created_at: Date },
  Item,
>(
  deps: ListDeps,
  request: FastifyRequest & { readonly query: PageQuery & FilterValues<Filters> },
  filters: Filters,
  { rows, show, tiebreaker = 'id' as keyof Row & string }: NewestFirst<Tables, Table, Row, Item>,
) {
  const { query } = request
  await findNamed(filters, query, deps, authenticated(request).principal)
  return await answerList(request, deps, {
    read: async (place) =>
      (await rows.$call(newestFirst(filters, query, place, tiebreaker)).execute()) as Row[],
    sortKey: (row) => [time(row.created_at), String(row[tiebreaker])],
    show,
  })
}
