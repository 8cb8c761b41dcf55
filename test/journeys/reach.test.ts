import t from 'tap'
import { apiOf } from '../../src/api.ts'
import { openParts } from '../../src/app.ts'
import type { App } from '../../src/http/deps.ts'
import type { Ask } from '../prove/isolation/isolation-asks.ts'
import { reaches } from '../prove/isolation/isolation-worlds.ts'
import { pairsOf } from '../prove/isolation/reach-pairs.ts'
import { clocks } from '../support/clocks.ts'
import { noLogger, service } from '../support/service.ts'
import { countedWork } from './counted-work.ts'

// An answer takes as long as its work: another's id must take no more and no less than one that never existed.

const shop = await service(t)
/** A stranger's key, one of another workspace and one of the other mode. */
const callers = (await reaches(shop)).filter(({ name }) => /^(foreign|sibling|mode)$/.test(name))
const { database, ledger, secrets, simulator, checkpointDir, seeded } = shop
const opened = openParts({
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
/** Its owner has used it here: what this process remembers of it is its owner's alone. */
for (const { foreign: ask } of pairs) {
  if (ask.method === 'GET') await answer(app, ask, seeded.shopKey)
}
const quoted = await app.inject({
  method: 'POST',
  url: '/v1/quotes',
  headers: { authorization: `Bearer ${seeded.shopKey}` },
  payload: shop.quoteBody(),
})

t.test('its owner finds what others ask for', async (t) => {
  t.equal(quoted.statusCode, 201)
  // A key is looked for in a workspace of the caller.
  const shown = pairs.filter(({ foreign: { method, kind } }) => method === 'GET' && kind !== 'key')
  for (const { where, foreign: ask } of shown) {
    t.equal((await answer(app, ask, seeded.shopKey)).status, 200, where)
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
    // The first request of each is not what is compared: it finds what every later one remembers.
    await answer(app, never, apiKey)
    await answer(app, ask, apiKey)
    const told = { foreign: {}, never: {} }
    const work = {
      foreign: await during(async () => {
        told.foreign = await answer(app, ask, apiKey)
      }),
      never: await during(async () => {
        told.never = await answer(app, never, apiKey)
      }),
    }
    t.strictSame(told.foreign, told.never, where)
    t.strictSame(work.foreign, work.never, where)
  }
})
