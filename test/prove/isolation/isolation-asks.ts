import {
  exampleQuoteRequest,
  exampleShipmentRequest,
} from '../../../src/service/http/openapi/examples.ts'
import { type ApiOperation, committedDocument } from '../../support/declared-answers.ts'
import { type Kind, kinds, nobody, noValue, type Reach, type World } from './isolation-worlds.ts'

type Position = {
  readonly in: 'path' | 'query' | 'body' | 'header' | 'cursor'
  readonly name: string
  /** The kind of resource expected there; null if it has no owner. */
  readonly kind: Kind | null
}

export type Ask = {
  readonly reach: Reach
  readonly operation: ApiOperation
  readonly method: string
  readonly position: Position
  /** The value that is sent, and its kind. */
  readonly value: string
  readonly kind: Kind | 'cursor'
  /** Whether the path names a victim's resource or an id of its kind. */
  readonly isOfVictim: boolean
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | undefined
  /** The same request with an id that never existed; null if the two answers may differ. */
  readonly never: Ask | null
}

const byPath: readonly (readonly [string, Kind])[] = [
  ['/v1/workspaces/', 'workspace'],
  ['/v1/courier-connections/', 'connection'],
  ['/v1/webhook-endpoints/', 'endpoint'],
  ['/v1/events/', 'event'],
  ['/v1/webhook-deliveries/', 'delivery'],
  ['/v1/quotes/', 'quote'],
  ['/v1/shipments/', 'shipment'],
  ['/v1/batches/', 'batch'],
  ['/v1/operations/', 'operation'],
  ['/v1/operators/', 'operator'],
  ['/v1/keys/', 'credential'],
  ['/v1/requests/', 'noted'],
  ['/v1/ledger/proof/', 'position'],
  ['/v1/audit-events/', 'act'],
  ['/v1/courier-invoices/', 'invoice'],
]
const byName: Readonly<Record<string, Kind>> = {
  workspace_id: 'workspace',
  courier_connection_id: 'connection',
  courier_connection_ids: 'connection',
  endpoint_id: 'endpoint',
  event_id: 'event',
  shipment_id: 'shipment',
  shipment_ids: 'shipment',
  quote_id: 'quote',
  operator_id: 'operator',
  key_id: 'credential',
  external_reference: 'reference',
  // Any text, because resources of many types are named, including deleted ones.
  resource_id: 'reference',
  guide_number: 'guide',
  idempotency_key: 'key',
  'idempotency-key': 'key',
  'if-match': 'tag',
  'if-none-match': 'tag',
  'x-request-id': 'request',
}

/**
 * Parameters that a query needs and that name no resource. `test/journeys/search.test.ts` proves
 * what a search finds for others.
 */
const neededValues: Readonly<Record<string, string>> = {
  since: '2026-03-01T00:00:00Z',
  until: '2026-03-02T00:00:00Z',
  text: 'no such text',
}

type Route = {
  readonly path: string
  readonly method: string
  readonly operation: ApiOperation
}

export const routes: readonly Route[] = Object.entries(committedDocument.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
)

function bodyFields({ operation }: Route): readonly string[] {
  const schema = operation.requestBody?.content['application/json'].schema
  const name = String(schema?.$ref ?? '').replace('#/components/schemas/', '')
  const whole = name === '' ? schema : committedDocument.components.schemas[name]
  return Object.keys((whole?.properties ?? {}) as object)
}

/** Every position in an operation that can name another caller's resource. */
function positionsOf(route: Route): readonly Position[] {
  const parameters = route.operation.parameters ?? []
  const own = parameters.flatMap(({ in: at, name }): Position[] => {
    if (name === 'cursor') return [{ in: 'cursor', name, kind: null }]
    if (at === 'path') {
      const kind = byPath.find(([start]) => route.path.startsWith(start))?.[1] ?? null
      return [{ in: 'path', name, kind }]
    }
    const kind = byName[name]
    // A body of lines has query parameters that are fields of the body in JSON.
    const isForLines = at === 'query' && route.operation.requestBody !== undefined
    if (kind === undefined || isForLines) return []
    return [{ in: at as 'query' | 'header', name, kind }]
  })
  const body = bodyFields(route).flatMap((name): Position[] => {
    const kind = name === 'external_reference' ? undefined : byName[name]
    return kind === undefined ? [] : [{ in: 'body', name, kind }]
  })
  return [...own, ...body, { in: 'header', name: 'x-request-id', kind: 'request' }]
}

/** A body that the route accepts, with the caller's own resources. */
function bodyFor({ path, operation }: Route, own: World): Record<string, unknown> | undefined {
  const content = operation.requestBody?.content['application/json']
  if (content === undefined) return undefined
  const places = { workspaceId: own.workspace, connectionId: own.connection }
  const choices = { originId: `agy_${'0'.repeat(22)}`, destinationId: `agy_${'1'.repeat(22)}` }
  const seeded = { ...places, ...choices, productId: `pkg_${'0'.repeat(22)}` }
  if (path === '/v1/shipments') return exampleShipmentRequest('asked', seeded)
  if (path === '/v1/quotes') return exampleQuoteRequest(seeded)
  const example = structuredClone(content.example) as Record<string, unknown>
  if ('workspace_id' in example) example.workspace_id = own.workspace
  if ('courier_connection_id' in example) example.courier_connection_id = own.connection
  // A workspace is found by its reference, so a fixed one would be created only once.
  if ('external_reference' in example) example.external_reference = freshKey()
  if ('courier_connection_id' in example) example.courier_connection_id = own.connection
  // The only decision that names a guide.
  if (path.endsWith('/resolve')) example.decision = 'guide_exists'
  return example
}

let keys = 0

/** Requests run concurrently and would conflict with a shared key. */
function freshKey(): string {
  keys += 1
  return `intruder-${keys}`
}

function askOf(
  reach: Reach,
  route: Route,
  position: Position,
  value: string,
): Omit<Ask, 'kind' | 'never'> {
  const { own } = reach
  const query = new URLSearchParams()
  const headers: Record<string, string> = {
    'x-request-id': `req_${'0'.repeat(18)}same`,
    ...(positionsOf(route).some(({ name }) => name === 'idempotency-key')
      ? { 'idempotency-key': freshKey() }
      : {}),
  }
  const body = bodyFor(route, own)
  const pathKind = positionsOf(route).find((one) => one.in === 'path')?.kind ?? null
  // The caller's own resources must not be deleted, so the header is sent with another's id.
  const other = reach.victims[0] ?? nobody
  let id = pathKind === null ? '1' : (position.in === 'header' ? other : own)[pathKind]
  for (const { in: at, name, required } of route.operation.parameters ?? []) {
    const needed = at === 'query' && required === true ? neededValues[name] : undefined
    if (needed !== undefined) query.set(name, needed)
  }
  for (const name of neededFor(route, position)) query.set(name, own[byName[name] as Kind])
  if (position.in === 'path') id = value
  else if (position.in === 'header') headers[position.name] = value
  else if (position.in === 'body' && body !== undefined) {
    if (position.name === 'courier_connection_ids') {
      delete body.courier_connection_id
      body.courier_connection_ids = [...new Set([own.connection, value])]
    } else body[position.name] = Array.isArray(body[position.name]) ? [value] : value
  } else query.set(position.name, value)
  const isOfVictim = position.in === 'path' || (position.in === 'header' && pathKind !== null)
  // What follows the id has no owner of its own.
  const address = route.path
    .replace(/\{\w+\}/, encodeURIComponent(id))
    .replace('{line}', '1')
    .replace('{guide_number}', encodeURIComponent(other.guide))
  const search = query.size === 0 ? '' : `?${query}`
  const path = address + search
  const { method, operation } = route
  return { reach, operation, method, position, value, isOfVictim, path, headers, body }
}

/** The other parameters that a query needs to reach this position. */
function neededFor({ operation }: Route, { name }: Position): readonly string[] {
  const required = (operation.parameters ?? []).filter(
    (one) => one.in === 'query' && one.required === true && byName[one.name] !== undefined,
  )
  // A list by key needs its workspace.
  return [
    ...required.map((one) => one.name),
    ...(name === 'idempotency_key' ? ['workspace_id'] : []),
  ]
}

function valuesFor(
  reach: Reach,
  { in: at, kind }: Position,
): readonly (readonly [Ask['kind'], string])[] {
  if (at === 'cursor') return reach.cursors.map((cursor) => ['cursor', cursor] as const)
  const wanted = at === 'header' ? kinds.filter((each) => each === kind) : kinds
  return reach.victims.flatMap((world) => wanted.map((each) => [each, world[each]] as const))
}

/** Every operation, every position in it, and every resource of the victims, for one caller. */
export function asksOf(reach: Reach): readonly Ask[] {
  return routes.flatMap((route) =>
    positionsOf(route).flatMap((position) =>
      valuesFor(reach, position).map(([kind, value]): Ask => {
        // A value of another kind may be too short or too long for the position; ids all have the
        // same form.
        const isAlike = kind === position.kind || nobody[kind as Kind]?.endsWith(noValue)
        const never =
          kind !== 'cursor' && isAlike
            ? { ...askOf(reach, route, position, neverOf(kind, position)), kind, never: null }
            : null
        return { ...askOf(reach, route, position, value), kind, never }
      }),
    ),
  )
}

/** A key that was used before replays its first answer. */
function neverOf(kind: Kind, position: Position): string {
  return position.in === 'header' && kind === 'key' ? freshKey() : nobody[kind]
}
