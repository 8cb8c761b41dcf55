import t from 'tap'
import type { ScenarioCall } from '../../src/couriers/simulator/scenario-calls.ts'
import {
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../src/couriers/simulator/scenarios.ts'
import { type Answer, type ApiClient, freshShop } from '../support/api-client.ts'
import { service } from '../support/service.ts'

/** What cannot be played yet, and why; a name that can be played must not stand here. */
const notYet: Partial<Record<ScenarioName, string>> = {
  cancel_response_lost: 'POST /v1/shipments/{id}/cancel comes with the issue on the whole API',
}
const playable = scenarioNames.filter((name) => notYet[name] === undefined)
/** What a second play may differ by in time (sandbox design, "Deterministic"). */
const toleranceMs = 5_000

const shop = await service(t)

type Play = {
  readonly answer: Answer
  readonly shipment: Answer
  readonly operation: Answer | null
  readonly tracking: Answer
  readonly repeated: Answer
  readonly events: readonly { readonly type: string; readonly afterMs: number }[]
  readonly story: readonly string[]
}

/** The listed call with the reader's part filled in. */
function filled(call: ScenarioCall, values: Readonly<Record<string, string>>) {
  const text = JSON.stringify(call).replaceAll(/<([a-z_]+)>/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`nothing to fill in for <${name}>`)
    return value
  })
  return JSON.parse(text) as ScenarioCall
}

async function play(name: ScenarioName, round: number): Promise<Play> {
  const own = await freshShop(shop, `${name}-${round}`)
  const { seeded } = own
  const values: Record<string, string> = {
    workspace_id: seeded.workspaceId,
    courier_connection_id: seeded.connectionId,
    origin_agency_id: seeded.originId,
    destination_agency_id: seeded.destinationId,
    product_id: seeded.productId,
    external_reference: `order of ${name}`,
    idempotency_key: `key-of-${name}`,
  }
  let call: ScenarioCall | undefined
  let answer: Answer | undefined
  const make = async (listed: ScenarioCall) => {
    call = filled(listed, values)
    const { method, path, headers, body } = call
    return await own.call(path, { method, headers, ...(body === null ? {} : { body }) })
  }
  for (const listed of scenarios[name].calls) {
    answer = await make(listed)
    if (answer.body.object === 'courier_connection') {
      values.new_courier_connection_id = answer.body.id
    }
    if (answer.body.object === 'quote') values.quote_id = answer.body.id
  }
  if (answer === undefined) throw new Error(`${name} lists no call`)
  const { expected } = scenarios[name]
  if (expected.afterMs > 0) await own.advance(`PT${expected.afterMs / 1_000}S`)
  return { answer, ...(await ended(own, make, name, answer)) }
}

async function ended(
  own: ApiClient,
  make: (call: ScenarioCall) => Promise<Answer>,
  name: ScenarioName,
  answer: Answer,
): Promise<Omit<Play, 'answer'>> {
  const query = `workspace_id=${own.seeded.workspaceId}&idempotency_key=key-of-${name}`
  const { id } = (await own.call(`/v1/shipments?${query}`)).body.data[0]
  const shipment = await own.call(`/v1/shipments/${id}`)
  const operation =
    answer.body.operation_id === undefined
      ? null
      : await own.call(`/v1/operations/${answer.body.operation_id}`)
  const tracking = await own.call(`/v1/shipments/${id}/tracking`)
  const before = await own.events(id)
  const listed = scenarios[name].calls.at(-1)
  if (listed === undefined) throw new Error('no call')
  const repeated = await make(listed)
  const began = Date.parse(shipment.body.created_at)
  const events = before.map((event) => ({
    type: event.type,
    afterMs: Date.parse(event.recorded_at) - began,
  }))
  return { shipment, operation, tracking, repeated, events, story: storyOf(before) }
}

/** The history in words: what is the same in every play. */
function storyOf(events: Awaited<ReturnType<ApiClient['events']>>): readonly string[] {
  return events.map(({ type, data }) => {
    const codes =
      type === 'TrackingObserved' ? data.events.map((scan: { code: string }) => scan.code) : []
    const said = data.answer ?? data.state ?? data.reason ?? data.cause ?? data.because ?? ''
    return [type, said, ...codes].filter((word) => word !== '').join(' ')
  })
}

// All at once: what takes real time, such as the waits of slow_success, then takes it only once.
const plays = new Map(
  playable.map((name) => [name, Promise.all([play(name, 1), play(name, 2)])] as const),
)
for (const both of plays.values()) both.catch(() => undefined)

t.test('every scenario is played, or it is said why not', async (t) => {
  t.equal(playable.length + Object.keys(notYet).length, 19)
  for (const name of Object.keys(notYet)) {
    const [call] = scenarios[name as ScenarioName].calls.slice(-1)
    const path = call?.path.replaceAll(/<[a-z_]+>/g, 'shp_0000000000000000000000') ?? ''
    const answer = await shop.call(path, { body: {} })
    t.equal(answer.body.reason, 'not_found', `${name}: its route is not there yet`)
  }
})

for (const name of playable) {
  t.test(`scenario ${scenarios[name].number} ${name} ends as its table says, twice`, async (t) => {
    const { expected } = scenarios[name]
    const [first, second] = (await plays.get(name)) ?? []
    if (first === undefined || second === undefined) throw new Error('not played')
    for (const { answer, shipment, operation, tracking, repeated } of [first, second]) {
      t.equal(answer.status, expected.answer.status)
      t.equal(answer.body.reason ?? null, expected.answer.reason)
      t.equal(shipment.body.status, expected.shipment)
      t.equal(operation?.body.result ?? null, expected.operation)
      t.equal(tracking.body.status, expected.tracking)
      t.equal(repeated.status, expected.repeated.status)
      t.equal(repeated.body.reason ?? null, expected.repeated.reason)
    }
    t.strictSame(second.story, first.story, 'the same story')
    for (const [index, event] of first.events.entries()) {
      const other = second.events[index]
      const apartMs = Math.abs(event.afterMs - (other?.afterMs ?? Number.NaN))
      t.ok(apartMs <= toleranceMs, `${event.type} at +${event.afterMs} ms, ${apartMs} ms apart`)
    }
  })
}
