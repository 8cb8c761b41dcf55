import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { noLives, type Played, play, type Sum, withLife } from '../simulation/play.ts'
import { seedOf } from '../support/random.ts'
import { say } from '../support/say.ts'

// Simulates whole lives of a service, each from a seed: `npm run prove:simulation [runs]`. A
// violation is printed with its seed, and `SIMULATION_SEED=<seed> npm run prove:simulation 1`
// repeats it.

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
  const done = { runs: 0, violations: 0 }
  let sum: Sum = noLives
  const beganAt = performance.now()
  const perSecond = () => ((1_000 * done.runs) / (performance.now() - beganAt)).toFixed(1)
  const count = (played: Played) => {
    for (const violation of played.violations) say(`SIMULATION_SEED=${played.seed}: ${violation}`)
    done.runs += 1
    done.violations += played.violations.length
    sum = withLife(sum, played)
    if (done.runs % tellEvery === 0) say(`  ${done.runs} of ${runs} seeds, ${perSecond()}/s`)
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
  const figures = Object.entries({ ...done, ...sum }).map(([name, value]) => `${value} ${name}`)
  say(`${figures.join(', ')}; ${perSecond()} seeds/s`)
  if (done.violations > 0 || done.runs !== runs) process.exitCode = 1
}
