import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../../../../../projections/tables.ts'
import type { Database } from '../../../database/database.ts'
import { Problem } from '../../../errors.ts'
import type { Principal, Scope } from '../../../security/api-keys.ts'
import type { ApiServices } from '../../api-services.ts'
import { type ListDeps, listNewestFirst } from '../answer-list.ts'
import { authenticated } from '../authenticate.ts'
import type { FilterTable, FilterValues } from '../filters.ts'
import { idempotentCreate, type RememberCreated } from '../idempotent-create.ts'
import type { PageQuery } from '../lists.ts'
import { withLock } from '../with-lock.ts'
import { requireMatch } from './etag.ts'
import { withFreshRow } from './fresh-row.ts'
import { resource } from './resource.ts'

type Row = { readonly id: string; readonly created_at: Date }
type Deps = Pick<ApiServices, 'db'>

type Declared<Table extends keyof Database, Found extends Row, Shown extends object> = {
  /** The path of the resource is `/v1/`, this name and an `s`. */
  readonly name: 'workspace' | 'courier-connection' | 'webhook-endpoint' | 'operator'
  /** The rows within a key's reach. */
  readonly reachable: (
    db: Kysely<Tables>,
    principal: Principal,
  ) => SelectQueryBuilder<Database, Table, Found>
  /** The row as the API shows it, with its version. */
  readonly show: (row: Found, principal: Principal) => Shown
}

type Creation = {
  readonly newId: () => string
  /** Creates it under this id or finds it, and returns the existing one's id. */
  readonly create: (id: string, rememberCreated: RememberCreated) => Promise<string>
}

/**
 * A resource that keys create, list, read and change, stored as rows of one table: a workspace, a
 * courier connection, a webhook endpoint or an operator. All its routes go through these functions.
 */
export function administered<
  Table extends keyof Database,
  Found extends Row,
  Shown extends object,
>({ name, reachable, show }: Declared<Table, Found, Shown>) {
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

    /** Declares that a route is about one of them. */
    resource: (deps: Deps, scope: Scope) =>
      resource(scope, ({ principal }, id) => find(deps, principal, id)),

    /** A page of those within reach, newest first. */
    page<Filters extends FilterTable>(
      deps: ListDeps,
      request: FastifyRequest & { readonly query: PageQuery & FilterValues<Filters> },
      filters: Filters,
    ) {
      const { principal } = authenticated(request)
      return listNewestFirst(deps, request, filters, {
        rows: reachable(deps.db, principal),
        show: (rows) => rows.map((row) => show(row, principal)),
      })
    },

    /** Creates one for each optional Idempotency-Key, and sets the `Location` of the answer. */
    async create(
      deps: Pick<ApiServices, 'db' | 'secrets'>,
      request: FastifyRequest,
      reply: FastifyReply,
      creation: Creation,
    ): Promise<Found> {
      const { principal } = authenticated(request)
      const read = (id: string) => find(deps, principal, id)
      const row = await idempotentCreate(deps, { request, reply, read, ...creation })
      reply.code(201).header('location', `/v1/${name}s/${row.id}`)
      return row
    },

    /**
     * Changes the one that the route is about. The row is read again while no other request changes
     * it, and `If-Match` must name that version. `act` updates the row only if it is still as it was
     * read (`asRead`); otherwise it is read and compared again.
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
      return withLock(deps.db, [name, id], () => withFreshRow(changed))
    },
  }
}
