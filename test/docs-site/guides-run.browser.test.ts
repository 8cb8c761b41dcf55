import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console/console.ts'
import { eventually } from '../support/eventually.ts'
import { projectTexts } from '../support/source-files.ts'
import { reader, runtimes, samplesOfGuide, sessionOf } from './guide-samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'guides-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const { shop, visit } = await consoleUnderTest(t)

type Reader = ReturnType<typeof reader>

/** The answers to the samples of each guide, from top to bottom. */
const guides: Readonly<Record<string, (t: Test, reader: Reader) => Promise<void>>> = {
  idempotency: async (t, { run }) => {
    const created = (await run(0)) as { readonly id: string }
    t.match(created, { status: 'created', guide_number: /./ })
    t.match(await run(0), { id: created.id }, 'repeated, it is the same shipment')
    t.match(await run(1), { reason: 'idempotency_key_reused' })
  },
  'what-to-do-with-a-409': async (t, { run, env }) => {
    t.match(await run(0), { reason: 'unknown_outcome' })
    await eventually(
      () => shop.client.operations.get({ id: env.OPERATION_ID ?? '' }),
      ({ status }) => status === 'resolved',
    )
    t.match(await run(1), { status: 'resolved', result: 'guide_exists' })
    t.match(await run(0), { status: 'created', guide_number: /./ })
  },
  tracking: async (t, { run }) => {
    t.match(await run(0), { status: 'created' })
    t.match(await run(1), { status: 'registered' })
    t.match(await run(2), { advancing_to: null })
    t.match(await run(1), { status: 'delivered' })
  },
  webhooks: async (t, { run, env }) => {
    t.match(await run(0), { object: 'webhook_endpoint', secret: /^whsec_/ })
    t.match(await run(1), { object: 'webhook_delivery' })
    t.match(await run(2), {
      data: [{ endpoint_id: env.ENDPOINT_ID, event_type: 'shipment.created' }],
    })
    await run(3)
    const { data } = await shop.client.webhookEndpoints.list()
    t.notOk(
      data.some(({ id }) => id === env.ENDPOINT_ID),
      'it is deleted',
    )
  },
}

for (const [guide, follow] of Object.entries(guides)) {
  const samples = samplesOfGuide(guide)
  for (const runtime of runtimes.filter(({ isThere }) => isThere)) {
    const { label } = runtime
    t.test(`the samples of ${guide} do in ${label} what it says`, async (t) => {
      const env = sessionOf(shop, `order-${guide}-${label}`)
      await follow(t, reader(samples, runtime, { env, folder }))
    })
  }
}

t.test('every guide with samples that run is followed in a test', async (t) => {
  const texts = projectTexts((file) => file.startsWith('docs/guides/'))
  const withSamples = [...texts].filter(([, text]) => /^```sh run/m.test(text))
  const names = withSamples.map(([file]) => basename(file, '.md')).sort()
  t.same(names, [...Object.keys(guides), 'quick-start'].sort())
})

t.test('the samples of the guide to idempotency run in its page', async (t) => {
  const { page, troubles, close } = await visit({ width: 390 })
  await page.goto(`${shop.url}/docs/guides/idempotency`)
  await page.getByLabel('Test key', { exact: true }).fill(shop.seeded.shopKey)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByText('Signed in with the test key').waitFor()
  const [create, other] = [page.locator('[data-sample="0"]'), page.locator('[data-sample="1"]')]
  const run = (sample: typeof create) => sample.getByRole('button', { name: 'Run' }).click()
  await run(create)
  await create.locator('.badge', { hasText: '201' }).waitFor()
  t.notMatch(await create.innerText(), 'Idempotent-Replayed')
  await run(create)
  await create.getByText('Idempotent-Replayed: true').waitFor()
  await run(other)
  await other.locator('.badge', { hasText: '422' }).waitFor()
  await other.getByRole('link', { name: 'idempotency_key_reused' }).waitFor()
  t.same(await violationsInBothThemes(page), [])

  await page.goto(`${shop.url}/docs/guides/webhooks`)
  await page.getByText('Signed in with the test key').waitFor()
  t.match(await page.locator('#session').innerText(), shop.seeded.connectionId, 'the key is kept')
  t.same(troubles, [])
  await close()
})
