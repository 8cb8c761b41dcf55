import t, { type Test } from 'tap'
import { connector } from '../../src/service/couriers/connector.ts'
import { agencyCount, largeCourier } from '../support/large-courier.ts'
import { countWork, mostInOneTurn } from '../support/work-in-turns.ts'
import {
  aKey,
  anOrganization,
  aWorkspace,
  type Client,
  client,
  serverUnderTest,
} from './server-under-test.ts'

const providerCode = 'large'

/** A client of a connection whose courier has the most agencies, and the address of their list. */
async function withLargeCourier(t: Test): Promise<{ call: Client; url: string }> {
  const server = await serverUnderTest(t)
  const largest = await largeCourier()
  const courier = connector({ baseUrl: largest.url })
  server.live.set(providerCode, { displayName: 'Large', courier })
  t.teardown(async () => {
    await courier.close()
    await largest.close()
  })
  const { key } = await aKey(server, await anOrganization(server), { livemode: true })
  const call = client(server.app, key)
  const connection = await call('POST', '/v1/courier-connections', {
    workspace_id: await aWorkspace(call, 'shop'),
    provider_code: providerCode,
    display_name: 'Account',
    credentials: { username: 'shop', password: 'secret' },
  })
  return { call, url: `/v1/agencies?courier_connection_id=${connection.body.id}` }
}

const { call, url } = await withLargeCourier(t)

t.test('the longest list of agencies is indexed once, in slices', async (t) => {
  const work = countWork(t)
  const before = { ...work }
  const first = call('GET', `${url}&limit=1`)
  const most = await mostInOneTurn(work, first)
  t.equal((await first).body.data.length, 1)
  t.comment(JSON.stringify(most))
  t.ok(work.hashed - before.hashed >= agencyCount, 'each agency has an id')
  t.ok(most.hashed < agencyCount / 50, 'ids')
  t.ok(most.normalized < agencyCount / 10, 'texts')
  t.ok(most.parsed < 200_000, 'characters of JSON')

  const searches = ['', '&search=agencia', '&search=a%20b%20c%20d%20e%20f%20g%20h%20a%20b%20c%20d']
  const filters = ['&department=lima', '&capability=drop_off', '&province=Provincia%207']
  for (const asked of [...searches, ...filters]) {
    const { normalized, parsed } = work
    const page = await call('GET', `${url}&limit=2${asked}`)
    t.equal(page.body.data.length, 2, asked)
    const next = await call('GET', `${url}&limit=2${asked}&cursor=${page.body.next_cursor}`)
    t.equal(next.body.data.length, 2, asked)
    t.ok(work.normalized - normalized <= 12, `${asked}: only what is asked for is normalized`)
    t.ok(work.parsed - parsed < 100_000, `${asked}: nothing is read again`)
  }
})

t.test('a search has at most twelve words', async (t) => {
  const words = (count: number) => encodeURIComponent('a '.repeat(count))
  t.equal((await call('GET', `${url}&search=${words(12)}`)).status, 200)
  const refused = await call('GET', `${url}&search=${words(13)}`)
  t.match(refused, {
    status: 400,
    body: {
      reason: 'invalid_filter',
      errors: [{ pointer: '#/query/search', reason: 'too_many_words' }],
    },
  })
  const signs = encodeURIComponent('- . / '.repeat(13))
  t.equal((await call('GET', `${url}&search=${signs}`)).status, 200, 'punctuation is not a word')
})
