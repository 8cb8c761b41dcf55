import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Played, play } from '../simulation/play.ts'
import { seedOf } from '../support/random.ts'
import { say } from '../support/say.ts'

// Whole lives of a service, each from a seed: `npm run prove:simulation [runs]`. A violation is printed
// with its seed, and `SIMULATION_SEED=<seed> npm run prove:simulation 1` plays it again.

type Share = { readonly first: number; readonly runs: number }

const runs = Number(process.argv[2] ?? 10_000)
const tellEvery = 500

if (isMainThread) await playAll()
else await playShare(workerData as Share)

async function playShare({ first, runs }: Share): Promise<void> {
  for (let seed = first; seed < first + runs; seed++) parentPort?.postMessage(await play(seed))
}

async function playAll(): Promise<void> {
  const first = seedOf('SIMULATION_SEED')
  const threads = Math.min(availableParallelism(), runs)
  const each = Math.ceil(runs / threads)
  const counted = ['keys', 'crashes', 'guides', 'events', 'unknown', 'erased', 'parked'] as const
  const counts = { keys: 0, crashes: 0, guides: 0, events: 0, unknown: 0, erased: 0, parked: 0 }
  const sum = { runs: 0, violations: 0, ...counts }
  const beganAt = performance.now()
  const perSecond = () => ((1_000 * sum.runs) / (performance.now() - beganAt)).toFixed(1)
  const count = (played: Played) => {
    for (const violation of played.violations) say(`SIMULATION_SEED=${played.seed}: ${violation}`)
    sum.runs += 1
    sum.violations += played.violations.length
    for (const name of counted) sum[name] += played[name]
    if (sum.runs % tellEvery === 0) say(`  ${sum.runs} of ${runs} seeds, ${perSecond()}/s`)
  }
  say(`${runs} seeds from ${first}`)
  await Promise.all(
    Array.from({ length: threads }, (_, thread) => {
      const from = first + thread * each
      const share: Share = { first: from, runs: Math.min(each, first + runs - from) }
      const worker = new Worker(import.meta.filename, { workerData: share })
      worker.on('message', count)
      return new Promise<void>((resolve, reject) => {
        worker.on('error', reject)
        worker.on('exit', () => resolve())
      })
    }),
  )
  const told = Object.entries(sum).map(([name, value]) => `${value} ${name}`)
  say(`${told.join(', ')}; ${perSecond()} seeds/s`)
  if (sum.violations > 0 || sum.runs !== runs) process.exitCode = 1
}
