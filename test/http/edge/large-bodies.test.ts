import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { BufferedBytes } from '../../../src/service/http/rules/bodies/buffered-bytes.ts'
import { createApiKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { type ApiClient, apiClient, freshShop } from '../../support/api-client.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const { port } = new URL(shop.url)
const ndjson = 'application/x-ndjson'
const mib = 1024 * 1024

/** A shop of another organization. */
async function stranger(name: string): Promise<ApiClient> {
  const { id } = await createOrganization(shop.parts, { name, type: 'external' }, byCli)
  const order = { organizationId: id, livemode: false, workspaceId: null, expiresAt: null, scopes }
  const { key: shopKey } = await createApiKey(shop.parts, order, byCli)
  return await freshShop(apiClient(shop.url, { ...shop.seeded, shopKey }), name)
}

/** Sends a batch of this many bytes and returns its status. */
async function sendBatch(own: ApiClient, reference: string, bytes: number): Promise<number> {
  const line = `${JSON.stringify(own.bodyOf(reference))}\n`
  // Only the first line is valid; the others are refused one by one.
  const other = `{"unknown":"${'x'.repeat(1_000)}"}\n`
  const body = line + other.repeat(Math.ceil(bytes / other.length))
  const answer = await fetch(`${shop.url}/v1/batches?external_reference=${reference}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.seeded.shopKey}`, 'content-type': ndjson },
    body,
  })
  return answer.status
}

type Begun = { readonly socket: Socket; readonly answer: Promise<string> }

/** Begins a request and sends a part of its body. */
async function begin(key: string, path: string, type: string, part: Buffer): Promise<Begun> {
  const socket = connect(Number(port), '127.0.0.1')
  t.teardown(async () => void socket.destroy())
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes('"request_id"')) resolve(text)
    })
    socket.on('error', (error) => resolve(String(error)))
  })
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${8 * mib}\r\n\r\n`,
  )
  await new Promise<void>((resolve) => socket.write(part, () => resolve()))
  return { socket, answer }
}

t.test('slow bodies delay neither other organizations nor their own', async (t) => {
  const own = await freshShop(shop, 'slow')
  const other = await stranger('patient')
  const one = Buffer.from('{')
  const key = own.seeded.shopKey
  const invoices = '/v1/courier-invoices?courier_connection_id=x&reference=x'
  const begun = await Promise.all([
    ...Array.from({ length: 6 }, () =>
      begin(key, '/v1/batches?external_reference=slow', ndjson, one),
    ),
    ...Array.from({ length: 4 }, () => begin(shop.seeded.operatorKey, invoices, 'text/csv', one)),
  ])
  t.equal(await sendBatch(other, 'sound', 72 * 1024), 202)
  t.equal(await sendBatch(own, 'sound', 72 * 1024), 202, 'their own organization')
  const csv = `guide_number,amount,currency\n${'G-1,100,PEN\n'.repeat(6_000)}`
  const invoice = await fetch(
    `${shop.url}/v1/courier-invoices?courier_connection_id=${other.seeded.connectionId}&reference=sound`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${other.seeded.shopKey}`, 'content-type': 'text/csv' },
      body: csv,
    },
  )
  t.equal(invoice.status, 202)
  for (const { socket } of begun) socket.destroy()
})

t.test(
  'large bodies that have arrived wait for their turn, and each organization has its own',
  async (t) => {
    const own = await freshShop(shop, 'eager')
    const other = await stranger('modest')
    const admin = new pg.Client({ connectionString: shop.database.adminUrl })
    await admin.connect()
    t.teardown(() => admin.end())
    // Those that are read cannot be stored until the lock is released.
    await admin.query('BEGIN; LOCK TABLE batches IN ACCESS EXCLUSIVE MODE')
    const eager = Array.from({ length: 6 }, (_, n) => sendBatch(own, `eager-${n}`, 72 * 1024))
    const modest = [1, 2].map((n) => sendBatch(other, `modest-${n}`, 72 * 1024))
    const waitForLock =
      "SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'batches'::regclass AND NOT granted"
    const waiting = async () => (await admin.query(waitForLock)).rows[0]?.n
    while ((await waiting()) < 4) await new Promise((resolve) => setImmediate(resolve))
    await admin.query('COMMIT')
    const statuses = await Promise.all([...eager, ...modest])
    t.strictSame([...new Set(statuses)], [202])
  },
)

t.test(
  'an organization holds so many bytes of unfinished bodies, and others have theirs',
  async (t) => {
    const own = await freshShop(shop, 'heavy')
    const other = await stranger('light')
    const part = Buffer.alloc(7 * mib, '\n')
    const begun = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        begin(own.seeded.shopKey, `/v1/batches?external_reference=${n}`, ndjson, part),
      ),
    )
    const refused = await Promise.race(begun.map(({ answer }) => answer))
    t.match(refused, /^HTTP\/1\.1 503 /)
    t.match(refused, '"reason":"overloaded"')
    t.match(refused, /retry-after: 1/i)
    t.equal(await sendBatch(other, 'light', 72 * 1024), 202)
    for (const { socket } of begun) socket.destroy()
  },
)

t.test('beyond the total limit, the newest body of the largest holder is dropped', async (t) => {
  const buffered = new BufferedBytes({ bytesMax: 100, ofOrganizationBytesMax: 60 })
  const refused: string[] = []
  const body = (organizationId: string, name: string) =>
    buffered.begin(organizationId, () => refused.push(name))
  const [a1, a2, b1] = [body('a', 'a1'), body('a', 'a2'), body('b', 'b1')]
  t.ok(a1.add(30))
  t.ok(a2.add(30))
  t.ok(b1.add(35))
  t.strictSame(refused, [])
  const c1 = body('c', 'c1')
  t.ok(c1.add(10))
  t.strictSame(refused, ['a2'], 'of the organization with most')
  t.notOk(a2.add(1), 'what still arrives of it is dropped')
  const a3 = body('a', 'a3')
  t.notOk(a3.add(31), 'more than one organization may hold')
  t.strictSame(refused, ['a2', 'a3'])
  a1.keep()
  b1.keep()
  t.notOk(c1.add(60), 'what is being read stays')
  t.strictSame(refused, ['a2', 'a3', 'c1'])
  for (const each of [a1, a2, a3, b1, b1, c1]) each.end()
  t.ok(body('d', 'd1').add(60), 'nothing is left over')
})
