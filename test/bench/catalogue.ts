import { createServices } from '../../src/service/app.ts'
import { byCli } from '../../src/service/cli/acting.ts'
import { readConfig } from '../../src/service/config.ts'
import { runningDatabase } from '../../src/service/open-database.ts'
import { registerCourier } from '../../src/service/processes/connections/registered-couriers.ts'
import { createApiKey, defaultScopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { eventually } from '../support/eventually.ts'
import { agencyCount, largeCourier } from '../support/large-courier.ts'
import { say } from '../support/say.ts'
import { noLogger } from '../support/service.ts'
import { alternating, row } from './support/bench-rounds.ts'
import { type BenchService, benchService, generateLoad } from './support/bench-service.ts'
import { measureNeighbours } from './support/neighbours.ts'

// Measures how long a request within a list of 20,000 agencies blocks the event loop, and the
// latency of another organization's creations beside eight connections that request such lists ten
// times a second. `npm run bench -- catalogue [seconds] [rounds]`

const name = 'catalogue'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
const creations = { path: '/v1/shipments', perSecond: 20, seconds }
const asks = { connections: 8, perSecond: 10, seconds: seconds + 2 }
const holdMax = { atMost: 20 }
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Shop = {
  readonly key: string
  /** Lists of agencies, each from a different courier. */
  readonly paths: readonly string[]
}

async function call(url: string, key: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}

async function made(url: string, key: string, body: object): Promise<string> {
  const answer = await eventually(
    () => call(url, key, body),
    ({ status }) => status === 201,
  )
  return ((await answer.json()) as { readonly id: string }).id
}

/** A shop in live mode with connections to this many couriers, each with the longest list. */
async function shopOf(service: BenchService, courierUrl: string, couriers: number): Promise<Shop> {
  const found = runningDatabase(service.dataDir, readConfig())
  if (found === undefined) throw new Error('the service is not running')
  const { url: databaseUrl, secrets } = found
  const parts = createServices({ databaseUrl, secrets, simulatorUrl: null, log: noLogger() })
  try {
    const { id } = await createOrganization(parts, { name: 'Shop', type: 'external' }, by)
    const order = {
      organizationId: id,
      workspaceId: null,
      livemode: true,
      expiresAt: null,
    } as const
    const { key } = await createApiKey(parts, { ...order, scopes: defaultScopes }, by)
    const reference = { name: 'Shop', external_reference: 'shop' }
    const workspace_id = await made(`${service.url}/v1/workspaces`, key, reference)
    const paths: string[] = []
    for (let number = 0; number < couriers; number++) {
      const provider_code = `large-${number}`
      const capabilities = {
        find: true,
        cancel: true,
        tracking: true,
        label: true,
        quote: true,
        invoices: false,
        cash_on_delivery: false,
        declared_value: false,
        recipient_phone: false,
      }
      const courier = { displayName: 'Large', baseUrl: courierUrl, token: null, capabilities }
      await registerCourier(
        parts,
        { providerCode: provider_code, ...courier },
        { replace: false, actor: byCli.actor },
      )
      const connection = { workspace_id, provider_code, display_name: 'Large' }
      const credentials = { username: 'shop', password: 'secret' }
      const connectionsUrl = `${service.url}/v1/courier-connections`
      const connectionId = await made(connectionsUrl, key, { ...connection, credentials })
      paths.push(`/v1/agencies?courier_connection_id=${connectionId}`)
    }
    return { key, paths }
  } finally {
    await parts.close()
  }
}

async function page(service: BenchService, key: string, path: string): Promise<string> {
  const answer = await call(service.url + path, key)
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`)
  const { next_cursor } = (await answer.json()) as { readonly next_cursor: string | null }
  return next_cursor === null ? '' : `&cursor=${next_cursor}`
}

/** The median over the rounds of the longest time that the event loop was blocked. */
async function holds(service: BenchService, { key, paths }: Shop): Promise<void> {
  const [list = ''] = paths
  const words = `&search=${encodeURIComponent('a b c d e f g h a b c d')}`
  let deep = ''
  const kinds = {
    nothing: async () => await page(service, key, '/v1/workspaces?limit=1'),
    'a first look, which fetches the list': async (round: number) =>
      await page(service, key, `${paths[round] ?? ''}&limit=1`),
    'a first page': async () => await page(service, key, `${list}&limit=1`),
    'a page deep in the list': async () => {
      deep = await page(service, key, `${list}&limit=100${deep}`)
    },
    'a search for one letter': async () => await page(service, key, `${list}&limit=100&search=a`),
    'a search for twelve words': async () => await page(service, key, `${list}&limit=100${words}`),
    'a search in a department': async () =>
      await page(service, key, `${list}&limit=100&search=a&department=lima`),
  }
  await page(service, key, `${list}&limit=1`)
  const held = async (ask: (round: number) => Promise<unknown>, round: number) => {
    await service.longestHoldMs()
    await ask(round)
    return await service.longestHoldMs()
  }
  const sides = Object.entries(kinds).map(([kind, ask]) => [
    kind,
    (round: number) => held(ask, round),
  ])
  const found = await alternating(rounds, Object.fromEntries(sides))
  for (const kind of Object.keys(kinds)) {
    const measured = `longest hold by ${kind}, ms`
    const target = kind === 'nothing' ? null : holdMax
    row({ name, measured, value: found[kind] ?? Number.NaN, target })
  }
}

const courier = await largeCourier()
const service = await benchService({ courier: 'instant' })
try {
  const shop = await shopOf(service, courier.url, rounds + 1)
  await service.load({ ...creations, seconds: 3 })
  say(`  ${agencyCount} agencies`)
  await holds(service, shop)
  const path = `${shop.paths[0]}&limit=1`
  await measureNeighbours({
    name,
    service,
    creations,
    rounds,
    work: () => generateLoad({ url: service.url, key: shop.key, path, body: null, ...asks }),
    what: `lists of ${agencyCount} agencies`,
  })
} finally {
  await service.stop()
  await courier.close()
}
