import { readFile } from 'node:fs/promises'
import t from 'tap'
import { consoleUnderTest, violations } from '../support/console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, strangeRequests } = tested

t.test(
  'a shipment is replayed to any version, in its facts, its scans and its history',
  async (t) => {
    const created = await shop.create('replayed', { scenario: 'happy_path' })
    await shop.advance('P3D')
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await go(`/shipments/${created.body.id}`)
    const head = page.getByRole('banner').or(page.locator('.screen-head')).last()
    await head.getByText('delivered').waitFor()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('ShipmentRequested').waitFor()
    t.same(await violations(page), [])

    const slider = page.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('Home')
    await head.getByText('creating').waitFor()
    t.match(page.url(), /as_of=1$/, 'the version is in the address')
    const tracking = page.getByRole('region', { name: 'Tracking' })
    await tracking.getByText('No scan is known at this version').waitFor()
    t.same(await violations(page), [])
    await page.reload()
    await page.getByLabel('API key').waitFor()
    t.equal(
      await page.getByText('creating').count(),
      0,
      'a key in memory is gone when it is loaded again',
    )
    t.same(troubles, [])
    await close()
  },
)

t.test(
  'personal data and the label are shown when they are asked for, and forgotten on leaving',
  async (t) => {
    const created = await shop.create('personal', { scenario: 'happy_path' })
    const { recipient } = created.body
    const { page, enter, go, troubles, close } = await visit({ dark: true })
    await enter(shop.seeded.shopKey)
    await go(`/shipments/${created.body.id}`)
    const personal = page.getByRole('region', { name: 'Personal data' })
    await personal.getByText('masked').first().waitFor()
    t.notMatch(await page.innerText('body'), recipient.document)
    t.same(await violations(page), [])
    await personal.getByRole('button', { name: 'Show personal data' }).click()
    await personal.getByText(recipient.document).waitFor()

    await page.getByRole('button', { name: 'Show the label, A6' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save it' }).click()
    const pdf = await readFile(await (await saved).path())
    t.equal(pdf.subarray(0, 5).toString(), '%PDF-')

    await go('/shipments')
    await page.getByRole('link', { name: 'personal', exact: true }).click()
    await personal.getByText('masked').first().waitFor()
    t.equal(await page.getByRole('link', { name: 'Save it' }).count(), 0)
    t.same(troubles, [])
    await close()
  },
)

t.test(
  'anything is found by an id, a guide number, a reference or a key, with the keyboard alone',
  async (t) => {
    const created = await shop.create('by-any-name', { scenario: 'happy_path' })
    const { id, guide_number: guide } = created.body
    const { page, enter, close } = await visit({ width: 390 })
    await enter(shop.seeded.operatorKey)
    for (const text of [id, guide, 'by-any-name']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill(text)
      await page.getByText('1 result').waitFor()
      if (text === id) t.same(await violations(page), [])
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/console/shipments/${id}`)
      await page.getByRole('heading', { name: 'by-any-name' }).waitFor()
    }
    t.same(await violations(page), [])
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('shp_0000000000000000000000')
    await page.getByText('Nothing of this name').waitFor()
    await close()
  },
)

t.test(
  'nothing was asked of another place, and no call that the API does not document',
  async (t) => {
    t.ok(tested.requests.length > 20)
    t.same(strangeRequests(), [])
  },
)
