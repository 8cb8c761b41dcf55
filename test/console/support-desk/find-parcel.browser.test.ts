import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { overflowPx } from '../console-layout.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)

/** What a support clerk needs: neither connections nor workspaces. */
const supportScopes = ['shipments:read', 'shipments:write', 'operations:read'] as const

/** The first panels of a shipment, from top to bottom. */
async function panels(page: Page): Promise<readonly string[]> {
  const names = await page.evaluate(`[...document.querySelectorAll('.split-main > section')]
    .map((section) => section.getAttribute('aria-label'))`)
  return (names as string[]).slice(0, 4)
}

t.test('support finds a parcel by order and by guide, and reads where it is', async (t) => {
  const { body } = await shop.create('parcel-1', { scenario: 'happy_path' })
  await shop.advance('PT7H')
  const destination = await shop.client.couriers.getAgency({ id: body.destination.agency_id })
  const { page, enter, troubles, close } = await visit()
  await enter(await keyOf({ scopes: supportScopes }))
  const parcel = page.getByRole('region', { name: 'Parcel' })
  for (const text of ['parcel-1', body.guide_number]) {
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/shipments/${body.id}`)
    await parcel.getByText('The parcel is on its way.').waitFor()
  }
  const place = `${destination.name}, ${destination.district}`
  await parcel.getByRole('link', { name: place }).waitFor()
  const words = await parcel.innerText()
  t.match(words, destination.address, 'the street is there for the customer')
  t.match(words, /Expected\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d in \d+ h/)
  const scans = await parcel
    .getByRole('list', { name: 'Scans' })
    .getByRole('listitem')
    .allInnerTexts()
  t.match(scans[0], /^On its way\s+\d{4}-\d\d-\d\d/, 'the latest is first')
  t.match(scans[1], /^Received at the origin agency\s+\d{4}-\S+ \S+\s+Agencia /)
  t.same(await panels(page), ['Parcel', 'History', 'Replay', 'Evidence and legal hold'])
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})

t.test('a name that is searched finds nothing, and the palette says why', async (t) => {
  const { page, enter, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('Torres')
  const why = 'Names are encrypted and cannot be searched. Ask for the order or guide number.'
  await page.getByText('No matches that this key can see.').waitFor()
  await page.getByText(why).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await close()
})

t.test(
  'a parcel that is held up or late says so, and an ended journey expects nothing',
  async (t) => {
    const held = await shop.create('parcel-held', { scenario: 'delivery_exception' })
    await shop.advance('PT30H')
    const { page, enter, go, troubles, close } = await visit({ width: 390 })
    await enter(shop.seeded.operatorKey)
    await go(`/shipments/${held.body.id}`)
    const parcel = page.getByRole('region', { name: 'Parcel' })
    await parcel.getByText('The courier is holding the parcel.').waitFor()
    t.equal(await overflowPx(page), 0)
    t.same(await violationsInBothThemes(page), [])
    await shop.advance('P5D')
    await parcel.getByText('The recipient has the parcel.').waitFor()
    await parcel.getByText('Expected').waitFor({ state: 'detached' })
    t.equal(await parcel.getByText('The courier is holding the parcel.').count(), 0)
    t.same(troubles, [])
    await close()
  },
)

t.test('finding a parcel makes only documented calls', async (t) => {
  t.same(unexpectedRequests(), [])
})
