import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { Problem } from '../../../errors.ts'
import type { Principal, Scope } from '../../../security/api-keys.ts'
import { time } from '../../openapi/schemas.ts'
import type { RouteDeps } from '../../server-deps.ts'
import { authenticated } from '../authenticate.ts'
import { exclusively } from '../exclusive.ts'
import {
  type FilterTable,
  type FilterValues,
  type FindDeps,
  findNamed,
  matching,
  olderThan,
} from '../filters.ts'
import { listPage, type PageQuery } from '../lists.ts'
import { type NoteMade, once } from '../once.ts'
import { requireMatch } from './etag.ts'
import { withFreshRow } from './fresh-row.ts'
import { resource } from './resource.ts'

type Row = { readonly id: string; readonly created_at: Date }
type Deps = Pick<RouteDeps, 'db'>

type Declared<Table extends keyof Database, Found extends Row> = {
  /** Its path is `/v1/`, this name and an `s`. */
  readonly name: 'workspace' | 'courier-connection' | 'webhook-endpoint' | 'operator'
  /** Those within a key's reach. */
  readonly reachable: (
    db: Kysely<Database>,
    principal: Principal,
  ) => SelectQueryBuilder<Database, Table, Found>
  /** As the API shows it, with its version. */
  readonly show: (row: Found, principal: Principal) => object
}

type Creation = {
  readonly newId: () => string
  /** Creates it under this id or finds it, and returns the existing one's id. */
  readonly make: (id: string, noteMade: NoteMade) => Promise<string>
}

/**
 * A resource that keys create, list, read and change, kept as rows of one table: a workspace, a
 * courier connection, a webhook endpoint or an operator. Its routes do all of that through these
 * functions.
 */
export function administered<Table extends keyof Database, Found extends Row>(
  declared: Declared<Table, Found>,
) {
  const { name, reachable, show } = declared
  const path = `/v1/${name}s`

  /** Throws `not_found`, as for an id that never existed. */
  async function find(deps: Deps, principal: Principal, id: string): Promise<Found> {
    const row = await reachable(deps.db, principal)
      .where(sql<boolean>`id = ${id}`)
      .executeTakeFirst()
    if (row === undefined) throw new Problem('not_found')
    return row as Found
  }

  return {
    find,

    /** The one that a route is about. */
    resource: (deps: Deps, scope: Scope) =>
      resource(scope, ({ principal }, id) => find(deps, principal, id)),

    /** A page of those within reach, newest first. */
    page: pageOf(path, reachable),

    /** Creates one for each optional Idempotency-Key, and says where it is. */
    async create(
      deps: Pick<RouteDeps, 'db' | 'secrets'>,
      request: FastifyRequest,
      reply: FastifyReply,
      creation: Creation,
    ): Promise<Found> {
      const { principal } = authenticated(request)
      const read = (id: string) => find(deps, principal, id)
      const row = await once(deps, { request, reply, read, ...creation })
      reply.code(201).header('location', `${path}/${row.id}`)
      return row
    },

    /**
     * Changes the one that the route is about. It is read again while no other request changes it,
     * and `If-Match` must name that version. The act changes the row as it was read (`asRead`), or
     * not at all: then it is read and compared again.
     */
    async change<Changed>(
      deps: Deps,
      request: FastifyRequest & { readonly params: { readonly id: string } },
      act: (row: Found) => Promise<Changed>,
    ): Promise<Changed> {
      const { id } = request.params
      const changed = async () => {
        const { principal } = authenticated(request)
        const row = await find(deps, principal, id)
        requireMatch(request, show(row, principal))
        return act(row)
      }
      return exclusively(deps.db, [name, id], () => withFreshRow(changed))
    },
  }
}

function pageOf<Table extends keyof Database, Found extends Row>(
  route: string,
  reachable: Declared<Table, Found>['reachable'],
) {
  return async <Filters extends FilterTable, Item>(
    deps: FindDeps & Pick<RouteDeps, 'secrets'>,
    request: FastifyRequest & { readonly query: PageQuery & FilterValues<Filters> },
    filters: Filters,
    item: (row: Found) => Item,
  ) => {
    const { principal } = authenticated(request)
    const { query } = request
    await findNamed(filters, query, deps, principal)
    return listPage({
      deps,
      principal,
      route,
      query,
      read: async ({ after, limit }) =>
        (await reachable(deps.db, principal)
          .where(matching(filters, query, after))
          .where(olderThan(after))
          .orderBy(sql`created_at`, 'desc')
          .orderBy(sql`id`, 'desc')
          .limit(limit)
          .execute()) as Found[],
      sortKey: (row) => [time(row.created_at), row.id],
      item,
    })
  }
}
