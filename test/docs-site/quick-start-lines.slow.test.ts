import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sampleOf } from '../../src/docs-site/markdown/sample.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'
import { isPhpThere, type Runtime, reader, runtimes, samplesOfGuide } from './guide-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'quick-start-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const samples = samplesOfGuide('quick-start')
const shop = await service(t)

/** Follows the whole guide step by step with the samples of one language. */
async function follow(t: Test, runtime: Runtime): Promise<void> {
  const env = {
    SHIPPING_LEDGER_URL: shop.url,
    SHIPPING_LEDGER_KEY: shop.seeded.shopKey,
    ORDER: `order-${runtime.label}`,
  }
  const { run, env: kept } = reader(samples, runtime, { env, folder })
  t.match(await run(0), { object: 'workspace', external_reference: 'my-shop' })
  for (const index of [1, 2, 3]) await run(index)
  t.match(await run(4), { status: 'created', guide_number: /./ })
  rmSync(join(folder, 'label.pdf'), { force: true })
  await run(5)
  t.equal(readFileSync(join(folder, 'label.pdf')).subarray(0, 5).toString(), '%PDF-')

  t.match(await run(6), { reason: 'unknown_outcome', operation_id: /^op_/ })
  await eventually(
    () => shop.client.operations.get({ id: kept.OPERATION_ID ?? '' }),
    ({ status }) => status === 'resolved',
  )
  t.match(await run(7), { status: 'resolved', result: 'guide_exists' })
  t.match(await run(6), { status: 'created', guide_number: /./ })
  t.match(await run(8), { object: 'sandbox_clock', advancing_to: null })
  t.match(await run(9), { status: 'delivered' })
}

for (const runtime of runtimes) {
  const { label, isThere } = runtime
  const skip = isThere ? false : `${label} is not installed, or lacks an extension`
  t.test(`the samples of the quick start do in ${label} what it says`, { skip }, (t) =>
    follow(t, runtime),
  )
}

const withoutPhp = isPhpThere ? false : 'PHP is not installed'
t.test('the samples for PHP can be parsed', { skip: withoutPhp }, async () => {
  for (const { programs } of samples) {
    const input = programs.find(({ label }) => label === 'PHP')?.source ?? ''
    execFileSync('php', ['-l'], { input, stdio: ['pipe', 'ignore', 'pipe'] })
  }
})

t.test('the quick start has no other samples', async (t) => {
  t.equal(samples.length, 10)
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
    mayBeRefused: false,
    file: null,
  })
})
