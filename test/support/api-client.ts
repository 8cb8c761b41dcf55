import { type Client, createClient } from '../../src/client/create-client.ts'
import { operations } from '../../src/client/generated/operations.ts'
import { ShippingLedgerError } from '../../src/client/shipping-ledger-error.ts'
import type { Seeded } from '../../src/service/banner.ts'
import {
  exampleConnectionRequest,
  exampleQuoteRequest,
  exampleShipmentRequest,
  exampleWorkspaceRequest,
} from '../../src/service/http/openapi/examples.ts'
import { requireDeclared } from './declared-answers.ts'
import { eventually } from './eventually.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  readonly body: any
}

/** A final answer, after which a shop stops retrying: neither lost nor retryable. */
export function isFinal({ status, body }: Answer): boolean {
  return status === 200 || status === 201 || (status < 500 && body.retryable === false)
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

/** A client of the API: a shop with one workspace and one connection. */
export type ApiClient = {
  readonly url: string
  readonly seeded: Seeded
  /** The typed client with the shop's key, as a shop uses it. */
  readonly client: Client
  /** A call over a real socket, with the shop's key by default. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** Creates a shipment from a valid body, with the given changes. */
  create(idempotencyKey: string, more?: Creation): Promise<Answer>
  /** The body that `create` sends. */
  bodyOf(reference: string): Record<string, unknown>
  /** A valid quote request for what `create` sends, without a service. */
  quoteBody(): Record<string, unknown>
  /** Advances the workspace's clock and waits until it has reached the target. */
  advance(by: string): Promise<Answer>
  /** All events of a shipment. */
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

/**
 * Another advance of the workspace may be in progress, and a long one continues after its answer.
 * When many run at once, each takes as long as all of them; most test files have less time than
 * this.
 */
const arriveWithinMs = 240_000

/** Makes every call through the typed client and returns the raw response. */
export function apiClient(url: string, seeded: Seeded): ApiClient {
  const call = (path: string, options: CallOptions = {}) =>
    callOf(url, seeded.shopKey, path, options)
  const { workspaceId } = seeded
  const client = createClient({ baseUrl: url, apiKey: seeded.shopKey })
  return {
    url,
    seeded,
    call,
    client,
    bodyOf: (reference) => exampleShipmentRequest(reference, seeded),
    quoteBody: () => exampleQuoteRequest(seeded),
    create: (idempotencyKey, more = {}) => {
      const { scenario } = more
      const body = { ...exampleShipmentRequest(idempotencyKey, seeded), ...more.body }
      const options = { idempotencyKey, ...(scenario === undefined ? {} : { scenario }) }
      return recorded(url, more.key ?? seeded.shopKey, more.headers, (own) =>
        own.shipments.create(body, options),
      )
    },
    async advance(by) {
      const answer = await recorded(url, seeded.shopKey, {}, (own) =>
        own.sandbox.advanceClock({ workspace_id: workspaceId, by }),
      )
      if (answer.status !== 202) return answer
      return await eventually(
        () => call(`/v1/sandbox/clock?workspace_id=${workspaceId}`),
        (clock) => clock.body.advancing_to === null,
        arriveWithinMs,
      )
    },
    async events(shipmentId) {
      const all: LedgerEvent[] = []
      const history = client.ledger.listShipmentEvents({ id: shipmentId, limit: 100 })
      for await (const event of history) all.push(event)
      return all
    },
  }
}

/** The response to one call of the typed client, whether it returns or throws; no retries. */
async function recorded(
  url: string,
  apiKey: string,
  headers: Readonly<Record<string, string>> | undefined,
  use: (client: Client) => Promise<unknown>,
): Promise<Answer> {
  const answers: Promise<Answer>[] = []
  const client = createClient({
    baseUrl: url,
    apiKey,
    retry: { requestsMax: 1 },
    async fetch(input, init) {
      const sent = { ...init, headers: { ...(init?.headers as object), ...headers } }
      const response = await fetch(input, sent)
      const path = String(input).slice(url.length)
      const answer = answerOf(init?.method ?? 'GET', path, response.clone())
      // It is awaited below, after the client has read the response.
      answer.catch(() => undefined)
      answers.push(answer)
      return response
    },
  })
  const failure = await use(client).then(
    () => null,
    (error: unknown) => error,
  )
  const [answer] = answers
  if (answer === undefined) throw failure instanceof ShippingLedgerError ? failure.cause : failure
  return await answer
}

async function callOf(
  url: string,
  shopKey: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const { method = options.body === undefined ? 'GET' : 'POST', key = shopKey } = options
  const known = method === 'GET' && options.headers === undefined ? clientCall(path) : null
  if (known !== null) return await recorded(url, key, {}, known)
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  return await answerOf(method, path, response)
}

/** The typed client's call for a path; null if it has no method for it. */
function clientCall(path: string): ((client: Client) => Promise<unknown>) | null {
  const { pathname, searchParams } = new URL(path, 'http://any')
  // Requests that the typed client cannot express are sent as raw requests.
  if (path.includes('%') || new Set(searchParams.keys()).size !== searchParams.size) return null
  for (const { method, path: template, resource, name } of Object.values(operations)) {
    const fits = new RegExp(`^${template.replace('{id}', '(?<id>[^/]+)')}$`).exec(pathname)
    if (method !== 'GET' || fits === null) continue
    const { id } = fits.groups ?? {}
    const input = {
      ...Object.fromEntries(searchParams),
      ...(id === undefined ? {} : { id: decodeURIComponent(id) }),
    }
    return (client) => {
      const methods = client[resource] as unknown as Record<
        string,
        (of: object) => Promise<unknown>
      >
      return methods[name]?.(input) ?? Promise.reject(new Error(`no method ${name}`))
    }
  }
  return null
}

async function answerOf(method: string, path: string, response: Response): Promise<Answer> {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const bytes = Buffer.from(await response.arrayBuffer())
  const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes
  const { status, headers } = response
  requireDeclared({ method, path, status, headers, body })
  return { status, headers, body }
}

/** Another workspace of the same organization, with its own connection. */
export async function freshShop(shop: ApiClient, reference: string): Promise<ApiClient> {
  const workspace = await shop.client.workspaces.create({
    ...exampleWorkspaceRequest,
    external_reference: reference,
  })
  const connection = await shop.client.courierConnections.create(
    exampleConnectionRequest(workspace.id),
  )
  const own = { workspaceId: workspace.id, connectionId: connection.id }
  return apiClient(shop.url, { ...shop.seeded, ...own })
}
