import { Agent, request } from 'undici'
import type { Ask } from '../prove/isolation/isolation-asks.ts'
import { reaches } from '../prove/isolation/isolation-worlds.ts'
import { type Pair, pairsOf } from '../prove/isolation/reach-pairs.ts'
import { say } from '../support/say.ts'
import { service } from '../support/service.ts'
import { onScratchServer } from '../support/until-closed.ts'

// Tests whether response time reveals that an id belongs to another organization instead of not
// existing: alternating pairs of both, for every id in every route. `npm run bench -- reach [pairs]
// [part of a route]`

const pairs = Number(process.argv[2] ?? 400)
const wanted = process.argv[3] ?? ''
const warmUps = 30

/** In 19 of 20 routes, chance alone leaves the count within this (two-sided sign test, 95 %). */
const apart = 1.96 * Math.sqrt(pairs / 4)
const band = [Math.ceil(pairs / 2 - apart), Math.floor(pairs / 2 + apart)] as const

const agent = new Agent({ connections: 1, pipelining: 1 })

async function msOf(url: string, { method, path, headers, body, reach }: Ask): Promise<number> {
  const startedAt = performance.now()
  const answer = await request(url + path, {
    dispatcher: agent,
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${reach.apiKey}`,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  await answer.body.arrayBuffer()
  return performance.now() - startedAt
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function measured(url: string, { foreign, never }: Pair) {
  const times = { foreign: [] as number[], never: [] as number[] }
  let slower = 0
  for (let n = -warmUps; n < pairs; n++) {
    const first = n % 2 === 0
    const one = await msOf(url, first ? foreign : never)
    const other = await msOf(url, first ? never : foreign)
    if (n < 0) continue
    const [foreignMs, neverMs] = first ? [one, other] : [other, one]
    times.foreign.push(foreignMs)
    times.never.push(neverMs)
    if (foreignMs > neverMs) slower += 1
  }
  return { foreign: median(times.foreign), never: median(times.never), slower }
}

await onScratchServer(async (test) => {
  const made = await service(test)
  const [foreign] = await reaches(made)
  if (foreign === undefined) throw new Error('nobody asks')
  await made.stop()
  // Nothing else runs in this process meanwhile.
  const { url } = await service(test, { after: made, roles: ['api'] })
  const all = pairsOf(foreign).filter(({ where }) => where.includes(wanted))
  let outside = 0
  for (const pair of all) {
    const { foreign, never, slower } = await measured(url, pair)
    const isOutside = slower < band[0] || slower > band[1]
    if (isOutside) outside += 1
    say(
      `${pair.where.padEnd(58)} foreign ${foreign.toFixed(2)} ms, never ${never.toFixed(2)} ms, foreign slower in ${slower}${isOutside ? ' !' : ''}`,
    )
  }
  say(
    `reach          ${outside} of ${all.length} places outside ${band.join('–')} of ${pairs}; ${Math.round(all.length / 20)} by chance`,
  )
})
await agent.close()
