import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t from 'tap'
import { sampleOf } from '../../src/docs-site/prerender/sample.ts'
import { textAt } from '../../src/docs-site/quick-start/sample-call.ts'
import { eventually } from '../support/eventually.ts'
import { watchProcess } from '../support/run-process.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'quick-start-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const guide = readFileSync(join(projectRoot, 'docs', 'guides', 'quick-start.md'), 'utf8')
/** The blocks that the page can run, with what their first line says. */
const blocks = [...guide.matchAll(/^```(sh run.*)\n([\s\S]*?)^```$/gm)].map(
  ([, info = '', command = '']) => ({ info, command }),
)

/** Where the shell finds curl: ours, if the machine has none. */
function pathWithCurl(): string {
  const path = process.env.PATH ?? ''
  if (spawnSync('curl', ['--version']).status === 0) return path
  const script = join(projectRoot, 'test', 'faults', 'curl.ts')
  const node = `"${process.execPath}" --disable-warning=ExperimentalWarning`
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec ${node} "${script}" "$@"\n`)
  chmodSync(join(folder, 'curl'), 0o755)
  return `${folder}${delimiter}${path}`
}

t.test('the lines of the quick start do in a shell what the guide says', async (t) => {
  const shop = await service(t)
  const env: Record<string, string> = {
    PATH: pathWithCurl(),
    SHIPPING_LEDGER_URL: shop.url,
    SHIPPING_LEDGER_KEY: shop.seeded.shopKey,
    ORDER: 'order-2001',
  }
  /** Pastes a block, and keeps what the guide tells the reader to keep. */
  const paste = async (index: number) => {
    const { info = '', command = '' } = blocks[index] ?? {}
    const shell = spawn('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe' })
    const { stdout, stderr } = await watchProcess(shell).ended
    t.equal(stderr, '', command)
    const body = stdout === '' ? null : JSON.parse(stdout)
    for (const [name, path] of Object.entries(sampleOf(info, command)?.keeps ?? {})) {
      const value = textAt(body, path)
      if (value !== null) env[name] = value
    }
    return body
  }
  const [workspace, connection, agencies, products, create, label, lost, operation] = blocks.keys()
  t.equal(blocks.length, 10)
  t.match(await paste(workspace ?? 0), { object: 'workspace', external_reference: 'my-shop' })
  for (const block of [connection, agencies, products]) await paste(block ?? 0)
  t.match(await paste(create ?? 0), { status: 'created', guide_number: /./ })
  await paste(label ?? 0)
  t.equal(readFileSync(join(folder, 'label.pdf')).subarray(0, 5).toString(), '%PDF-')

  t.match(await paste(lost ?? 0), { reason: 'unknown_outcome', operation_id: /^op_/ })
  await eventually(
    () => shop.client.operations.get({ id: env.OPERATION_ID ?? '' }),
    ({ status }) => status === 'resolved',
  )
  t.match(await paste(operation ?? 0), { status: 'resolved', result: 'guide_exists' })
  t.match(await paste(lost ?? 0), { status: 'created', guide_number: /./ })
  await paste(blocks.length - 2)
  t.match(await paste(blocks.length - 1), { status: 'delivered' })
})

t.test('a sample that the page could not make stops the build', async (t) => {
  const address = '"$SHIPPING_LEDGER_URL/v1/key"'
  const refused = [`wget ${address}`, 'curl -sS https://shop.example', `curl --data x ${address}`]
  for (const command of refused) t.throws(() => sampleOf('sh run', command), /sample/i, command)
  t.throws(() => sampleOf('sh run', `curl ${address} -d @- <<END\n{}`), /no end/)
  t.equal(sampleOf('sh', 'wget x'), null, 'an ordinary block is not read')
  t.same(sampleOf('sh run watch A=b.c', `curl -X DELETE ${address} \\\n  -H "A: b: c"`), {
    method: 'DELETE',
    path: '/v1/key',
    headers: { A: 'b: c' },
    body: null,
    keeps: { A: 'b.c' },
    isWatched: true,
  })
})
