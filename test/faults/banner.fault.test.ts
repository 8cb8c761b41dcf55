import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import type { Answer } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type RunningProcess, runProcess, watchProcess } from '../support/run-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-banner-'))
const running = new Set<RunningProcess>()
t.teardown(async () => {
  // SIGTERM instead of SIGKILL, so that it stops its PostgreSQL too.
  for (const { child } of running) child.kill('SIGTERM')
  await Promise.all([...running].map(({ ended }) => ended))
  rmSync(folder, { recursive: true, force: true })
})

async function started(port: number, data = 'data'): Promise<RunningProcess> {
  const env = { DATA_DIR: join(folder, data), PORT: String(port), METRICS_PORT: '0' }
  const run = runProcess('src/service/main.ts', { env })
  running.add(run)
  run.ended.then(() => running.delete(run))
  await run.said(/"msg":"ready"/)
  return run
}

async function bodyOf(response: Response): Promise<Answer['body']> {
  return await response.json()
}

/** A folder with the tests' own `curl`. */
function ownCurl(): string {
  const file = join(folder, 'curl')
  const script = join(import.meta.dirname, 'curl.ts')
  const node = `"${process.execPath}" --disable-warning=ExperimentalWarning`
  writeFileSync(file, `#!/bin/sh\nexec ${node} "${script}" "$@"\n`)
  chmodSync(file, 0o755)
  return folder
}

/** Runs the lines in a shell and returns the status of each call, in order. */
async function pasted(t: Test, lines: readonly string[], path: string): Promise<readonly string[]> {
  const shell = spawn('sh', ['-s'], { cwd: folder, env: { PATH: path, LANG: 'C' }, stdio: 'pipe' })
  shell.stdin.end(`${lines.join('\n')}\n`)
  const { stdout, stderr } = await watchProcess(shell).ended
  t.equal(stderr, '')
  return stdout.split('\n').filter((line) => /^[0-9]{3}( label\.pdf)?$/.test(line))
}

/** The most likely failure of a first start: the next one must still show the keys. */
async function refusedByBusyPort(t: Test, port: number): Promise<void> {
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const env = { DATA_DIR: join(folder, 'data'), PORT: String(port), METRICS_PORT: '0' }
  const { code, stderr } = await runProcess('src/service/main.ts', { env }).ended
  t.equal(code, 1)
  t.match(stderr, new RegExp(`^Port ${port} is taken .*set PORT to a free port\\.$`, 'm'))
  other.close()
  await once(other, 'close')
}

t.test(
  "the banner's commands work, twice, and across restarts and a restored backup",
  async (t) => {
    const port = await freePort()
    await refusedByBusyPort(t, port)
    const first = await started(port)
    const [, banner = ''] = await first.said(/even twice\.\n\n([\s\S]*?)\n\{/)
    const lines = banner.split('\n')
    const key = /svc_test_[0-9A-Za-z]{49}/.exec(banner)?.[0] ?? ''
    const path = process.env.PATH ?? ''
    const hasCurl = spawnSync('curl', ['--version']).status === 0

    const statuses = await pasted(t, lines, `${ownCurl()}${delimiter}${path}`)
    t.strictSame(statuses, ['201', '200 label.pdf', '200', '409', '200', '201', '200', '200'])
    t.equal(readFileSync(join(folder, 'label.pdf')).subarray(0, 5).toString(), '%PDF-')
    rmSync(join(folder, 'label.pdf'))
    const again = await pasted(t, lines, hasCurl ? path : `${folder}${delimiter}${path}`)
    t.strictSame(again, ['201', '200 label.pdf', '200', '201', '200', '201', '200', '200'])

    const url = `http://127.0.0.1:${port}`
    const headers = { authorization: `Bearer ${key}` }
    const ask = async (where: string) => bodyOf(await fetch(`${url}${where}`, { headers }))
    const { data } = await ask('/v1/shipments')
    t.equal(data.length, 2, 'two orders, two shipments')
    t.same(
      data.map((shipment: { tracking: { status: string } }) => shipment.tracking.status),
      ['delivered', 'delivered'],
    )

    // Stopped while the courier is slow, the process answers first.
    const [create = ''] = lines.filter((line) => line.includes("/v1/shipments' -d"))
    const body = /-d '([^']*)'/.exec(create)?.[1] ?? ''
    const slow = fetch(`${url}/v1/shipments`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'idempotency-key': 'order-1003',
        'sandbox-scenario': 'slow_success',
      },
      body,
    })
    const { workspace_id } = JSON.parse(body)
    const listed = `/v1/shipments?workspace_id=${workspace_id}&idempotency_key=order-1003`
    await eventually(
      () => ask(listed),
      (page) => page.data[0]?.status === 'creating',
    )
    first.child.kill('SIGTERM')
    const answer = await slow
    t.equal(answer.status, 201)
    const { guide_number } = await bodyOf(answer)
    const { code, stdout } = await first.ended
    t.equal(code, 0)
    t.equal(stdout.split(key).length - 1, lines.filter((line) => line.includes(key)).length + 1)

    // A second start finds the data and shows no key; neither does a third one after kill -9.
    const second = await started(port)
    t.equal((await ask(listed)).data[0].guide_number, guide_number)
    second.child.kill('SIGKILL')
    const { stdout: said } = await second.ended
    t.notMatch(said, /svc_test_/)
    t.match(said, /is ready on/)
    const third = await started(port)
    t.equal((await ask(listed)).data[0].guide_number, guide_number)

    // As docs/guides/operating.md says, a copy of the folder made while the service is stopped is a
    // backup.
    third.child.kill('SIGTERM')
    await third.ended
    cpSync(join(folder, 'data'), join(folder, 'restored'), { recursive: true })
    rmSync(join(folder, 'data'), { recursive: true })
    await started(port, 'restored')
    t.equal((await ask(listed)).data[0].guide_number, guide_number)
    t.equal((await ask('/v1/shipments')).data.length, 3)
  },
)
