import t from 'tap'
import { everyNetworkMax } from '../../../src/service/http/recipient-page/recipient-page-routes.ts'
import { countedMax } from '../../../src/service/security/rate-limit.ts'
import { trackingTokens } from '../../../src/service/security/tracking-links/tracking-tokens.ts'
import { aKey, anOrganization, serverUnderTest } from '../server-under-test.ts'

const token = 'q'.repeat(46)
/** Requests under way. */
const atOnce = 200

t.test('a flood of one network is refused with a page, and costs nobody else', async (t) => {
  const server = await serverUnderTest(t, {
    rateClock: () => Date.UTC(2026, 2, 3, 12, 0, 30),
  })
  const { app } = server
  const { key } = await aKey(server, await anOrganization(server))
  const open = (remoteAddress: string) => app.inject({ url: `/t/${token}?lang=en`, remoteAddress })
  const statuses: number[] = []
  for (let at = 0; at < 320; at++) statuses.push((await open('192.0.2.1')).statusCode)
  t.same(statuses.lastIndexOf(404), 299, 'as many as one network may open in a minute')
  t.same(
    statuses.slice(300),
    Array.from({ length: 20 }, () => 429),
  )
  const refused = await open('192.0.2.1')
  t.equal(refused.headers['retry-after'], '30')
  t.equal(refused.headers['cache-control'], 'no-store')
  t.match(refused.body, '<h1>Too many requests</h1>')
  t.equal((await open('192.0.2.2')).statusCode, 404, 'another network is served')
  const authorization = `Bearer ${key}`
  const api = await app.inject({
    url: '/v1/key',
    headers: { authorization },
    remoteAddress: '192.0.2.1',
  })
  t.equal(api.statusCode, 200, 'and so is the API, from the same network')
})

t.test('all networks together have a limit, however many they are', async (t) => {
  const { app, deps } = await serverUnderTest(t, { rateClock: () => Date.UTC(2026, 2, 3, 12) })
  const open = async (network: number) => {
    const remoteAddress = `2001:db8:1:${network.toString(16)}::1`
    return (await app.inject({ url: `/t/${token}`, remoteAddress })).statusCode
  }
  const statuses = [await open(0)]
  const networks = countedMax + 2 * atOnce
  const others = everyNetworkMax - networks + atOnce
  for (let at = 1; at < others; at++) {
    deps.recipientPage?.rates.every.take('every network', everyNetworkMax)
  }
  for (let first = 1; first < networks; first += atOnce) {
    const some = Array.from({ length: atOnce }, (_, at) => open(first + at))
    statuses.push(...(await Promise.all(some)))
  }
  t.equal(statuses.lastIndexOf(404), everyNetworkMax - others, 'the last one of the minute')
  t.equal(statuses.at(-1), 429, 'though more networks came than are counted at once')
})

t.test('while the service cannot read, the page says so to a person', async (t) => {
  const { app, store, lines, pepper } = await serverUnderTest(t)
  const link = { shipmentId: `shp_${'q'.repeat(22)}`, number: 0 }
  const token = trackingTokens(pepper.current.key).of(link)
  await store.close()
  const answer = await app.inject({ url: `/t/${token}?lang=en` })
  t.equal(answer.statusCode, 503)
  t.match(answer.body, 'This page is not available now')
  t.equal((await app.inject({ url: `/t/${'q'.repeat(46)}` })).statusCode, 404, 'not looked up')
  t.ok(answer.headers['retry-after'])
  t.notMatch(lines.join(' '), token)
})
