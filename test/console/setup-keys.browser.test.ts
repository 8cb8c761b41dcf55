import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { consoleUnderTest, leftBehind, violationsInBothThemes } from './console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested
const creations = () => tested.requests.filter((each) => /^POST .*\/v1\/keys$/.test(each)).length

t.test(
  'a key is created with chosen scopes, copied from its only showing, and revoked',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await enter(shop.seeded.operatorKey)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('2 keys').waitFor()

    await page.getByRole('button', { name: 'Create a key…' }).click()
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create it' })
    t.equal(await dialog.getByLabel('Role').inputValue(), '', 'the role is chosen, not preset')
    t.equal(await dialog.getByLabel('Expires').inputValue(), '365', 'nor is a key for ever')
    await dialog.getByLabel('Role').selectOption('Clerk: packs and ships')
    await dialog.getByText('It can: shipments:read, shipments:write').waitFor()
    t.equal(await dialog.getByRole('checkbox').count(), 0)
    await dialog.getByLabel('Role').selectOption('Custom: choose the scopes')
    t.notOk(
      await dialog.getByLabel('operations:review').isChecked(),
      'scopes are chosen, not preset',
    )
    await create.click()
    t.ok(await dialog.getByLabel('Name').and(page.locator(':focus')).count(), 'it needs a name')
    await dialog.getByLabel('Name').fill('Packing table')
    await dialog
      .getByLabel('Belongs to')
      .getByText('Sandbox operator')
      .waitFor({ state: 'attached' })
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Select none' }).click()
    await create.click()
    await dialog.getByText('Choose at least one scope.').waitFor()
    t.ok(await dialog.getByLabel('shipments:read').and(page.locator(':focus')).count())
    await dialog.getByLabel('shipments:read').check()
    await dialog.getByLabel('Access').selectOption('My first shop')
    await dialog.getByLabel('Expires').selectOption('On a date')
    await dialog.getByLabel('Last day (UTC)').fill('2020-01-01')
    await create.click()
    await dialog.getByText('It must be in the future.').waitFor()
    t.ok(await dialog.getByLabel('Last day (UTC)').and(page.locator(':focus')).count())
    await dialog.getByLabel('Expires').selectOption('In 30 days')

    const before = creations()
    await create.dblclick()
    const key = await dialog.getByText(/^svc_test_/).innerText()
    t.equal(creations() - before, 1, 'two clicks create one key')
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    await page.keyboard.press('Escape')
    t.equal(await dialog.getByText(key).count(), 1, 'only its own button closes it')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('3 keys').waitFor()
    t.notMatch(await page.content(), key, 'it is shown once')
    t.notMatch(await leftBehind(page), key)

    const { body: made } = await shop.call('/v1/key', { key })
    t.same([made.scopes, made.workspace_id], [['shipments:read'], shop.seeded.workspaceId])
    t.same([made.name, made.role], ['Packing table', 'custom'])
    await page.getByRole('link', { name: `…${made.last4}` }).click()
    await page.getByRole('heading', { name: `Packing table …${made.last4}` }).waitFor()
    await page.getByRole('button', { name: 'Roll…' }).click()
    await dialog.getByLabel('The old key still works for').selectOption('7 days')
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Roll it' }).dblclick()
    const next = await dialog.getByText(/^svc_test_/).innerText()
    t.not(next, key)
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    const { body: nextOne } = await shop.call('/v1/key', { key: next })
    t.match(nextOne, { name: 'Packing table', scopes: ['shipments:read'] })
    await page.getByRole('link', { name: nextOne.id }).waitFor()
    await page.getByText('It was rolled.').waitFor()
    t.equal((await shop.call('/v1/key', { key })).status, 200, 'both work')
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await dialog.getByRole('button', { name: 'Revoke it' }).click()
    await page.locator('.screen-head').getByText('revoked').waitFor()
    await eventually(
      () => shop.call('/v1/key', { key }),
      ({ status }) => status === 401,
    )
    await go('/keys')
    await page.getByText('revoked').waitFor()
    t.same(troubles, [])
    await close()
  },
)

t.test('a key offers only the scopes that it has, and says which one it lacks', async (t) => {
  const scopes = ['keys:write', 'workspaces:read', 'shipments:read'] as const
  const visitor = await visit({ width: 390, dark: true })
  const { page, enter, go } = visitor
  await enter(await keyOf({ scopes }))
  await go('/keys')
  await page.getByRole('button', { name: 'Create a key…' }).click()
  const role = page.getByRole('dialog').getByLabel('Role')
  t.ok(await role.getByText('Admin: everything').isDisabled())
  await role.selectOption('Custom: choose the scopes')
  const offered = page.getByRole('dialog').getByRole('checkbox')
  await offered.first().waitFor()
  t.equal(await offered.count(), scopes.length)
  t.same(visitor.troubles, [])
  await visitor.close()

  const reader = await visit()
  await reader.enter(await keyOf({ scopes: ['workspaces:read'] }))
  await reader.go('/keys')
  t.ok(await reader.page.getByRole('button', { name: 'Create a key…' }).isDisabled())
  await reader.page.getByText('does not have the keys:write scope').waitFor()
  await reader.close()
})

t.test('revoking the key that is signed in says so and signs out', async (t) => {
  const apiKey = await keyOf({})
  const { page, enter, go, troubles, close } = await visit()
  await enter(apiKey)
  const { body: own } = await shop.call('/v1/key', { key: apiKey })
  await go(`/keys/${own.id}`)
  await page.locator('.screen-head').getByText('this key').waitFor()
  await page.getByRole('button', { name: 'Revoke…' }).click()
  await page.getByText('You are signed in with this key.').waitFor()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByText('The key is no longer accepted').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('keys of sign-ins are hidden until they are asked for', async (t) => {
  await keyOf({ name: 'Console sign-in', fromSignIn: true })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/keys')
  await page.getByRole('link', { name: /^Sandbox operator/ }).waitFor()
  const signIn = page.getByRole('link', { name: /^Console sign-in/ })
  t.equal(await signIn.count(), 0)
  await page.getByLabel('Keys of sign-ins').selectOption('Shown')
  await signIn.waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.getByLabel('Keys of sign-ins').selectOption('Only these')
  await page.getByText('1 key', { exact: true }).waitFor()
  await signIn.click()
  await page.getByText('It belongs to a sign-in.').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('the screens of keys make only documented calls', async (t) => {
  t.ok(tested.requests.length > 10)
  t.same(unexpectedRequests(), [])
})
