import type { ScenarioName } from '../../../src/service/couriers/scenarios/scenarios.ts'
import { shipmentIdOf } from '../../../src/service/domain/ids.ts'
import { exampleConnectionRequest } from '../../../src/service/http/openapi/examples.ts'
import { type Answer, type ApiClient, apiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'

/** A shipment whose operation is stopped midway. */
export type Subject = {
  readonly key: string
  readonly scenario: ScenarioName
  readonly shipmentId: string
  /** The operation whose outcome is unknown before the case, if any. */
  readonly operationId: string | null
  /** A connection of its own, if the courier refuses its credentials. */
  readonly connectionId: string | null
}

type CrashName =
  | 'creation'
  | 'look'
  | 'cancellation'
  | 'reconciliation'
  | 'batch'
  | 'batch line'
  | 'comparison'

/** An operation of the service; each of its flushes and courier calls is a point to stop at. */
export type CrashOperation = {
  readonly name: CrashName
  /** A worker's own work, which no caller requests. */
  readonly isOfWorker?: true
  /** The scenarios, and how far the workspace's clock advances before the operation. */
  readonly outcomes: readonly { readonly scenario: ScenarioName; readonly afterwards?: string }[]
  /** Prepares what the operation needs, through a process that is never stopped. */
  readonly prepare: (shop: ApiClient, subject: Subject) => Promise<Subject>
  readonly perform: (shop: ApiClient, subject: Subject, person?: string) => Promise<Answer>
  /** What a shop must repair before the cases can end. */
  readonly mend?: (shop: ApiClient, subject: Subject) => Promise<unknown>
}

const created: CrashOperation['prepare'] = async (shop, subject) => {
  const { body } = await shop.create(subject.key, { scenario: subject.scenario })
  return { ...subject, operationId: body.operation_id ?? null }
}

/** A separate connection, because a parked one would stop all its shipments. */
const connected: CrashOperation['prepare'] = async (shop, subject) => {
  if (subject.scenario !== 'credentials_invalid') return subject
  const asked = exampleConnectionRequest(shop.seeded.workspaceId)
  const { id } = await shop.client.courierConnections.create(asked)
  return { ...subject, connectionId: id }
}

const replacement = { username: 'sandbox', password: 'the new one' }

const reconnected: CrashOperation['mend'] = async (shop, { connectionId }) => {
  if (connectionId === null) return
  const body = { credentials: replacement }
  await shop.call(`/v1/courier-connections/${connectionId}`, { method: 'PATCH', body })
}

const looked: CrashOperation['perform'] = (shop, { operationId }) => {
  const key = shop.seeded.operatorKey
  return shop.call(`/v1/operations/${operationId}/look`, { method: 'POST', key })
}

async function notAsked(): Promise<never> {
  throw new Error('bug: crash-work.ts plays it, and no request performs it')
}

const playedAsWork = { isOfWorker: true, prepare: notAsked, perform: notAsked } as const

export const crashOperations: readonly CrashOperation[] = [
  {
    name: 'creation',
    outcomes: [
      { scenario: 'happy_path' },
      { scenario: 'slow_success' },
      { scenario: 'courier_rejected' },
      { scenario: 'credentials_invalid' },
      { scenario: 'lost_response_guide_created' },
      { scenario: 'lost_response_nothing_created' },
      { scenario: 'courier_throttled' },
      { scenario: 'courier_unreachable' },
      { scenario: 'lost_response_late_guide' },
      { scenario: 'malformed_success' },
    ],
    prepare: connected,
    perform: (shop, { key, scenario, connectionId }, person) => {
      const own = connectionId === null ? {} : { courier_connection_id: connectionId }
      if (person === undefined) return shop.create(key, { scenario, body: own })
      const recipient = { ...(shop.bodyOf(key).recipient as object), first_name: person }
      return shop.create(key, { scenario, body: { ...own, recipient } })
    },
    mend: reconnected,
  },
  {
    name: 'look',
    outcomes: [
      { scenario: 'lost_response_guide_created' },
      { scenario: 'lost_response_nothing_created' },
      { scenario: 'lost_response_late_guide' },
      { scenario: 'lost_response_human_review' },
      { scenario: 'duplicate_guides' },
    ],
    prepare: created,
    perform: looked,
  },
  {
    name: 'cancellation',
    outcomes: [
      { scenario: 'happy_path' },
      { scenario: 'cancel_response_lost' },
      // After drop-off the courier refuses to cancel.
      { scenario: 'happy_path', afterwards: 'PT3H' },
    ],
    prepare: created,
    perform: (shop, { key, shipmentId }) => {
      const headers = { 'idempotency-key': `cancel-${key}` }
      return shop.call(`/v1/shipments/${shipmentId}/cancel`, { method: 'POST', headers })
    },
  },
  {
    // The same look, made by a worker with a claim; an operator's look races with it.
    name: 'reconciliation',
    isOfWorker: true,
    outcomes: [
      { scenario: 'lost_response_guide_created' },
      { scenario: 'lost_response_nothing_created' },
      { scenario: 'lost_response_human_review' },
      { scenario: 'duplicate_guides' },
    ],
    prepare: created,
    perform: looked,
  },
  {
    // Storing a batch of one line, which a worker then processes.
    name: 'batch',
    outcomes: [{ scenario: 'happy_path' }, { scenario: 'lost_response_guide_created' }],
    prepare: async (_, subject) => subject,
    perform: (shop, { key, scenario }) => {
      const metadata = { sandbox_scenario: scenario }
      const item = { ...shop.bodyOf(key), idempotency_key: key, metadata }
      return shop.call('/v1/batches', { body: { external_reference: key, items: [item] } })
    },
    mend: async (shop, { shipmentId }) => {
      await eventually(
        () => shop.call(`/v1/shipments/${shipmentId}`),
        ({ status, body }) => status === 200 && body.status !== 'creating',
      )
    },
  },
  {
    // A creation for a batch line; the shop's requests with the same key race with it.
    name: 'batch line',
    ...playedAsWork,
    outcomes: [
      { scenario: 'happy_path' },
      { scenario: 'courier_rejected' },
      { scenario: 'courier_throttled' },
      { scenario: 'lost_response_guide_created' },
      { scenario: 'lost_response_nothing_created' },
    ],
  },
  {
    // Comparing an invoice that bills an attempt which created nothing, so that the courier is
    // queried.
    name: 'comparison',
    ...playedAsWork,
    outcomes: [{ scenario: 'lost_response_nothing_created' }],
  },
]

/** The same shop, accessed through another process. */
export function shopAt(url: string, shop: ApiClient): ApiClient {
  return apiClient(url, shop.seeded)
}

export function subjectOf(shop: ApiClient, key: string, scenario: ScenarioName): Subject {
  const { organizationId, workspaceId } = shop.seeded
  const shipmentId = shipmentIdOf({
    organizationId,
    workspaceId,
    livemode: false,
    idempotencyKey: key,
  })
  return { key, scenario, shipmentId, operationId: null, connectionId: null }
}
