import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { connector } from '../../src/service/couriers/connector.ts'
import type { CourierExchange } from '../../src/service/couriers/courier.ts'
import { createCall } from './support.ts'

const credentials = {
  username: 'ana',
  branch: 'lima',
  password: 'p"ss',
  api_key: 'k-123',
  unknown: 'u-456',
}
const field = (name: string, secret: boolean) => ({ name, label: name, secret, required: true })
const fields = [
  field('username', false),
  field('branch', false),
  field('password', true),
  field('api_key', true),
]
/** Repeats each value by itself and in a longer text. */
const echoed = {
  success: false,
  code: 'not_accepted',
  values: Object.values(credentials),
  texts: Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, `before ${value} after`]),
  ),
}

/** A courier over a real socket that repeats the credentials in its refusal of a creation. */
const server = createServer(async (request, response) => {
  const isDescription = request.method === 'GET'
  if (!isDescription) await json(request)
  const capabilities = { find: true, cancel: true, tracking: true, label: true, quote: true }
  const description = { protocol: 'v1', name: 'Echo', capabilities, credential_fields: fields }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isDescription ? description : echoed))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => server.close())
const courier = connector({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
t.teardown(() => courier.close())

async function loggedAnswer(): Promise<typeof echoed> {
  let exchange: CourierExchange | null = null
  const onExchange = (each: CourierExchange) => {
    exchange = each
  }
  await courier.createGuide(createCall({ credentials, onExchange }))
  const { response } = exchange as unknown as CourierExchange
  return JSON.parse(String(response))
}

t.test(
  'every credential is a secret while it is not known what the courier asks for',
  async (t) => {
    const { values, texts } = await loggedAnswer()
    t.strictSame(new Set(values), new Set(['[removed]']))
    t.strictSame(new Set(Object.values(texts)), new Set(['before [removed] after']))
  },
)

t.test(
  'what the courier declares as no secret is removed only where it stands alone',
  async (t) => {
    await courier.describe()
    const answer = await loggedAnswer()
    t.strictSame(new Set(answer.values), new Set(['[removed]']))
    t.strictSame(answer.texts, {
      username: 'before ana after',
      branch: 'before lima after',
      password: 'before [removed] after',
      api_key: 'before [removed] after',
      unknown: 'before [removed] after',
    })
  },
)
