import { fleet, type ServiceProcess } from '../support/processes.ts'
import { say } from '../support/say.ts'
import { type Closing, untilClosed } from '../support/until-closed.ts'
import { median, row } from './support/bench-rounds.ts'
import { benchServer } from './support/bench-server.ts'

// Measures how long an advance of a sandbox clock takes in a workspace with many active shipments,
// compared with a single shipment, whose steps can only be performed one after the other. `npm run
// bench -- advance [shipments] [rounds]`

const name = 'advance'
const shipments = Number(process.argv[2] ?? 240)
const rounds = Number(process.argv[3] ?? 3)
const createdAtOnce = 8
const arrivalMaxMs = 900_000
const lookEveryMs = 20
/**
 * One after the other, the steps of all shipments would take as many times longer as there are
 * shipments.
 */
const gainMin = { atLeast: 10 }
const legs = { '8 hours': 'PT8H', 'two days more': 'P2D' } as const

async function createAll(shop: ServiceProcess, count: number): Promise<void> {
  const left = Array.from({ length: count }, (_, number) => `order-${number}`)
  const one = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const { status } = await shop.create(key)
      if (status !== 201) throw new Error(`${key} was answered with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: createdAtOnce }, one))
}

type Leg = { readonly seconds: number; readonly steps: number }

/** How long it takes until the clock has reached the target, and the steps made on the way. */
async function advanced(shop: ServiceProcess, by: string): Promise<Leg> {
  const began = performance.now()
  const { workspaceId } = shop.seeded
  const asked = await shop.call('/v1/sandbox/clock/advance', {
    body: { workspace_id: workspaceId, by },
  })
  let { body } = asked
  while (body.advancing_to !== null) {
    if (performance.now() - began > arrivalMaxMs)
      throw new Error('the clock did not reach its target')
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    body = (await shop.call(`/v1/sandbox/clock?workspace_id=${workspaceId}`)).body
  }
  return { seconds: (performance.now() - began) / 1_000, steps: body.advance.steps_done }
}

/** The legs in a new workspace with `count` shipments. */
async function played(closing: Closing, count: number): Promise<Readonly<Record<string, Leg>>> {
  const server = await benchServer()
  closing.teardown(() => server.stop())
  const all = await fleet(closing, { database: server })
  const shop = await all.start()
  await createAll(shop, count)
  // A first advance gets what only it waits for out of the way: attempts in flight, and
  // compilation.
  await advanced(shop, 'PT10M')
  const found: Record<string, Leg> = {}
  for (const [leg, by] of Object.entries(legs)) found[leg] = await advanced(shop, by)
  const told = Object.entries(found).map(
    ([leg, { seconds, steps }]) => `${leg} ${seconds.toFixed(2)} s, ${steps} steps`,
  )
  say(`  ${count} active: ${told.join('; ')}`)
  return found
}

const alone: Readonly<Record<string, Leg>>[] = []
const many: Readonly<Record<string, Leg>>[] = []
for (let round = 0; round < rounds; round++) {
  alone.push(await untilClosed((closing) => played(closing, 1)))
  many.push(await untilClosed((closing) => played(closing, shipments)))
}
for (const leg of Object.keys(legs)) {
  const one = median(alone.map((found) => found[leg]?.seconds ?? Number.NaN))
  const all = median(many.map((found) => found[leg]?.seconds ?? Number.NaN))
  const measured = `${leg}: ${shipments} one after the other, beside together`
  row({ name, measured, value: (one * shipments) / all, target: gainMin })
  const rates = many.map((found) => (found[leg]?.steps ?? Number.NaN) / (found[leg]?.seconds ?? 0))
  row({ name, measured: `${leg}: steps a second`, value: median(rates), target: null })
}
