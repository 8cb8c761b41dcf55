import { createServices } from '../../src/service/app.ts'
import { readConfig } from '../../src/service/config.ts'
import { runningDatabase } from '../../src/service/open-database.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { type RatedShop, ratedShop } from '../support/rated-shop.ts'
import { noLogger } from '../support/service.ts'
import { alternating, median, row } from './support/bench-rounds.ts'
import { type BenchService, benchService, generateLoad } from './support/bench-service.ts'
import { measureNeighbours } from './support/neighbours.ts'

// Measures a quote over ten couriers, which answer after 100 to 400 ms, beside a quote of the slowest
// one alone, at the same rate; and another organization's creations beside such quotes.
// `npm run bench -- rates [seconds] [rounds]`

const name = 'rates'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
const count = 10
const creations = { path: '/v1/shipments', perSecond: 20, seconds }
const quotes = { path: '/v1/quotes', connections: 8, perSecond: 10 }
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

/** The couriers answer after 100, 133, … 400 ms. */
function delayOf(number: number): number {
  return 100 + (300 * number) / (count - 1)
}

async function shopOf(service: BenchService): Promise<RatedShop> {
  const found = runningDatabase(service.dataDir, readConfig())
  if (found === undefined) throw new Error('the service is not running')
  const { url: databaseUrl, secrets } = found
  const parts = createServices({ databaseUrl, secrets, simulatorUrl: null, log: noLogger() })
  try {
    const { id } = await createOrganization(parts, { name: 'Shop', type: 'external' }, by)
    const bare = {
      organizationId: id,
      shopKey: '',
      operatorId: '',
      operatorKey: '',
      workspaceId: '',
      connectionId: '',
      originId: '',
      destinationId: '',
      productId: '',
    }
    const shop = await ratedShop({ parts, url: service.url, seeded: bare }, { name, count })
    for (const [number, { courier }] of shop.connections.entries()) {
      courier.answerAfterMs = () => delayOf(number)
    }
    return shop
  } finally {
    await parts.close()
  }
}

function quoting(service: BenchService, shop: RatedShop, body: object, forSeconds: number) {
  const { url } = service
  const key = shop.seeded.shopKey
  return generateLoad({ url, key, body: JSON.stringify(body), ...quotes, seconds: forSeconds })
}

async function compared(service: BenchService, shop: RatedShop): Promise<void> {
  const slowest = shop.connections.slice(-1)
  const p99s: number[] = []
  const found = await alternating(rounds, {
    'slowest alone': async () =>
      (await quoting(service, shop, shop.ratesBody(slowest), seconds)).p50Ms,
    'all ten': async () => {
      const { p50Ms, p99Ms } = await quoting(service, shop, shop.ratesBody(), seconds)
      p99s.push(p99Ms)
      return p50Ms
    },
  })
  const rate = `${quotes.perSecond}/s`
  const alone = found['slowest alone']
  const all = found['all ten']
  row({ name, measured: `quote of the slowest, ${rate}, p50 ms`, value: alone, target: null })
  row({ name, measured: `quote over ten couriers, ${rate}, p50 ms`, value: all, target: null })
  const measured = `quote over ten couriers, ${rate}, p99 ms`
  row({ name, measured, value: median(p99s), target: null })
  row({
    name,
    measured: 'p50 of a quote over ten couriers / of the slowest',
    value: all / alone,
    target: { atMost: 1.2 },
  })
}

const service = await benchService({ courier: 'instant' })
try {
  const shop = await shopOf(service)
  try {
    await service.load({ ...creations, seconds: 3 })
    await quoting(service, shop, shop.ratesBody(), 3)
    await compared(service, shop)
    await measureNeighbours({
      name,
      service,
      creations,
      rounds,
      work: () => quoting(service, shop, shop.ratesBody(), seconds + 2),
      what: 'quotes over ten couriers',
    })
  } finally {
    await shop.close()
  }
} finally {
  await service.stop()
}
