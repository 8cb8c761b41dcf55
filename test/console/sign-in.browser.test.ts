import type { Page } from 'playwright-core'
import t from 'tap'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { createOperator, disableOperator } from '../../src/service/security/operators.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { testIssuer } from '../http/sign-in/test-issuer.ts'
import { eventually } from '../support/eventually.ts'
import { consoleUnderTest, leftBehind, violationsInBothThemes } from './console.ts'

const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
const port = await freePort()
const publicUrl = `http://127.0.0.1:${port}`
const issuer = await testIssuer(t, publicUrl, { roleClaim: 'desk' })
const tested = await consoleUnderTest(t, { port, signIn: issuer.settings })
const { shop, visit } = tested
const { organizationId } = shop.seeded

async function anOperator(login: string, role = 'admin', owner = organizationId) {
  const email = `${login}@shop.example`
  issuer.accounts.set(login, { email, email_verified: true, desk: role })
  const order = { organizationId: owner, name: login, email }
  return await createOperator(shop.parts, order, by)
}

/** From the console's sign-in to the form of the issuer. */
async function toIssuer(page: Page, word = 'Sign in'): Promise<void> {
  await page.getByLabel('Test').check()
  await page.getByRole('button', { name: word, exact: true }).click()
  await page.locator('input[name="login"]').waitFor()
}

async function atIssuer(page: Page, login: string): Promise<void> {
  await page.locator('input[name="login"]').fill(login)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
}

async function signIn(page: Page, login: string, path = ''): Promise<void> {
  await page.goto(`${publicUrl}/console${path}`)
  await toIssuer(page)
  await atIssuer(page, login)
  await page.locator('#screen').waitFor()
}

const keyOf = (page: Page) =>
  page.evaluate(`sessionStorage.getItem('shipping-ledger.key')`) as Promise<string>

const until401 = (key: string) =>
  eventually(
    () => shop.call('/v1/key', { key }),
    ({ status }) => status === 401,
  )

t.test('the first sign-in leads back to the screen that was asked for, and lasts', async (t) => {
  const operator = await anOperator('ana', 'support')
  const { page, troubles, close } = await visit()
  await page.goto(`${publicUrl}/console/operations?status=resolved`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await toIssuer(page)
  await atIssuer(page, 'ana')
  await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor()
  t.equal(page.url(), `${publicUrl}/console/operations?status=resolved`)
  const key = await keyOf(page)
  const { body } = await shop.call('/v1/key', { key })
  t.match(body, { operator_id: operator.id, role: 'support', from_sign_in: true })
  const rest = (await leftBehind(page)).replace(key, '')
  t.notMatch(rest, /sign-in|svc_test|verifier/, 'neither the code nor what proves the tab is left')
  await page.reload()
  await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor()
  await page.goBack().catch(() => null)
  t.notMatch(page.url(), /sign-in=/)
  t.same(troubles, [])
  await close()
})

t.test('with the wrong account the console says so, and the issuer asks for another', async (t) => {
  issuer.accounts.set('nobody', {
    email: 'nobody@shop.example',
    email_verified: true,
    desk: 'admin',
  })
  const { page, troubles, close } = await visit({ width: 390 })
  await page.goto(`${publicUrl}/console`)
  await toIssuer(page)
  await atIssuer(page, 'nobody')
  await page.getByRole('alert').getByText('does not belong to an operator').waitFor()
  t.equal(page.url(), `${publicUrl}/console`)
  t.same(await violationsInBothThemes(page), [])
  await anOperator('eva')
  await toIssuer(page, 'Choose an account')
  await atIssuer(page, 'eva')
  await page.locator('#screen').waitFor()
  t.same(troubles, [])
  await close()
})

/** Any request ends it: that of the click, or one that the screen repeats by itself. */
async function untilSessionEnds(page: Page) {
  const link = page.getByRole('link', { name: 'Shipments' }).first()
  await link.click({ timeout: 3_000 }).catch(() => undefined)
  await page.getByRole('alert').getByText('Your session has ended.').waitFor()
}

t.test('disabling an operator ends the session within five seconds', async (t) => {
  const operator = await anOperator('gone')
  const { page, troubles, close } = await visit()
  await signIn(page, 'gone')
  await disableOperator(shop.parts, operator, by)
  const startedMs = Date.now()
  await until401(await keyOf(page))
  t.ok(Date.now() - startedMs <= 5_000)
  await untilSessionEnds(page)
  t.equal(await keyOf(page), null)
  await page.getByLabel('Test').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Your access is disabled.').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('an expired session ends with a sentence, and a new sign-in is one click', async (t) => {
  await anOperator('late')
  const { page, troubles, close } = await visit()
  await signIn(page, 'late')
  const first = await keyOf(page)
  const { body } = await shop.call('/v1/key', { key: first })
  await shop.parts.db
    .updateTable('api_keys')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', body.id)
    .execute()
  await until401(first)
  await untilSessionEnds(page)
  await page.getByLabel('Test').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('#screen').waitFor()
  t.not(await keyOf(page), first, 'the issuer still knew the person')
  t.same(troubles, [])
  await close()
})

t.test('signing out revokes the key, and the next person is asked who they are', async (t) => {
  await anOperator('out')
  const { page, troubles, close } = await visit()
  await signIn(page, 'out')
  const key = await keyOf(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Choose an account' }).waitFor()
  t.equal(await keyOf(page), null)
  await until401(key)
  await toIssuer(page, 'Choose an account')
  t.same(troubles, [])
  await close()
})

t.test('two tabs have two sessions, and a code is worth nothing in another tab', async (t) => {
  await anOperator('twice')
  const { page, troubles, close } = await visit()
  await signIn(page, 'twice')
  const other = await page.context().newPage()
  await other.goto(`${publicUrl}/console`)
  await other.getByLabel('Test').check()
  const code = new Promise<string>((resolve) => {
    other.on('framenavigated', (frame) => {
      const [, found] = /#sign-in=(.+)$/.exec(frame.url()) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  // The tab comes back and cannot use its code.
  await other.route('**/console/sign-in/key', (route) => route.abort())
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('alert').getByText('The service could not be reached.').waitFor()
  const thief = await page.context().newPage()
  await thief.goto(`${publicUrl}/console#sign-in=${await code}`)
  await thief.getByRole('alert').getByText('begun in another tab').waitFor()
  t.equal(await keyOf(thief), null)
  t.equal(thief.url(), `${publicUrl}/console`)

  await other.unroute('**/console/sign-in/key')
  await other.getByLabel('Test').check()
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.locator('#screen').waitFor()
  const [first, second] = [await keyOf(page), await keyOf(other)]
  t.not(first, second)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await until401(second)
  t.equal((await shop.call('/v1/key', { key: first })).status, 200)
  t.equal(await page.locator('#screen').count(), 1, 'the first tab stays signed in')
  t.same(troubles, [])
  await close()
})

t.test('while the issuer is away the console says so, and takes a key', async (t) => {
  await anOperator('soon')
  const { page, troubles, close } = await visit()
  await page.goto(`${publicUrl}/console`)
  await issuer.close()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('sign-in does not answer').waitFor()
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key').fill(shop.seeded.operatorKey)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.locator('#screen').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await issuer.open()
  await signIn(page, 'soon')
  t.same(troubles, [])
  await close()
})

t.test('an operator of two organizations chooses one', async (t) => {
  await anOperator('both')
  const order = { name: 'Another shop', type: 'external' } as const
  const { id } = await createOrganization(shop.parts, order, by)
  await anOperator('both', 'admin', id)
  const { page, troubles, close } = await visit()
  await page.goto(`${publicUrl}/console`)
  await toIssuer(page)
  await atIssuer(page, 'both')
  await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.getByRole('button', { name: 'Another shop' }).click()
  await page.locator('#screen').waitFor()
  const { body } = await shop.call('/v1/key', { key: await keyOf(page) })
  t.equal(body.organization_id, id)
  t.same(troubles, [])
  await close()
})
