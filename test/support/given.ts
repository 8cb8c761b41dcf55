import type { Test } from 'tap'
import {
  type Decision,
  type Instant,
  isRefusal,
  type JsonObject,
} from '../../src/service/domain/decider.ts'
import { operationIdOf, shipmentIdOf, shipmentStream } from '../../src/service/domain/ids.ts'
import {
  evolve,
  initialState,
  operationsOf,
  type State,
} from '../../src/service/domain/shipment/shipment.ts'
import {
  type Command,
  decide,
  type RefusalReason,
} from '../../src/service/domain/shipment/shipment-decisions.ts'
import type {
  Decided,
  EventData,
  ShipmentEventType,
} from '../../src/service/domain/shipment/shipment-events.ts'
import { decodeEvent, encodeEvents } from '../../src/service/event-store/codec.ts'

/** T: the time at which the first attempt of the tests' shipment is requested. */
export const start: Instant = Date.UTC(2026, 2, 1, 12)
export const seconds = (count: number): number => count * 1_000
export const minutes = (count: number): number => seconds(60 * count)
export const hours = (count: number): number => minutes(60 * count)
export const days = (count: number): number => hours(24 * count)

const key = {
  organizationId: 'org_0000000000000000000001',
  workspaceId: 'ws_0000000000000000000001',
  livemode: false,
  idempotencyKey: 'order-1001',
}
export const shipmentId = shipmentIdOf(key)
export const operationId = operationIdOf(shipmentId, 1)
export const uuid = (value: number): string =>
  `00000000-0000-4000-8000-${String(value).padStart(12, '0')}`

export const request: EventData<'ShipmentRequested'> = {
  organization_id: key.organizationId,
  workspace_id: key.workspaceId,
  courier_connection_id: 'ccn_0000000000000000000001',
  provider_code: 'mock',
  livemode: key.livemode,
  external_reference: 'ORDER-1001',
  idempotency_key: key.idempotencyKey,
  origin: { agency_id: 'agy_0000000000000000000001' },
  destination: { agency_id: 'agy_0000000000000000000002' },
  package: {
    product_id: 'pkg_0000000000000000000001',
    quantity: 1,
    weight_kg: 0.8,
    height_m: 0.05,
    length_m: 0.2,
    width_m: 0.15,
  },
  service: { mode: 'terrestrial', payer: 'sender' },
  quote_id: null,
  sandbox_scenario: 'happy_path',
  vault_ref: uuid(1),
  fingerprint: { version: 1, open: 'a'.repeat(64), personal: 'b'.repeat(64) },
}

export const requestShipment: Command = {
  do: 'request_shipment',
  now: start,
  callDeadline: start + seconds(20),
  operationId,
  credentialsVersion: 1,
  request,
}

const seen = {
  events: new Set<string>(),
  refusals: new Set<string>(),
  /** `<status> <event type>` of every event about an attempt or a cancellation. */
  moves: new Set<string>(),
}

/** What the tests of a file produce from now on, so that its last test can find gaps. */
export function newlySeen(): typeof seen {
  for (const each of Object.values(seen)) each.clear()
  return seen
}

export type Given = {
  readonly state: State
  /** Every event, after a round trip through the codec. */
  readonly events: readonly Decided[]
  /** Decides and records the command at this time (default: that of the last event). */
  when(command: Command, recordedAt?: Instant): When
}

type When = {
  /**
   * Expects exactly these events in order, with at least these fields; no events means "already
   * so".
   */
  decides(...expected: readonly (readonly [ShipmentEventType, JsonObject?])[]): Given
  refused(reason: RefusalReason): Given
}

/** Starts with an empty history. */
export function given(t: Test): Given {
  return after(t, { state: initialState, events: [] }, start)
}

export type Past = { readonly state: State; readonly events: readonly Decided[] }

function after(t: Test, past: Past, recordedAt: Instant): Given {
  return {
    ...past,
    when(command, at = recordedAt) {
      const decision = decide(past.state, command)
      note(past.state, decision)
      return {
        decides(...expected) {
          if (isRefusal(decision)) throw new Error(`${command.do} was refused: ${decision.refused}`)
          const types = decision.map((event) => event.type)
          t.same(
            types,
            expected.map(([type]) => type),
            `${command.do} decides this`,
          )
          for (const [index, [type, data]] of expected.entries()) {
            t.hasStrict(decision[index]?.data, data ?? {}, `${type} says this`)
          }
          const now = record(past, decision, at)
          t.same(decide(now.state, command), [], `${command.do} again is already so`)
          return after(t, now, at)
        },
        refused(reason) {
          t.match(decision, { refused: reason }, `${command.do} is refused`)
          t.same(decide(past.state, command), decision, `${command.do} again is refused again`)
          return after(t, past, at)
        },
      }
    },
  }
}

const begins: ReadonlySet<string> = new Set(['GuideRequested', 'CancellationRequested'])

function statusesIn(state: State): ReadonlyMap<string, string> {
  const operations = state === null ? [] : operationsOf(state)
  return new Map(operations.map((each) => [each.operationId, each.state]))
}

function note(state: State, decision: Decision<Decided, RefusalReason>): void {
  if (isRefusal(decision)) {
    seen.refusals.add(decision.refused)
    return
  }
  let status = statusesIn(state)
  let now: Past = { state, events: [] }
  for (const event of decision) {
    seen.events.add(event.type)
    if ('operation_id' in event.data && !begins.has(event.type)) {
      seen.moves.add(`${status.get(event.data.operation_id)} ${event.type}`)
    }
    now = record(now, [event], now.state?.updatedAt ?? start)
    status = statusesIn(now.state)
  }
}

/** The history with these events added, each encoded and decoded as in a store. */
export function record(past: Past, decided: readonly Decided[], at: Instant): Past {
  let { state } = past
  const recordedAt = Math.max(at, state?.updatedAt ?? 0)
  const encoded = encodeEvents(decided, state?.version ?? 0, {
    organizationId: key.organizationId,
    workspaceId: key.workspaceId,
    shipmentId,
    livemode: key.livemode,
    actor: { type: 'system', keyId: null },
    requestId: null,
    causationId: null,
    correlationId: null,
    recordedAt,
  })
  const events = [...past.events]
  for (const event of encoded) {
    const revision = state?.version ?? 0
    const stored = { ...JSON.parse(JSON.stringify(event)), stream: shipmentStream(shipmentId) }
    const decoded = decodeEvent({ ...stored, revision, position: String(revision + 1) })
    state = evolve(state, decoded)
    const { type, data, occurredAt } = decoded
    events.push({ type, data, occurredAt } as Decided)
  }
  return { state, events }
}

/** The connection of the tests' shipment. */
export const connectionPlace = {
  connectionId: request.courier_connection_id,
  organizationId: request.organization_id,
  workspaceId: request.workspace_id,
}
