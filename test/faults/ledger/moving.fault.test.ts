import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'
import { eventStoreUrl } from '../../eventstoredb-stand-in/event-store-url.ts'
import { eventually } from '../../support/eventually.ts'
import { type RunningProcess, runCommand, runProcess } from '../../support/run-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-moving-'))
const running = new Set<RunningProcess>()
t.teardown(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all([...running].map(({ ended }) => ended))
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
})
const url = await eventStoreUrl(t)
const namespace = `moved-${randomBytes(8).toString('hex')}`
const elsewhere = { EVENT_STORE_URL: url, EVENT_STORE_NAMESPACE: namespace }
const environment = {
  DATA_DIR: join(directory, 'data'),
  METRICS_PORT: '0',
  LOG_LEVEL: 'info',
  PORT: String(await freePort()),
  SIMULATOR_PORT: String(await freePort()),
}

/**
 * The service as `npm start` starts it: its own PostgreSQL, courier and keys, all in its folder.
 */
async function start(more: Record<string, string> = {}) {
  const process = runProcess('src/service/main.ts', { env: { ...environment, ...more } })
  running.add(process)
  process.ended.then(() => running.delete(process))
  await process.said(/is ready on /)
  return process
}

const ledger = (...words: string[]) => runCommand(environment, ...words)

t.test("a command moves a service's ledger to another store and back", async (t) => {
  const first = await start()
  const [, key] = await first.said(/shop +(svc_test_\w+)/)
  const [, line] = await first.said(/One key, one guide.*\n(curl .*)/)
  const body = String(/-d '([^']*)'/.exec(String(line))?.[1])
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const at = `http://127.0.0.1:${environment.PORT}/v1/shipments`
  const order = (reference: string) => ({
    method: 'POST',
    body,
    headers: { ...headers, 'idempotency-key': reference },
  })
  const create = async (reference: string) => {
    const answer = await fetch(at, order(reference))
    const made = (await answer.json()) as { readonly id: string }
    return { status: answer.status, id: made.id, again: answer.headers.get('idempotent-replayed') }
  }
  const listed = async () => {
    const page = (await (await fetch(at, { headers })).json()) as {
      readonly data: { id: string }[]
    }
    return page.data.map(({ id }) => id)
  }
  const one = await create('one')
  t.match(one, { status: 201, again: null })
  const there = ['--to', url, '--to-namespace', namespace]
  t.match(await ledger('copy', ...there), {
    code: 0,
    stdout: /\(0 were already there\)\. All \d+ are the same/,
  })
  t.match(await ledger('copy', ...there, '--switch'), {
    code: 2,
    stderr: /is using the data directory .*: stop it/,
  })
  const two = await create('two')
  const stop = async ({ child, ended }: RunningProcess) => {
    child.kill('SIGTERM')
    t.equal((await ended).code, 0)
  }
  await stop(first)

  t.match(await ledger('copy', ...there, '--switch', '--progress'), {
    code: 0,
    stdout: /now belongs to the ledger in EventStoreDB \(namespace moved-\w+\)/,
  })
  const strayed = runProcess('src/service/main.ts', { env: environment })
  t.match(await strayed.ended, { code: 1, stderr: /belongs to a ledger in EventStoreDB/ })
  const second = await start(elsewhere)
  t.same(await create('one'), { ...one, again: 'true' })
  const three = await create('three')
  t.equal(three.status, 201)
  await eventually(listed, (ids) => ids.length === 3)
  await stop(second)

  const back = await ledger('copy', '--from', url, '--from-namespace', namespace, '--switch')
  t.match(back, { code: 0, stdout: /ledger in PostgreSQL: start the service without EVENT_STO/ })
  const third = await start()
  t.same(await listed(), [three.id, two.id, one.id])
  t.same(await create('three'), { ...three, again: 'true' })
  const sealed = await eventually(
    () => ledger('verify'),
    ({ code }) => code === 0,
  )
  t.match(sealed.stdout, /./)
  await stop(third)
})
