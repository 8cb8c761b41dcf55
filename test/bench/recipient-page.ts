import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { say } from '../support/say.ts'
import { untilClosed } from '../support/until-closed.ts'
import type { PageLoad } from './support/bench-pages.ts'
import { median, row } from './support/bench-rounds.ts'
import { type BenchService, benchService, type LoadResult } from './support/bench-service.ts'
import { processorMs } from './support/processor-time.ts'

// Measures recipients' pages at 200/s beside creations at 100/s, and what the pages cost the creations:
// rounds with and without them alternate. The control is as many requests to a route that does nothing:
// no page can cost the creations less on this machine, which the load generators share. The pages are
// those of 500 parcels, in both languages, each opened from another network.
// `npm run bench -- recipient-page [seconds] [rounds]`

const name = 'recipient-page'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 6)
const parcels = 500
const creationsPerSecond = 100
const pagesPerSecond = 200
/** A route that does nothing. */
const control = '/healthz'
/** Longer than a load generator takes to start. */
const marginSeconds = 1

type Side = 'alone' | 'beside the control' | 'beside pages'
type Round = { readonly creations: LoadResult; readonly opening: LoadResult | null }

const p50 = ({ p50Ms }: LoadResult) => p50Ms
const p99 = ({ p99Ms }: LoadResult) => p99Ms

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
  const others = (of: readonly string[], forSeconds: number) =>
    opened({ url: service.url, paths: of, seconds: forSeconds, perSecond: pagesPerSecond })
  /** Other requests from before the creations until after them, so that no start is measured. */
  const besides = (of: readonly string[]) => async () => {
    const opening = others(of, seconds + 2 * marginSeconds)
    await delay(1_000 * marginSeconds)
    return { creations: await created(), opening: await opening }
  }
  const sides: Readonly<Record<Side, () => Promise<Round>>> = {
    alone: async () => ({ creations: await created(), opening: null }),
    'beside the control': besides([control]),
    'beside pages': besides(paths),
  }
  await sides['beside pages']()
  await service.caughtUp()
  for (const [what, of] of [
    ['a page', paths],
    ['a request to the control', [control]],
  ] as const) {
    const before = processorMs(service.pid)
    const { done } = await others(of, seconds)
    const value = (processorMs(service.pid) - before) / done
    row({ name, measured: `processor time of the service for ${what}, ms`, value, target: null })
  }
  const found: Record<Side, Round[]> = {
    alone: [],
    'beside the control': [],
    'beside pages': [],
  }
  for (let round = 1; round <= rounds; round++) {
    const order = Object.keys(sides) as Side[]
    for (const side of round % 2 === 0 ? order.reverse() : order) {
      const measured = await sides[side]()
      found[side].push(measured)
      say(`  round ${round} of ${rounds}: ${told(side, measured)}`)
      await service.caughtUp()
    }
  }
  reportLatencies(found)
})

function told(side: Side, { creations, opening }: Round): string {
  const figures = ({ p50Ms, p99Ms, failed }: LoadResult) =>
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${failed} failed`
  const theirs = opening === null ? '' : `; these ${figures(opening)}`
  return `creations ${side} ${figures(creations)}${theirs}`
}

function reportLatencies(found: Readonly<Record<Side, readonly Round[]>>): void {
  const shown = found['beside pages'].flatMap(({ opening }) => opening ?? [])
  row({ name, measured: 'page p50, ms', value: median(shown.map(p50)), target: null })
  row({ name, measured: 'page p99, ms', value: median(shown.map(p99)), target: { atMost: 20 } })
  const refused = shown.reduce((sum, { failed }) => sum + failed, 0)
  row({ name, measured: 'pages refused', value: refused, target: { atMost: 0 } })
  const ratio = (side: Side, base: Side, of: (result: LoadResult) => number) =>
    median(
      found[side].map(
        ({ creations }, round) => of(creations) / of((found[base][round] as Round).creations),
      ),
    )
  for (const [percentile, of] of [
    ['p50', p50],
    ['p99', p99],
  ] as const) {
    const compared = (side: Side, base: Side, target: { readonly atMost: number } | null) =>
      row({
        name,
        measured: `${percentile} of creations ${side} / ${base}`,
        value: ratio(side, base, of),
        target,
      })
    compared('beside pages', 'alone', { atMost: 1.1 })
    compared('beside the control', 'alone', null)
    compared('beside pages', 'beside the control', null)
  }
}
