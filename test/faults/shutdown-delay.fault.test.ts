import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Answer } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { fleet, type ServiceProcess } from '../support/processes.ts'

const all = await fleet(t)

type Kept = { readonly status: number | undefined; readonly body: string; readonly reused: boolean }

async function over(agent: Agent | false, url: string): Promise<Kept> {
  const request = get(url, { agent })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = await text(response)
  return { status: response.statusCode, body, reused: request.reusedSocket }
}

/**
 * Starts a creation that the courier answers after three seconds; resolves when the courier was
 * called.
 */
async function slowCreation(
  service: ServiceProcess,
  key: string,
): Promise<{ readonly answer: Promise<Answer> }> {
  const calls = () => all.record.callCount('createGuide')
  const before = calls()
  const answer = service.create(key, { scenario: 'slow_success' })
  await eventually(calls, (count) => count > before)
  return { answer }
}

t.test('for SHUTDOWN_DELAY everything is served and readyz says draining', async (t) => {
  const delayMs = 3_000
  const service = await all.start({ env: { SHUTDOWN_DELAY: '3s' } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(async () => agent.destroy())
  t.match(await over(agent, `${service.url}/readyz`), { status: 200 })
  const slow = await slowCreation(service, 'in-flight')
  const signalledAt = performance.now()
  service.signal('SIGTERM')
  const draining = await eventually(
    () => over(false, `${service.url}/readyz`),
    ({ status }) => status === 503,
  )
  t.match(JSON.parse(draining.body), { status: 'not_ready', checks: { server: 'draining' } })
  t.match(await over(agent, `${service.url}/healthz`), { status: 200, reused: true })

  const answered: number[] = []
  let refusedAfterMs = 0
  while (refusedAfterMs === 0) {
    try {
      answered.push((await service.create(`during-${answered.length}`)).status)
    } catch {
      refusedAfterMs = performance.now() - signalledAt
    }
  }
  t.ok(refusedAfterMs >= delayMs, `the first refusal came after ${refusedAfterMs} ms`)
  t.ok(answered.length > 0)
  t.ok(answered.every((status) => status === 201))
  t.equal((await slow.answer).status, 201)
  t.equal((await service.ended).code, 0)
})

t.test('without SHUTDOWN_DELAY the port closes, and what is in flight is answered', async (t) => {
  const service = await all.start()
  const slow = await slowCreation(service, 'in-flight-at-once')
  service.signal('SIGTERM')
  t.equal((await slow.answer).status, 201)
  await t.rejects(over(false, `${service.url}/readyz`), { code: 'ECONNREFUSED' })
  t.equal((await service.ended).code, 0)
})

t.test('a process without an API does not wait', async (t) => {
  const service = await all.start({ roles: 'worker', env: { SHUTDOWN_DELAY: '300s' } })
  service.signal('SIGTERM')
  t.equal((await service.ended).code, 0)
})
