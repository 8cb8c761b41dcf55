import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import { sameTag, tagOf } from '../http-secrets.ts'
import { pageDefault } from '../openapi/schemas.ts'

/** Where a page ended: the values of the list's sort key, as text. */
export type CursorValues = readonly string[]

/** Our cursors hold a few ids and times. A longer one was not issued here. */
const cursorLengthMax = 1_000
const tagBytes = 16

type Binding = {
  readonly route: string
  readonly principal: Principal
  readonly filters: Readonly<Record<string, unknown>>
}

/** A cursor is valid only for the list that issued it: same route, filters and reach of the key. */
function boundTo({ route, principal, filters }: Binding): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { organizationId, workspaceId, livemode } = principal
  return JSON.stringify([route, organizationId, workspaceId, livemode, given])
}

export function encodeCursor(
  keys: readonly Buffer[],
  binding: Binding,
  values: CursorValues,
): string {
  const body = Buffer.from(JSON.stringify(values))
  const tag = tagOf(keys[0]!, boundTo(binding), body.toString('base64')).subarray(0, tagBytes)
  return Buffer.concat([tag, body]).toString('base64url')
}

export function decodeCursor(
  keys: readonly Buffer[],
  binding: Binding,
  cursor: string,
): CursorValues {
  const bytes = Buffer.from(cursor.slice(0, cursorLengthMax), 'base64url')
  const tag = bytes.subarray(0, tagBytes)
  const body = bytes.subarray(tagBytes)
  // Decoding ignores characters that are not base64url, so compare the text as well.
  const ours =
    bytes.toString('base64url') === cursor &&
    keys.some((key) =>
      sameTag(tagOf(key, boundTo(binding), body.toString('base64')).subarray(0, tagBytes), tag),
    )
  if (!ours) throw new Problem('invalid_cursor')
  return JSON.parse(body.toString('utf8')) as CursorValues
}

/** The validated query of a list, its filters included. */
export type PageQuery = {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly [filter: string]: unknown
}

/** Asks for at most `limit` rows after these values of the sort key. Null: from the start. */
export type PagePlace = { readonly after: CursorValues | null; readonly limit: number }

type ListRequest<Row> = {
  readonly deps: Pick<ApiServices, 'secrets'>
  readonly principal: Principal
  /** The list's path with its ids (`pathOf`). A cursor works only for the list that issued it. */
  readonly route: string
  readonly query: PageQuery
  readonly read: (place: PagePlace) => Promise<readonly Row[]>
  readonly sortKey: (row: Row) => CursorValues
}

/**
 * The path of the request's route with its ids filled in. It is the same for every spelling of an
 * address.
 */
export function pathOf({ routeOptions, params }: FastifyRequest): string {
  const ids = params as Readonly<Record<string, string>>
  return routeOptions.url?.replace(/:(\w+)/g, (_, name) => ids[name] ?? '') ?? ''
}

/** A page of a list. Reads one row more than the page has, to know whether there are more. */
export async function listPage<Row>(list: ListRequest<Row>) {
  const { limit = pageDefault, cursor, ...filters } = list.query
  const binding = { route: list.route, principal: list.principal, filters }
  const keys = list.deps.secrets.cursorKeys
  const after = cursor === undefined ? null : decodeCursor(keys, binding, cursor)
  const rows = await list.read({ after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    data: page,
    has_more: more,
    next_cursor: more ? encodeCursor(keys, binding, list.sortKey(last)) : null,
  }
}
