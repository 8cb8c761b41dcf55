import t from 'tap'
import { createClient } from '../../src/client/create-client.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested

t.test('an operator is created, changed, disabled and enabled', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: 'Operators' }).click()
  await page
    .getByRole('row', { name: /Sandbox operator/ })
    .getByText('you')
    .waitFor()

  await page.getByRole('button', { name: 'Create an operator…' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByLabel('Name').fill('Ana Torres')
  await dialog.getByLabel('E-mail').fill('ana')
  await dialog.getByRole('button', { name: 'Create it' }).click()
  await dialog.getByText('Expected an address like ana@shop.example.').waitFor()
  t.ok(await dialog.getByLabel('E-mail').and(page.locator(':focus')).count())
  await dialog.getByLabel('E-mail').fill('ana@shop.example')
  await dialog.getByRole('button', { name: 'Create it' }).dblclick()
  await page.getByRole('heading', { name: 'Ana Torres' }).waitFor()
  const { data } = await shop.client.operators.list()
  t.same(
    data.map(({ name }) => name),
    ['Ana Torres', 'Sandbox operator'],
    'two clicks create one operator',
  )

  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByLabel('Name').fill('Ana Torres Díaz')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ana Torres Díaz' }).waitFor()
  const states = page.locator('.screen-head')
  await page.getByRole('button', { name: 'Disable…' }).click()
  const disable = dialog.getByRole('button', { name: 'Disable the operator' })
  t.ok(await disable.isDisabled(), 'until it is said what becomes of the keys')
  await dialog.getByLabel('Keep them').check()
  await disable.click()
  await dialog.waitFor({ state: 'detached' })
  await states.getByText('disabled').waitFor()
  await go('/operators?status=disabled')
  await page.getByText('1 operator', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Ana Torres Díaz' }).click()
  await page.getByRole('button', { name: 'Enable…' }).click()
  await dialog.getByRole('button', { name: 'Enable the operator' }).click()
  await states.getByText('active').waitFor()

  await go(`/operators/${shop.seeded.operatorId}`)
  await states.getByText('you').waitFor()
  await page.getByRole('button', { name: 'Disable…' }).click()
  await dialog.getByText('You will be signed out.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.same(troubles, [])
  await close()
})

t.test('an operator gets an id at the issuer, which is shown, corrected and removed', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/operators')
  await page.getByRole('button', { name: 'Create an operator…' }).click()
  const dialog = page.getByRole('dialog')
  const subject = dialog.getByLabel('Id at the company’s sign-in (sub)')
  await dialog.getByLabel('Name').fill('Luz Rojas')
  await dialog.getByLabel('E-mail').fill('luz@shop.example')
  await subject.fill('248289\u0007')
  await dialog.getByRole('button', { name: 'Create it' }).click()
  await dialog.getByText('Control characters are not allowed.').waitFor()
  t.ok(await subject.and(page.locator(':focus')).count())
  t.same(await violationsInBothThemes(page), [])
  await subject.fill('248289')
  await dialog.getByRole('button', { name: 'Create it' }).click()
  await page.getByRole('heading', { name: 'Luz Rojas' }).waitFor()
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText('248289').waitFor()

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByLabel('Name').fill('Luz Rojas Díaz')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Luz Rojas Díaz' }).waitFor()
  t.equal((await shop.client.operators.get({ id })).subject, '248289')
  await page.getByRole('button', { name: 'Change…' }).click()
  await subject.fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await facts.getByText('none: known by the e-mail address').waitFor()
  t.equal((await shop.client.operators.get({ id })).subject, null)
  t.same(troubles, [])
  await close()
})

t.test('disabling an operator shows which keys outlive it, and can revoke them', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const clientOf = (apiKey: string) => createClient({ apiKey, baseUrl: shop.url })
  const operators = clientOf(shop.seeded.operatorKey).operators
  const eva = await operators.create({ name: 'Eva Luna', email: 'eva@shop.example' })
  const theirs = clientOf(await keyOf({ operatorId: eva.id }))
  const made = await theirs.keys.create({ scopes: ['shipments:read'] })
  await go(`/operators/${eva.id}`)
  await page.getByRole('button', { name: 'Disable…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Revoke them').check()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Disable the operator' }).click()
  await dialog.getByText('test, revoked').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('link', { name: `…${made.last4}` }).click()
  await page.getByRole('heading', { name: `Key …${made.last4}` }).waitFor()
  await page.getByRole('link', { name: eva.id }).waitFor()

  await go('/keys')
  await page.getByRole('button', { name: 'Create a key…' }).click()
  t.same(
    await dialog.getByLabel('Belongs to').locator('option').allTextContents(),
    ['No operator', 'Sandbox operator (you)'],
    'never another operator',
  )
  t.same(troubles, [])
  await close()
})

t.test('a key of one workspace sees no addresses and changes no operator', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
  await enter(await keyOf({ workspaceId: shop.seeded.workspaceId }))
  await go('/operators')
  await page.getByText('not shown to this key').first().waitFor()
  t.ok(await page.getByRole('button', { name: 'Create an operator…' }).isDisabled())
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})

t.test('the screens of operators make only documented calls', async (t) => {
  t.ok(tested.requests.length > 10)
  t.same(unexpectedRequests(), [])
})
