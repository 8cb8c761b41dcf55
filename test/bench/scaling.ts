import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alternating, median, row } from '../support/bench-rounds.ts'
import { type BenchService, type BenchShop, benchService } from '../support/bench-service.ts'
import { benchShops } from '../support/bench-shops.ts'
import { say } from '../support/say.ts'

// What a creation costs when it is one of many shops' instead of always the same shop's, and what more
// connections bring: creations/s with a courier that answers at once. The shops take turns, so that what
// a process remembers of one helps little. `npm run bench -- scaling [seconds] [rounds]`

const name = 'scaling'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
const organizations = 1_000
const workspaces = 10_000
const connections = [10, 50, 200, 800] as const
const path = '/v1/shipments'

const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-shops-'))

function fileOf(what: string, shops: readonly BenchShop[]): string {
  const file = join(directory, what)
  writeFileSync(file, JSON.stringify(shops))
  return file
}

async function spread(service: BenchService): Promise<void> {
  const perSecond = async (shopsFile: string | null) => {
    const made = await service.load({ path, shopsFile, seconds })
    await service.caughtUp()
    return made.perSecond
  }
  const manyWorkspaces = fileOf('workspaces', await benchShops(service, 1, workspaces))
  const manyOrganizations = fileOf('organizations', await benchShops(service, organizations, 1))
  const found = await alternating(rounds, {
    one: () => perSecond(null),
    workspaces: () => perSecond(manyWorkspaces),
    organizations: () => perSecond(manyOrganizations),
  })
  for (const [measured, value] of [
    ['creations/s of one workspace', found.one],
    [`over ${workspaces} workspaces / of one`, found.workspaces / found.one],
    [`over ${organizations} organizations / of one`, found.organizations / found.one],
  ] as const) {
    row({ name, measured, value, target: null })
  }
}

async function connected(service: BenchService): Promise<void> {
  const waits = new Map<number, number[]>(connections.map((count) => [count, []]))
  const found = await alternating(
    rounds,
    Object.fromEntries(
      connections.map((count) => [
        count,
        async () => {
          const made = await service.load({ path, connections: count, seconds })
          await service.caughtUp()
          say(`  ${count} connections: p50 ${made.p50Ms} ms, p99 ${made.p99Ms} ms`)
          waits.get(count)?.push(made.p99Ms)
          return made.perSecond
        },
      ]),
    ),
  )
  for (const count of connections) {
    const measured = `creations/s with ${count} connections`
    row({ name, measured, value: found[count] ?? Number.NaN, target: null })
    const p99Ms = median(waits.get(count) ?? [])
    row({ name, measured: `p99 ms with ${count} connections`, value: p99Ms, target: null })
  }
}

const service = await benchService({ courier: 'instant' })
try {
  await service.load({ path, seconds: 3 })
  await spread(service)
  await connected(service)
} finally {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
}
