import { readFileSync } from 'node:fs'
import t from 'tap'
import type { CreateGuide, GuideCall } from '../../src/service/couriers/courier.ts'
import { deadlineIn } from '../../src/service/couriers/deadline.ts'
import { withSafeRetries } from '../../src/service/couriers/safe-retries.ts'
import { dayMs, hourMs, minuteMs } from '../../src/service/couriers/scenarios/courier-script.ts'
import {
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../src/service/couriers/scenarios/scenarios.ts'
import { tariffFor } from '../../src/simulator/tariffs.ts'
import {
  createCall,
  credentials,
  organizationId,
  type Played,
  payload,
  played,
  sandboxOf,
  startedAt,
} from '../couriers/support.ts'

const reference = createCall().clientReference
type Test = { teardown(end: () => Promise<void>): void }
const fresh = (test: Test) => played((end) => test.teardown(end))

function create(scenario: ScenarioName, more: Partial<CreateGuide> = {}): CreateGuide {
  return createCall({ sandbox: sandboxOf(scenario), ...more })
}

function find(scenario: ScenarioName, afterMs: number) {
  const sandbox = sandboxOf(scenario, afterMs)
  return { requestId: null, organizationId, credentials, sandbox, clientReference: reference }
}

async function numbersAt({ courier }: Played, scenario: ScenarioName, afterMs: number) {
  const found = await courier.findGuides(find(scenario, afterMs))
  return found.kind === 'found' ? found.guides.map(({ guideNumber }) => guideNumber) : found.kind
}

/** Creates the guide of a scenario that answers with it, and returns the call to continue with. */
async function created({ courier }: Played, scenario: ScenarioName) {
  const answer = await courier.createGuide(create(scenario))
  if (answer.kind !== 'created') throw new Error(`it answered ${answer.kind}`)
  const { guideNumber } = answer.guide
  return (afterMs: number): GuideCall => ({ ...find(scenario, afterMs), guideNumber })
}

async function codesAt({ courier }: Played, call: GuideCall) {
  const answer = await courier.track(call)
  return answer.kind === 'tracked' ? answer.events.map(({ code }) => code) : answer.kind
}

t.test('happy_path creates a guide that is found, labelled and collected', async (t) => {
  const played = await fresh(t)
  const call = await created(played, 'happy_path')
  t.strictSame(await numbersAt(played, 'happy_path', 0), [call(0).guideNumber])
  t.match(await played.courier.label({ ...call(0), size: 'a6' }), { kind: 'label' })
  const upTo: [number, number][] = [
    [0, 1],
    [2 * hourMs - 1, 1],
    [2 * hourMs, 2],
    [6 * hourMs, 3],
    [20 * hourMs, 4],
    [21 * hourMs, 5],
    [30 * hourMs, 6],
    [60 * dayMs, 6],
  ]
  const all = await codesAt(played, call(30 * hourMs))
  t.strictSame(all, [
    'registered',
    'received_at_origin',
    'in_transit',
    'arrived_at_destination',
    'ready_for_pickup',
    'collected',
  ])
  for (const [afterMs, count] of upTo) {
    t.strictSame(await codesAt(played, call(afterMs)), all.slice(0, count), `at ${afterMs}`)
  }
})

t.test('slow_success makes the guide at once and answers three seconds later', async (t) => {
  const { courier, record } = await fresh(t)
  const before = Date.now()
  const answer = courier.createGuide(create('slow_success'))
  while (record.guidesOf(reference).length === 0 && Date.now() - before < 2_000) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  t.ok(Date.now() - before < 2_000, 'the guide is there before the answer')
  t.match(await answer, { kind: 'created' })
  t.ok(Date.now() - before >= 2_990)
})

t.test('courier_rejected refuses with HTTP 200 and creates nothing', async (t) => {
  const { courier, record } = await fresh(t)
  const answer = await courier.createGuide(create('courier_rejected'))
  t.match(answer, { kind: 'rejected', code: 'destination_suspended', text: /Destino/ })
  t.equal(record.guideCount(), 0)
})

t.test('credentials_invalid refuses the first credentials and accepts others', async (t) => {
  const { courier, record } = await fresh(t)
  const other = { username: 'shop', password: 'replaced' }
  const createWith = (more: Partial<CreateGuide> = {}) =>
    courier.createGuide(create('credentials_invalid', more))
  t.strictSame(await createWith(), { kind: 'unauthorized' })
  t.strictSame(await createWith(), { kind: 'unauthorized' }, 'the same again')
  t.equal(record.guideCount(), 0)
  t.match(await createWith({ credentials: other }), { kind: 'created' })

  await t.test('credentials_invalid verifies a connection by its account', async (t) => {
    const verify = (account: string, own: typeof other) => {
      const sandbox = sandboxOf('credentials_invalid', 0, { account })
      return courier.verifyCredentials({
        requestId: null,
        organizationId,
        credentials: own,
        sandbox,
      })
    }
    t.strictSame(await verify('ccn_1', credentials), { kind: 'unauthorized' })
    t.strictSame(await verify('ccn_1', other), { kind: 'accepted' })
    t.strictSame(await verify('ccn_2', other), { kind: 'unauthorized' }, 'another connection')
    const sandbox = sandboxOf('credentials_invalid', 0, { account: 'ccn_1' })
    t.strictSame(
      await createWith({ sandbox, clientReference: 'other' }),
      { kind: 'unauthorized' },
      'a creation remembers what its connection was first seen with',
    )
  })
})

t.test('courier_throttled returns 429 twice, and safe retries then create the guide', async (t) => {
  const { courier, record } = await fresh(t)
  const waits: number[] = []
  const call = create('courier_throttled')
  const answer = await withSafeRetries(
    (answerByMs) => courier.createGuide({ ...call, answerByMs }),
    {
      sleep: async (ms) => waits.push(ms),
    },
  )
  t.match(answer, { kind: 'created' })
  t.strictSame(waits, [1_000, 1_000])
  t.strictSame(
    record.callsOf(reference).map(({ outcome }) => outcome),
    ['throttled', 'throttled', 'created'],
  )
})

t.test('courier_unreachable never reaches the courier on the first attempt', async (t) => {
  const { courier, record } = await fresh(t)
  const call = create('courier_unreachable')
  const answer = await withSafeRetries(() => courier.createGuide(call), { sleep: async () => {} })
  t.strictSame(answer, { kind: 'not_sent', cause: 'unreachable' })
  t.strictSame(record.callsOf(reference), [])
  const sandbox = sandboxOf('courier_unreachable', minuteMs, { attempt: 2 })
  t.match(await courier.createGuide({ ...call, sandbox }), { kind: 'created' })
  t.equal(record.guidesOf(reference).length, 1)
})

t.test('lost_response_guide_created leaves a guide that the first look finds', async (t) => {
  const played = await fresh(t)
  const answer = await played.courier.createGuide(create('lost_response_guide_created'))
  t.strictSame(answer, { kind: 'unknown', cause: 'response_lost' })
  t.equal((await numbersAt(played, 'lost_response_guide_created', 2_000)).length, 1)
})

t.test('lost_response_nothing_created never creates a guide', async (t) => {
  const played = await fresh(t)
  const answer = await played.courier.createGuide(create('lost_response_nothing_created'))
  t.strictSame(answer, { kind: 'unknown', cause: 'response_lost' })
  t.strictSame(await numbersAt(played, 'lost_response_nothing_created', 0), [])
  t.strictSame(await numbersAt(played, 'lost_response_nothing_created', 60 * dayMs), [])
  t.equal(played.record.guideCount(), 0)
})

t.test('lost_response_late_guide shows its guide after 180 seconds', async (t) => {
  const played = await fresh(t)
  const answer = await played.courier.createGuide(create('lost_response_late_guide'))
  t.match(answer, { kind: 'unknown' })
  t.strictSame(await numbersAt(played, 'lost_response_late_guide', 179_999), [])
  t.equal((await numbersAt(played, 'lost_response_late_guide', 180_000)).length, 1)
})

t.test('lost_response_human_review fails every look for twenty hours', async (t) => {
  const played = await fresh(t)
  const scenario = 'lost_response_human_review'
  t.match(await played.courier.createGuide(create(scenario)), { kind: 'unknown' })
  for (const afterMs of [2_000, 8 * hourMs, 20 * hourMs - 1]) {
    const look = await played.courier.findGuides(find(scenario, afterMs))
    t.strictSame(look, { kind: 'unknown', cause: 'courier_error', statusCode: 500 })
  }
  t.equal((await numbersAt(played, scenario, 20 * hourMs)).length, 1)
})

t.test('duplicate_guides leaves two guides from one call', async (t) => {
  const played = await fresh(t)
  t.match(await played.courier.createGuide(create('duplicate_guides')), { kind: 'unknown' })
  const numbers = await numbersAt(played, 'duplicate_guides', 2_000)
  t.equal(new Set(numbers).size, 2)
  t.strictSame(played.record.doubled(), [{ clientReference: reference, guides: 2 }])
})

t.test('malformed_success cuts off a success response in the middle', async (t) => {
  const played = await fresh(t)
  const answer = await played.courier.createGuide(create('malformed_success'))
  t.strictSame(answer, { kind: 'unknown', cause: 'response_unreadable' })
  t.equal((await numbersAt(played, 'malformed_success', 2_000)).length, 1)
})

t.test('label_delayed has its label after ten minutes', async (t) => {
  const played = await fresh(t)
  const call = await created(played, 'label_delayed')
  const label = (afterMs: number) => played.courier.label({ ...call(afterMs), size: 'a6' })
  t.strictSame(await label(10 * minuteMs - 1), { kind: 'not_ready' })
  t.match(await label(10 * minuteMs), { kind: 'label' })
})

t.test('quote_partial raises the price after the first quote of a workspace', async (t) => {
  const { courier } = await fresh(t)
  const { origin, destination, package: parcel } = createCall()
  const quoted = async (workspaceReference: string) => {
    const sandbox = sandboxOf('quote_partial')
    const route = { origin, destination, package: parcel, service: null, sums: {} }
    const call = {
      requestId: null,
      organizationId,
      credentials,
      sandbox,
      workspaceReference,
      ...route,
    }
    const answer = await courier.quote(call)
    if (answer.kind !== 'quoted') throw new Error(`it answered ${answer.kind}`)
    t.strictSame(
      answer.errors.map((error) => error.service.mode),
      ['air'],
    )
    t.strictSame(
      answer.rates.map((rate) => rate.service),
      [payload.service],
    )
    return answer.rates[0]?.price ?? null
  }
  const old = await quoted('ws_1')
  const now = await quoted('ws_1')
  t.not(now?.amount, old?.amount)
  t.strictSame(await quoted('ws_1'), now)
  t.strictSame(await quoted('ws_2'), old, 'another workspace starts again')
  t.match(await courier.createGuide(create('quote_partial', { quotedAmount: old })), {
    kind: 'rejected',
    code: 'quote_price_changed',
    newPrice: now,
  })
  t.match(await courier.createGuide(create('quote_partial', { quotedAmount: now })), {
    kind: 'created',
    guide: { price: now },
  })
})

t.test(
  'cancel_response_lost cancels and loses the answer, but refuses after drop-off',
  async (t) => {
    const played = await fresh(t)
    const call = await created(played, 'cancel_response_lost')
    const cancel = (afterMs: number) =>
      played.courier.cancelGuide({ ...call(afterMs), notAfter: deadlineIn(20_000) })
    t.match(await cancel(2 * hourMs), { kind: 'rejected', code: 'not_cancellable' })
    t.strictSame(await cancel(hourMs), { kind: 'unknown', cause: 'response_lost' })
    t.strictSame(await numbersAt(played, 'cancel_response_lost', hourMs), [])
    t.strictSame(await codesAt(played, call(40 * hourMs)), ['registered', 'cancelled'])
  },
)

/** A ledger that lost the first attempt queries under the T of the next one. */
function findFirst(scenario: ScenarioName, afterMs: number, includeCancelled = true) {
  const attemptAt = new Date(startedAt.getTime() + afterMs)
  const sandbox = { ...sandboxOf(scenario, afterMs), attemptAt }
  return { ...find(scenario, afterMs), sandbox, includeCancelled }
}

t.test('a guide of every scenario is found by an attempt that does not know of it', async (t) => {
  for (const scenario of scenarioNames) {
    const { create: creation, looksFailUntilMs } = scenarios[scenario].script
    if (creation.guides === 0 || creation.refusal !== null) continue
    const { courier, record } = await fresh(t)
    const made = () => record.guidesOf(reference).map(({ guideNumber }) => guideNumber)
    const replaced = { username: 'shop', password: 'replaced' }
    const sandbox = sandboxOf(scenario, 0, { attempt: 2 })
    for (const own of [credentials, credentials, replaced]) {
      if (made().length > 0) continue
      await courier.createGuide(create(scenario, { sandbox, credentials: own }))
    }
    t.equal(made().length, creation.guides, `${scenario} has its guides`)
    const hiddenMs = Math.max(creation.shownAtMs, looksFailUntilMs)
    for (const afterMs of [hiddenMs, hiddenMs + dayMs, 60 * dayMs]) {
      const asked = { ...findFirst(scenario, afterMs), credentials: replaced }
      const found = await courier.findGuides(asked)
      const guides = made().map((guideNumber) => ({ guideNumber }))
      t.match(found, { kind: 'found', guides }, `${scenario} after ${afterMs} ms`)
    }
  }
})

t.test('a guide is found although the advance of the clock before it was lost', async (t) => {
  const played = await fresh(t)
  for (const scenario of ['happy_path', 'lost_response_late_guide'] as const) {
    const clientReference = `shp_${scenario}`
    await played.courier.createGuide(create(scenario, { clientReference }))
    const asked = { ...findFirst(scenario, -10 * dayMs), clientReference }
    t.match(await played.courier.findGuides(asked), { kind: 'found', guides: [{}] }, scenario)
  }
})

t.test('a late guide and a silent courier are hidden from a new attempt as well', async (t) => {
  const { courier } = await fresh(t)
  const [late, silent] = ['lost_response_late_guide', 'lost_response_human_review'] as const
  t.strictSame(
    await courier.findGuides(findFirst(silent, 0)),
    { kind: 'found', guides: [] },
    'before its guide exists, the courier can be asked',
  )
  await courier.createGuide(create(late))
  t.strictSame(await courier.findGuides(findFirst(late, 179_999)), { kind: 'found', guides: [] })
  await courier.createGuide(create(silent, { clientReference: 'shp_silent' }))
  const asked = { ...findFirst(silent, 20 * hourMs - 1), clientReference: 'shp_silent' }
  t.match(await courier.findGuides(asked), { kind: 'unknown', cause: 'courier_error' })
})

t.test('a guide is found after a restart and after its person was erased', async (t) => {
  const before = await fresh(t)
  const call = await created(before, 'happy_path')
  const { guideNumber } = call(0)
  t.equal(await before.courier.erase(reference), true)
  await before.simulator.close()
  const restarted = await before.restart()
  const guide = { guideNumber, pickupCode: null }
  t.match(await restarted.findGuides(findFirst('happy_path', 60 * dayMs)), {
    kind: 'found',
    guides: [guide],
  })
  await restarted.cancelGuide({ ...call(0), notAfter: deadlineIn(20_000) })
  t.match(await restarted.findGuides(findFirst('happy_path', 60 * dayMs)), {
    kind: 'found',
    guides: [{ ...guide, status: 'cancelled' }],
  })
  t.strictSame(await restarted.findGuides(findFirst('happy_path', 60 * dayMs, false)), {
    kind: 'found',
    guides: [],
  })
})

t.test('scenarios 16 to 18 report their tracking events in order', async (t) => {
  const stories: readonly (readonly [ScenarioName, number, readonly string[]])[] = [
    [
      'delivery_exception',
      54 * hourMs,
      ['arrived_at_destination', 'held', 'released', 'ready_for_pickup', 'collected'],
    ],
    [
      'not_collected_returned',
      18 * dayMs,
      ['ready_for_pickup', 'reminder_sent', 'last_notice', 'not_collected', 'returned'],
    ],
    ['lost_parcel', 13 * dayMs, ['in_transit', 'missing', 'lost', 'found', 'delivered']],
  ]
  for (const [scenario, afterMs, story] of stories) {
    const played = await fresh(t)
    const call = await created(played, scenario)
    const codes = await codesAt(played, call(afterMs))
    t.strictSame(codes.slice(-story.length), story, scenario)
    t.strictSame(await codesAt(played, call(afterMs - 1)), codes.slice(0, -1), scenario)
  }
})

t.test('noisy_tracking repeats, reorders, garbles and fails to return scans', async (t) => {
  const played = await fresh(t)
  const call = await created(played, 'noisy_tracking')
  for (const afterMs of [8 * hourMs, 14 * hourMs - 1]) {
    t.strictSame(await played.courier.track(call(afterMs)), {
      kind: 'unknown',
      cause: 'courier_error',
    })
  }
  const answer = await played.courier.track(call(31 * hourMs))
  if (answer.kind !== 'tracked') throw new Error(`it answered ${answer.kind}`)
  t.equal(answer.malformed, 1)
  t.ok(answer.events.some(({ code }) => code === 'sorted_on_belt'))
  const ids = answer.events.map(({ id }) => id)
  t.equal(ids.length - new Set(ids).size, 3, 'three scans are reported twice')
  const late = answer.events.find(({ code }) => code === 'received_at_origin')
  const collected = answer.events.find(({ code }) => code === 'collected')
  t.ok(Number(late?.occurredAt) > Number(collected?.occurredAt))
})

t.test(
  'the courier does not know idempotency keys: every executed call makes a guide',
  async (t) => {
    const played = await fresh(t)
    await created(played, 'happy_path')
    await created(played, 'happy_path')
    t.equal(played.record.guidesOf(reference).length, 2)
    t.equal(new Set(await numbersAt(played, 'happy_path', 0)).size, 2)
  },
)

t.test(
  'the simulated courier refuses a creation after not_after and does not execute it',
  async (t) => {
    const { record, simulator } = await fresh(t)
    // The adapter would not send it, so it is sent directly.
    const response = await fetch(`${simulator.url}/guides`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({
        credentials,
        client_reference: reference,
        not_after: new Date(Date.now() - 1).toISOString(),
        origin: { agency_code: 'A001' },
        destination: { agency_code: 'A004' },
        package: {
          product_code: 'box_xs',
          quantity: 1,
          weight_kg: 1,
          height_m: 0.1,
          length_m: 0.1,
          width_m: 0.1,
        },
        service: { mode: 'terrestrial', payer: 'sender' },
        declared_content: 'Books',
        recipient: { document_type: 'DNI', document: '1', first_name: 'A', last_name: 'B' },
        quoted_amount: null,
      }),
    })
    t.equal(response.status, 412)
    t.match(await response.json(), { success: false, executed: false, code: 'too_late' })
    t.equal(record.guideCount(), 0)
    t.strictSame(
      record.callsOf(reference).map(({ outcome }) => outcome),
      ['too_late'],
    )
  },
)

t.test('an unknown agency, product or service, or a too heavy parcel, is refused', async (t) => {
  const { courier } = await fresh(t)
  const parcel = createCall().package
  const rocket = 'rocket' as 'air'
  const refusals: readonly (readonly [Partial<CreateGuide>, string])[] = [
    [{ destination: { code: 'A001' } }, 'unknown_agency'],
    [{ destination: { code: 'Z999' } }, 'unknown_agency'],
    [{ origin: { code: 'A006' } }, 'unknown_agency'],
    [{ package: { ...parcel, productCode: 'crate' } }, 'unknown_package_product'],
    [{ package: { ...parcel, weightKg: 5.001 } }, 'package_exceeds_product'],
    [{ payload: { ...payload, service: { mode: rocket, payer: 'sender' } } }, 'unknown_service'],
  ]
  for (const [more, code] of refusals) {
    t.match(await courier.createGuide(create('happy_path', more)), { kind: 'rejected', code })
  }
})

t.test('the same reference and scenario give the same guide, events and label', async (t) => {
  const bytes = async () => {
    const played = await fresh(t)
    const call = await created(played, 'happy_path')
    const label = await played.courier.label({ ...call(0), size: 'a6' })
    const tracked = await played.courier.track(call(60 * dayMs))
    const found = await played.courier.findGuides(find('happy_path', 0))
    const pdf = label.kind === 'label' ? Buffer.from(label.pdf).toString('base64') : null
    return JSON.stringify({ found, tracked, pdf })
  }
  t.equal(await bytes(), await bytes())
})

t.test('the record holds no personal data in plaintext, and erasing removes it', async (t) => {
  const { courier, record, file } = await fresh(t)
  const canaries = [
    'CanaryFirst',
    'CanaryLast',
    'CanaryContent',
    '73519284',
    'canary-user',
    'canary-pass',
  ]
  const call = create('credentials_invalid', {
    payload: {
      ...payload,
      declared_content: 'CanaryContent',
      recipient: {
        document_type: 'DNI',
        document: '73519284',
        first_name: 'CanaryFirst',
        last_name: 'CanaryLast',
      },
    },
    credentials: { username: 'canary-user', password: 'canary-pass' },
  })
  t.strictSame(await courier.createGuide(call), { kind: 'unauthorized' })
  const answer = await courier.createGuide({ ...call, credentials })
  if (answer.kind !== 'created') throw new Error(`it answered ${answer.kind}`)
  const { guideNumber } = answer.guide
  t.match(record.personOf(reference, guideNumber), { firstName: 'CanaryFirst' })
  for (const name of [file, `${file}-wal`]) {
    const bytes = readFileSync(name).toString('latin1')
    t.ok(
      name.endsWith('-wal') === false || bytes.includes(guideNumber),
      'the file contains the record',
    )
    t.strictSame(
      canaries.filter((canary) => bytes.includes(canary)),
      [],
      'it contains no canary',
    )
  }
  t.equal(await courier.erase(reference), true)
  t.equal(record.personOf(reference, guideNumber), null)
  t.equal(record.guidesOf(reference).length, 1, 'the guide itself is still in the book')
  const label = await courier.label({
    ...find('happy_path', 0),
    credentials,
    guideNumber,
    size: 'a6',
  })
  t.match(label, { kind: 'rejected', code: 'personal_data_erased' })
})

t.test('a call without sandbox context plays the happy path in real time', async (t) => {
  const { courier } = await fresh(t)
  const answer = await courier.createGuide(createCall())
  if (answer.kind !== 'created') throw new Error(`it answered ${answer.kind}`)
  const { guideNumber } = answer.guide
  const call = {
    requestId: null,
    organizationId,
    credentials,
    sandbox: null,
    clientReference: reference,
    guideNumber,
  }
  const tracked = await courier.track(call)
  if (tracked.kind !== 'tracked') throw new Error(`it answered ${tracked.kind}`)
  t.strictSame(
    tracked.events.map(({ code }) => code),
    ['registered'],
  )
  t.ok(Math.abs(Number(tracked.events[0]?.occurredAt) - Date.now()) < 10_000)
})

t.test(
  'the table has nineteen scenarios, numbered in order, and the tariff has a price',
  async (t) => {
    t.equal(scenarioNames.length, 19)
    t.strictSame(
      scenarioNames.map((name) => scenarios[name].number),
      scenarioNames.map((_, i) => i + 1),
    )
    for (const name of scenarioNames) {
      const { steps, calls, summary, ends } = scenarios[name]
      t.ok(steps.length > 0 && calls.length > 0 && summary && ends, name)
    }
    const parcel = {
      product_code: 'box_xs',
      quantity: 2,
      weight_kg: 1.5,
      height_m: 0.1,
      length_m: 0.2,
      width_m: 0.15,
    }
    const { price } = tariffFor({ origin: 'A001', destination: 'A004' }, parcel, 'terrestrial')
    t.strictSame(price, { amount: 3720, currency: 'PEN' })
  },
)
