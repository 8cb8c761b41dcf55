import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { say } from '../support/say.ts'
import { untilClosed } from '../support/until-closed.ts'
import type { PageLoad } from './support/bench-pages.ts'
import { median, row } from './support/bench-rounds.ts'
import { type BenchService, benchService, type LoadResult } from './support/bench-service.ts'

// Measures recipients' pages at 200/s beside creations at 100/s, and what the pages cost the creations:
// rounds with and without them alternate. The pages are those of 500 parcels, in both languages, each
// opened from another network. `npm run bench -- recipient-page [seconds] [rounds]`

const name = 'recipient-page'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 6)
const parcels = 500
const creationsPerSecond = 100
const pagesPerSecond = 200

async function opened(load: PageLoad): Promise<LoadResult> {
  const file = join(import.meta.dirname, 'support', 'bench-pages.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = text(child.stdout)
  child.stdin.end(JSON.stringify(load))
  await once(child, 'exit')
  return JSON.parse(await said) as LoadResult
}

/** The addresses of this many new parcels' pages. */
async function pagesOf({ url, key, body }: BenchService, count: number): Promise<string[]> {
  const paths: string[] = []
  for (let number = 0; number < count; number++) {
    const answer = await fetch(`${url}/v1/shipments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `page-${number}`,
      },
      body,
    })
    const { tracking_url: link } = (await answer.json()) as { tracking_url: string }
    paths.push(new URL(link).pathname)
  }
  return paths
}

await untilClosed(async (closing) => {
  const environment = { TRUSTED_PROXIES: 'loopback' }
  const service = await benchService({ courier: 'instant', environment })
  closing.teardown(() => service.stop())
  const paths = await pagesOf(service, parcels)
  const created = () =>
    service.load({
      path: '/v1/shipments',
      seconds,
      perSecond: creationsPerSecond,
      connections: 16,
    })
  const pages = () => opened({ url: service.url, paths, seconds, perSecond: pagesPerSecond })
  await Promise.all([created(), pages()])
  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  const shown: LoadResult[] = []
  for (let round = 1; round <= rounds; round++) {
    const withPages = async () => {
      const [creations, opening] = await Promise.all([created(), pages()])
      beside.push(creations)
      shown.push(opening)
    }
    const withoutPages = async () => void alone.push(await created())
    const order = round % 2 === 0 ? [withPages, withoutPages] : [withoutPages, withPages]
    for (const measure of order) {
      await measure()
      await service.caughtUp()
    }
    const told = [
      ['creations alone', alone.at(-1)],
      ['beside pages', beside.at(-1)],
      ['pages', shown.at(-1)],
    ] as const
    const words = told.map(
      ([what, found]) =>
        `${what} p50 ${found?.p50Ms.toFixed(2)} ms, p99 ${found?.p99Ms.toFixed(2)} ms, ${found?.failed} failed`,
    )
    say(`  round ${round} of ${rounds}: ${words.join('; ')}`)
  }
  const medianOf = (all: readonly LoadResult[], of: (result: LoadResult) => number) =>
    median(all.map(of))
  const ratio = (of: (result: LoadResult) => number) =>
    median(beside.map((each, round) => of(each) / of(alone[round] as LoadResult)))
  const p50 = ({ p50Ms }: LoadResult) => p50Ms
  const p99 = ({ p99Ms }: LoadResult) => p99Ms
  row({ name, measured: 'page p50, ms', value: medianOf(shown, p50), target: null })
  row({ name, measured: 'page p99, ms', value: medianOf(shown, p99), target: { atMost: 20 } })
  row({
    name,
    measured: 'pages refused',
    value: shown.reduce((sum, { failed }) => sum + failed, 0),
    target: { atMost: 0 },
  })
  const target = { atMost: 1.1 }
  row({ name, measured: 'p50 of creations beside pages / alone', value: ratio(p50), target })
  row({ name, measured: 'p99 of creations beside pages / alone', value: ratio(p99), target })
})
