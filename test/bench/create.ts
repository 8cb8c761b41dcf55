import { load, loadedService, sayRate } from '../support/load.ts'

// Creations a second over HTTP, durable to the answer: the embedded service as a newcomer starts it,
// in a process of its own, its simulated courier included. `npm run bench -- create`

const connections = Number(process.argv[2] ?? 50)
const seconds = Number(process.argv[3] ?? 10)
const rounds = 3

const service = await loadedService()
try {
  const ratios: number[] = []
  for (let number = 0; number < rounds; number++) {
    const rate = async (what: string, path: '/v1/key' | '/v1/shipments') => {
      const latencies = await load(service, path, number, { connections, seconds })
      return sayRate(`round ${number + 1}: ${what}`, latencies, seconds)
    }
    const key = await rate('GET /v1/key', '/v1/key')
    ratios.push((await rate('POST /v1/shipments', '/v1/shipments')) / key)
  }
  process.stdout.write(
    `creations / reads of /v1/key, per round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`,
  )
} finally {
  await service.stop()
}
