import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { shipmentIdOf } from '../../../src/service/domain/ids.ts'
import type { Answer } from '../../support/api-client.ts'
import { crashableServer } from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'

const goneMs = 10_000
/** The pace of creations before, during and after the outage, with a burst at its start. */
const everyMs = 60
const crowdSize = 40
const duplicates = 10
const beforeMs = 1_500
/** How long after the recovery nothing may fail. */
const afterMs = 1_500
const scenarios = ['happy_path', 'slow_success', 'lost_response_guide_created'] as const

type CreateAnswer = { readonly key: string; readonly answer: Answer; readonly endedAt: number }

t.test('a ten-second database outage loses no shipment and makes no second guide', async (t) => {
  const database = await crashableServer(t)
  const shop = await service(t, { database })
  const idOf = (idempotencyKey: string) => {
    const { organizationId, workspaceId } = shop.seeded
    return shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
  }
  const createCalls = (key: string) =>
    shop.record.callsOf(idOf(key)).filter(({ route }) => route === 'createGuide').length
  t.equal((await shop.create('warm')).status, 201)

  const traffic: Promise<CreateAnswer>[] = []
  const scenarioOf = (index: number) => scenarios[index % scenarios.length] ?? 'happy_path'
  const scenarioByKey = new Map<string, string>()
  const send = (key: string, scenario: string) => {
    scenarioByKey.set(key, scenario)
    const call = shop.create(key, { scenario })
    traffic.push(call.then((answer) => ({ key, answer, endedAt: performance.now() })))
  }
  let isOver = false
  const shoppers = (async () => {
    for (let index = 0; !isOver; index++) {
      send(`order-${index}`, scenarioOf(index))
      await delay(everyMs)
    }
  })()
  await delay(beforeMs)
  send('waited-for', 'slow_success')
  await eventually(
    () => createCalls('waited-for'),
    (count) => count === 1,
  )
  const waiting = Array.from({ length: duplicates }, () =>
    shop.create('waited-for', { scenario: 'slow_success' }),
  )
  // Served after the duplicates, most of which are waiting by then.
  for (const key of ['then', 'and-then']) t.equal((await shop.create(key)).status, 201)
  for (let index = 0; index < crowdSize; index++) send(`crowd-${index}`, scenarioOf(index))
  await database.kill()
  await delay(goneMs)
  await database.restart()
  const backAt = performance.now()
  await eventually(
    () => shop.create('after'),
    ({ status }) => status === 201,
  )
  const recoveredAt = performance.now()
  await delay(afterMs)
  isOver = true
  await shoppers
  const answers = await Promise.all(traffic)
  t.comment(`back after ${Math.round(recoveredAt - backAt)} ms; ${tally(answers)}`)

  for (const { key, answer } of answers) {
    const { status, body, headers } = answer
    const said = `${key}: ${status} ${body.reason ?? ''} ${body.outcome ?? ''}`
    if (status === 503) {
      t.match(body, { outcome: 'not_executed', retryable: true }, said)
      t.ok(headers.has('retry-after'), said)
      t.equal(createCalls(key), 0, `${said}: nothing was sent`)
    } else if (status === 409) {
      t.match(body, { reason: 'unknown_outcome', outcome: 'unknown' }, said)
      t.equal(createCalls(key), 1, said)
    } else t.equal(status, 201, said)
  }
  for (const { status, body } of await Promise.all(waiting)) {
    const said = `a duplicate: ${status} ${body.reason} ${body.detail}`
    if (status === 409) t.match(body.reason, /^(idempotency_in_flight|unknown_outcome)$/, said)
    // From a duplicate that had not compared its body with the first one when the database went
    // away.
    else if (status === 503)
      t.match(body, { retryable: true, detail: /repeat with that key only/ }, said)
    else t.equal(status, 201, said)
  }
  t.ok(answers.some(({ answer }) => answer.status === 503))
  const late = answers.filter(
    ({ answer, endedAt }) => answer.status === 503 && endedAt > recoveredAt,
  )
  t.strictSame(late, [], 'nothing fails after the recovery')

  // Repeats every key: nothing is lost and nothing is created twice.
  const again = await Promise.all(
    answers.map(({ key }) =>
      eventually(
        () => shop.create(key, { scenario: scenarioByKey.get(key) ?? 'happy_path' }),
        ({ status }) => status === 201,
      ),
    ),
  )
  for (const [index, { key, answer }] of answers.entries()) {
    const number = again[index]?.body.guide_number
    const guides = shop.record.guidesOf(idOf(key)).map(({ guideNumber }) => guideNumber)
    t.strictSame(guides, [number], `${key} has one guide`)
    if (answer.status === 201) t.equal(number, answer.body.guide_number, key)
  }
  t.strictSame(shop.record.doubled(), [])
  const query = `workspace_id=${shop.seeded.workspaceId}&has_open_operation=true`
  await eventually(
    () => shop.call(`/v1/shipments?${query}`),
    ({ body }) => body.data.length === 0,
  )
})

function tally(answers: readonly CreateAnswer[]): string {
  const counts = Map.groupBy(
    answers,
    ({ answer }) => `${answer.status} ${answer.body.reason ?? ''}`,
  )
  return [...counts].map(([name, { length }]) => `${length} x ${name}`).join(', ')
}
