import type { Seeded } from '../../src/banner.ts'
import {
  exampleConnectionRequest,
  exampleShipmentRequest,
  exampleWorkspaceRequest,
} from '../../src/http/examples.ts'
import { eventually } from './eventually.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  readonly body: any
}

export type CallOptions = {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type Creation = {
  readonly scenario?: string
  readonly body?: object
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A shop with one workspace and one connection, as it uses the API. */
export type ApiClient = {
  readonly url: string
  readonly seeded: Seeded
  /** A call over a real socket; the shop's key unless told otherwise. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** A valid creation, with what is to differ. */
  create(idempotencyKey: string, more?: Creation): Promise<Answer>
  /** The body that `create` sends. */
  bodyOf(reference: string): Record<string, unknown>
  /** The body of a valid request for a quote of what `create` sends, without a service. */
  quoteBody(): Record<string, unknown>
  /** Advances the workspace's clock and waits until it has arrived. */
  advance(by: string): Promise<Answer>
  /** The whole history of a shipment. */
  events(shipmentId: string): Promise<readonly LedgerEvent[]>
}

export type LedgerEvent = {
  readonly type: string
  readonly recorded_at: string
  readonly occurred_at: string
  readonly actor: { readonly type: string; readonly key_id: string | null }
  // biome-ignore lint/suspicious/noExplicitAny: checked field by field
  readonly data: any
}

/** Another advance of the workspace may be under way, and a long one goes on after its answer. */
const arriveWithinMs = 90_000

export function apiClient(url: string, seeded: Seeded): ApiClient {
  const call = (path: string, options: CallOptions = {}) =>
    callOf(url, seeded.shopKey, path, options)
  const { workspaceId } = seeded
  return {
    ...{ url, seeded, call },
    bodyOf: (reference) => exampleShipmentRequest(reference, seeded),
    quoteBody: () => exampleQuoteRequest(seeded),
    create: (idempotencyKey, more = {}) =>
      call('/v1/shipments', {
        body: { ...exampleShipmentRequest(idempotencyKey, seeded), ...more.body },
        headers: {
          'idempotency-key': idempotencyKey,
          ...(more.scenario === undefined ? {} : { 'sandbox-scenario': more.scenario }),
          ...more.headers,
        },
        ...(more.key === undefined ? {} : { key: more.key }),
      }),
    async advance(by) {
      const answer = await call('/v1/sandbox/clock/advance', {
        body: { workspace_id: workspaceId, by },
      })
      if (answer.status !== 202) return answer
      return await eventually(
        () => call(`/v1/sandbox/clock?workspace_id=${workspaceId}`),
        (clock) => clock.body.advancing_to === null,
        arriveWithinMs,
      )
    },
    async events(shipmentId) {
      const { body } = await call(`/v1/shipments/${shipmentId}/events?limit=100`)
      const all = [...body.data]
      for (let page = body; page.has_more; ) {
        const cursor = encodeURIComponent(page.next_cursor)
        page = (await call(`/v1/shipments/${shipmentId}/events?limit=100&cursor=${cursor}`)).body
        all.push(...page.data)
      }
      return all
    },
  }
}

async function callOf(
  url: string,
  shopKey: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const { method = options.body === undefined ? 'GET' : 'POST', key = shopKey } = options
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, body }
}

/** Another workspace of the same organization, with a connection of its own. */
export async function freshShop(shop: ApiClient, reference: string): Promise<ApiClient> {
  const workspace = await shop.call('/v1/workspaces', {
    body: { ...exampleWorkspaceRequest, external_reference: reference },
  })
  const connection = await shop.call('/v1/courier-connections', {
    body: exampleConnectionRequest(workspace.body.id),
  })
  if (connection.status !== 201)
    throw new Error(`no connection: ${JSON.stringify(connection.body)}`)
  const own = { workspaceId: workspace.body.id, connectionId: connection.body.id }
  return apiClient(shop.url, { ...shop.seeded, ...own })
}
