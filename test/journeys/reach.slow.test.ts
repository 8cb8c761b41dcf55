import t from 'tap'
import { apiOf } from '../../src/service/api.ts'
import { createServices } from '../../src/service/app.ts'
import type { App } from '../../src/service/http/api-services.ts'
import type { Ask } from '../prove/isolation/isolation-asks.ts'
import { reaches } from '../prove/isolation/isolation-worlds.ts'
import { pairsOf } from '../prove/isolation/reach-pairs.ts'
import { clocks } from '../support/clocks.ts'
import { noLogger, service } from '../support/service.ts'
import { countedWork } from './counted-work.ts'

// The time of an answer reveals its work, so an id of another organization must cost exactly as
// much as one that never existed.

const shop = await service(t)
/** Keys of another organization, another workspace and the other mode. */
const callers = (await reaches(shop)).filter(({ name }) => /^(foreign|sibling|mode)$/.test(name))
const { database, ledger, secrets, simulator, checkpointDir, seeded } = shop
const opened = createServices({
  ...ledger,
  databaseUrl: database.url,
  secrets,
  checkpointDir,
  simulatorUrl: simulator.url,
  allowPrivate: true,
  log: noLogger(),
})
const { parts, during } = countedWork(opened)
await parts.registered.refresh()
const { app, keys } = apiOf(parts, noLogger())
await app.ready()
t.teardown(async () => {
  await app.close()
  await keys.close()
  await parts.close()
})

async function answer(to: App, { method, path, headers, body }: Ask, key: string) {
  const reply = await to.inject({
    method: method as 'GET',
    url: path,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: reply.statusCode, text: reply.body }
}

const pairs = callers.flatMap(pairsOf)
/** The owner reads everything first, so that a cache shared by all callers would be noticed. */
for (const { foreign: ask } of pairs) {
  if (ask.method === 'GET') await answer(app, ask, seeded.shopKey)
}
const quoted = await app.inject({
  method: 'POST',
  url: '/v1/quotes',
  headers: { authorization: `Bearer ${seeded.shopKey}` },
  payload: shop.quoteBody(),
})

const refusedToOwner: Readonly<Record<string, number>> = {
  // An invoice without a disputed line has no claim.
  getCourierInvoiceClaim: 400,
  // No look has found a guide for the operation.
  listOperationGuideScans: 404,
}

t.test('the owner can read everything that other callers ask for', async (t) => {
  t.equal(quoted.statusCode, 201)
  // An Idempotency-Key is looked up in the caller's own workspace. All operators of the own
  // organization are in scope, so another organization's are requested.
  const isOwn = (kind: string) => kind !== 'key' && kind !== 'operator'
  const shown = pairs.filter(({ foreign: { method, kind } }) => method === 'GET' && isOwn(kind))
  for (const { where, foreign: ask } of shown) {
    const [operation] = Object.keys(refusedToOwner).filter((name) => where.includes(name))
    const status = operation === undefined ? 200 : refusedToOwner[operation]
    t.equal((await answer(app, ask, seeded.shopKey)).status, status, where)
  }
  t.ok(shown.length > 20)
})

t.test("another organization's id takes the same work as one that never existed", async (t) => {
  const kinds = new Set(pairs.map(({ foreign: { kind } }) => kind))
  t.equal(callers.length, 3)
  t.ok(pairs.length > 150)
  clocks(t).hold()
  t.ok(kinds.size > 8, [...kinds].join(', '))
  for (const { where: place, foreign: ask, never } of pairs) {
    const { apiKey, name } = ask.reach
    const where = `${name}: ${place}`
    // The first request of each fills the caches and is not compared.
    await answer(app, never, apiKey)
    await answer(app, ask, apiKey)
    const answers = { foreign: {}, never: {} }
    const work = {
      foreign: await during(async () => {
        answers.foreign = await answer(app, ask, apiKey)
      }),
      never: await during(async () => {
        answers.never = await answer(app, never, apiKey)
      }),
    }
    t.strictSame(answers.foreign, answers.never, where)
    t.strictSame(work.foreign, work.never, where)
  }
})
