import { readFile } from 'node:fs/promises'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { consoleUnderTest, violations, violationsInBothThemes } from './console.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

t.test(
  "a client's failed request is found by the beginning of its id, and explained",
  async (t) => {
    const lost = await shop.create('found-again', { scenario: 'lost_response_guide_created' })
    const id = lost.headers.get('x-request-id') ?? ''
    // Without requests of its own: only some of each second are logged.
    await eventually(
      () => shop.parts.pool.query('SELECT FROM request_log WHERE id = $1', [id]),
      ({ rowCount }) => rowCount === 1,
    )
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill(id.slice(4, 12).toLowerCase())
    await page.getByText('1 result').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'POST /v1/shipments' }).waitFor()
    const facts = page.getByRole('region', { name: 'Facts' })
    await facts.getByText('unknown_outcome').waitFor()
    await facts
      .getByText('The request may have been executed. Retry it only with the same idempotency key.')
      .waitFor()
    t.same(await violationsInBothThemes(page), [])

    await go('/requests')
    await page.locator('.table-row').first().waitFor()
    await page.getByLabel('Status').selectOption('4xx')
    await page.getByLabel('Reason').fill('unknown_outcome')
    await page.getByLabel('Reason').press('Enter')
    await page.getByText('1 request', { exact: true }).waitFor()
    t.same(await violationsInBothThemes(page), [])
    await page.getByRole('link', { name: 'POST /v1/shipments' }).click()
    await facts.getByText(id).waitFor()
    t.same(troubles, [])
    await close()
    t.same(unexpectedRequests(), [])
  },
)

t.test(
  'a bundle of evidence is saved from the shipment, with personal data if asked for',
  async (t) => {
    const { body } = await shop.create('evidence', { scenario: 'happy_path' })
    const last = (await shop.client.ledger.listShipmentEvents({ id: body.id, limit: 100 })).data.at(
      -1,
    )
    await eventually(
      () => shop.call(`/v1/ledger/proof/${last?.position}`, { key: shop.seeded.operatorKey }),
      ({ status }) => status === 200,
    )
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await go(`/shipments/${body.id}`)
    const dialog = page.getByRole('dialog')
    const save = async (isPersonal: boolean) => {
      await page.getByRole('button', { name: 'Evidence bundle…' }).click()
      if (isPersonal) await dialog.getByLabel(/Include personal data/).check()
      t.same(await violations(page), [])
      const saved = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Save it' }).click()
      const download = await saved
      t.equal(download.suggestedFilename(), `evidence-${body.id}.zip`)
      await dialog.waitFor({ state: 'detached' })
      return (await readFile(await download.path())).toString('latin1')
    }
    const plain = await save(false)
    t.match(plain, /^PK/)
    t.notMatch(plain, 'personal.json')
    t.match(await save(true), 'personal.json')
    t.same(troubles, [])
    t.same(unexpectedRequests(), [])
    await close()
  },
)

t.test('a legal hold is put on a shipment and its workspace, and lifted', async (t) => {
  const { body } = await shop.create('held', { scenario: 'happy_path' })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const dialog = page.getByRole('dialog')
  const erase = () => shop.call(`/v1/shipments/${body.id}/erase-personal-data`, { method: 'POST' })
  for (const path of [`/shipments/${body.id}`, `/workspaces/${shop.seeded.workspaceId}`]) {
    await go(path)
    const facts = page.getByRole('region', { name: 'Facts' })
    await page.getByRole('button', { name: 'Legal hold…' }).click()
    t.same(await violations(page), [])
    await dialog.getByLabel('Reason').fill('A claim is before the court.')
    await dialog.getByRole('button', { name: 'Place the hold' }).click()
    await facts.getByText(/^since /).waitFor()
    t.equal((await erase()).body.reason, 'legal_hold')
    await page.getByRole('button', { name: 'Lift the legal hold…' }).click()
    await dialog.getByLabel('Reason').fill('The claim is settled.')
    await dialog.getByRole('button', { name: 'Lift the hold' }).click()
    await facts.getByText('none', { exact: true }).waitFor()
  }
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})
