import t from 'tap'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { consoleUnderTest, violations, violationsInBothThemes } from './console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

async function emptyOrganization(name: string): Promise<string> {
  return (await createOrganization(shop.parts, { name, type: 'external' }, by)).id
}

t.test('an empty organization is led from Home to its first guide', async (t) => {
  const organizationId = await emptyOrganization('New')
  const { page, enter, troubles, close } = await visit()
  await enter(await keyOf({ organizationId }))
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('0 of 3 done').waitFor()
  t.ok(await steps.getByRole('button', { name: 'Create a test shipment' }).isDisabled())
  t.same(await violationsInBothThemes(page), [])

  const dialog = page.getByRole('dialog')
  await steps.getByRole('button', { name: 'Create a workspace…' }).click()
  await dialog.getByLabel('Name').fill('Lima shop')
  await dialog.getByLabel('Reference').fill('lima')
  await dialog.getByRole('button', { name: 'Create it' }).dblclick()
  await steps.getByText('1 of 3 done').and(page.locator(':focus')).waitFor()

  await steps.getByRole('button', { name: 'Connect a courier…' }).click()
  t.equal(await dialog.getByLabel('Workspace').locator(':checked').innerText(), 'Lima shop')
  await dialog.getByLabel('Username').fill('lima')
  await dialog.getByLabel('Password', { exact: true }).fill('any')
  await dialog.getByRole('button', { name: 'Connect it' }).dblclick()
  await steps.getByText('2 of 3 done').waitFor()

  await steps.getByRole('button', { name: 'Create a test shipment' }).dblclick()
  await steps.getByText('The courier issued the guide').waitFor()
  await steps.getByText('3 of 3 done').waitFor()
  const guide = await steps.locator('code').innerText()
  await steps.getByRole('link', { name: /See its label/ }).click()
  await page.getByRole('region', { name: 'History' }).getByText('GuideIssued').waitFor()
  await page.getByText(guide).first().waitFor()

  await page.getByRole('list', { name: 'Work' }).getByRole('link', { name: 'Shipments' }).click()
  await page.getByText('1 shipment', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('What needs you').waitFor()
  await steps.waitFor({ state: 'detached' })
  t.same(troubles, [])
  await close()
})

t.test('steps that are done are ticked off, and live mode makes no example parcel', async (t) => {
  const { page, enter, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('2 of 3 done').waitFor()
  await steps.getByRole('link', { name: 'My first shop' }).click()
  await page.getByRole('heading', { name: 'My first shop' }).waitFor()
  await close()

  const live = await visit({ width: 390, dark: true })
  const organizationId = await emptyOrganization('Live')
  await live.enter(await keyOf({ organizationId, livemode: true }))
  const liveSteps = live.page.getByRole('region', { name: 'Get started' })
  await liveSteps.getByText('A live shipment is a real parcel').waitFor()
  t.equal(await liveSteps.getByRole('button', { name: /shipment/ }).count(), 0)
  t.same(await violations(live.page), [])
  await live.close()
})

t.test(
  'a workspace is created once for its reference, renamed, and given a retention',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await page.getByRole('link', { name: 'Workspaces' }).click()
    await page.getByText('1 workspace', { exact: true }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Create a workspace…' }).click()
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByLabel('Name').fill('Second shop')
    await dialog.getByLabel('Reference').fill('second')
    await dialog.getByLabel('Erase personal data after').fill('5000')
    await dialog.getByRole('button', { name: 'Create it' }).click()
    const days = dialog.getByLabel('Erase personal data after')
    await dialog.locator('[aria-invalid="true"]:focus').waitFor()
    t.equal(await days.inputValue(), '5000', 'what was typed stays')
    await days.fill('')
    await dialog.getByRole('button', { name: 'Create it' }).click()
    await page.getByRole('heading', { name: 'Second shop' }).waitFor()
    await page.getByText('kept until you erase it').waitFor()
    await page.getByText('No connections').waitFor()

    await page.getByRole('button', { name: 'Change…' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Renamed shop')
    await days.fill('30')
    await dialog.getByText('also applies to existing shipments').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Renamed shop' }).waitFor()
    await page.getByText('erased after 30 days').waitFor()

    await go('/workspaces')
    await page.getByText('2 workspaces', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create a workspace…' }).click()
    await dialog.getByLabel('Name').fill('The same again')
    await dialog.getByLabel('Reference').fill('second')
    await dialog.getByRole('button', { name: 'Create it' }).click()
    await dialog.getByText('Nothing was created or changed.').waitFor()
    await dialog.getByRole('button', { name: 'Open it' }).click()
    await page.getByRole('heading', { name: 'Renamed shop' }).waitFor()
    t.same(troubles, [])
    await close()
  },
)

t.test('a first visit makes only documented calls', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(unexpectedRequests(), [])
})
