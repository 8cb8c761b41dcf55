import type { Page, Request } from 'playwright-core'
import t, { type Test } from 'tap'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { consoleUnderTest, leftBehind, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'
import { chooseWay, fillInMeasures, fillInOrder } from './new-shipment-form.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested
const { operatorKey, workspaceId } = shop.seeded
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

async function fillIn(page: Page, reference: string) {
  await page.getByRole('checkbox').first().waitFor()
  await chooseWay(page, shop.seeded)
  await fillInMeasures(page)
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByRole('radio').first().check()
  await fillInOrder(page, reference)
}

/** Sends an order whose answer is lost, on the way there or back. Returns the request. */
async function sendAndLose(page: Page, { arrives }: { readonly arrives: boolean }) {
  const sent = page.waitForRequest(isCreation)
  await page.route('**/v1/shipments', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    if (arrives) await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByText('It is not known whether the shipment was created.').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  return await sent
}

function isCreation(request: Request): boolean {
  return request.method() === 'POST' && request.url() === `${shop.url}/v1/shipments`
}

const keyIn = async (request: Request) => String((await request.allHeaders())['idempotency-key'])
const listOf = (page: Page) => page.getByRole('region', { name: 'Orders without an answer' })
const storedIn = async (page: Page) => JSON.parse(await leftBehind(page))[4] as [string, string][]

async function shipmentsOf(reference: string) {
  const { data } = await shop.client.shipments.list({
    workspace_id: workspaceId,
    external_reference: reference,
  })
  return data
}

/** Opens the screen in a new tab of the same browser. */
async function opened(browser: Awaited<ReturnType<typeof visit>>, key = operatorKey) {
  const tab = await browser.openTab()
  await tab.enter(key)
  await tab.go('/shipments/new')
  await tab.page.getByRole('heading', { level: 1, name: 'New shipment' }).waitFor()
  return tab
}

t.test('a closed tab leaves the key of its order, which finds the shipment', async (t) => {
  const first = await visit({ width: 320 })
  const tab = await opened(first)
  await fillIn(tab.page, 'closed-tab')
  const key = await keyIn(await sendAndLose(tab.page, { arrives: true }))
  t.equal(await listOf(tab.page).count(), 0, 'its own order is in its form')
  const stored = await storedIn(tab.page)
  t.equal(stored.length, 1)
  t.equal(stored[0]?.[0], `shipping-ledger.unanswered.${key}`)
  t.notMatch(await leftBehind(tab.page), /Ana|Torres|45678912|Books/, 'nothing about the person')
  await tab.page.close()

  const next = await opened(first)
  const list = listOf(next.page)
  await list.getByText('closed-tab').waitFor()
  await list.getByText('It was created. Do not ship it again.').waitFor()
  t.equal(await overflowPx(next.page), 0)
  t.same(await violationsInBothThemes(next.page), [])
  t.same(await storedIn(next.page), [], 'it is forgotten once its outcome is known')
  await list.getByRole('link', { name: 'Show the shipment' }).focus()
  await next.page.keyboard.press('Enter')
  await next.page.getByRole('heading', { level: 1, name: 'closed-tab' }).waitFor()
  await next.go('/shipments/new')
  await next.page.getByRole('checkbox').first().waitFor()
  t.equal(await list.count(), 0)
  t.equal((await shipmentsOf('closed-tab')).length, 1)
  t.same([...tab.troubles, ...next.troubles], [])
  await first.close()
})

t.test('an order that never arrived is entered again under the same key', async (t) => {
  const first = await visit()
  const tab = await opened(first)
  await fillIn(tab.page, 'never-arrived')
  const key = await keyIn(await sendAndLose(tab.page, { arrives: false }))
  await tab.page.close()

  const next = await opened(first)
  const list = listOf(next.page)
  await list.getByText('The service has no shipment under its key.').waitFor()
  t.same(await violationsInBothThemes(next.page), [])
  await list.getByRole('button', { name: 'Look again' }).click()
  await list.getByRole('button', { name: 'Enter it again' }).click()
  t.equal(await next.page.locator('form :focus').count(), 1)
  await fillIn(next.page, 'another-order')
  t.equal(await next.page.getByText('An order with this reference').count(), 0)
  await fillInOrder(next.page, 'never-arrived')
  await next.page.getByText('An order with this reference was sent before').waitFor()
  await next.page.getByLabel('Document number').fill('1')
  const refused = next.page.waitForResponse((answer) => isCreation(answer.request()))
  await next.page.getByRole('button', { name: 'Create shipment' }).click()
  t.equal((await refused).status(), 422)
  await next.page.getByText('A DNI has 8 digits.').waitFor()
  t.equal((await storedIn(next.page)).length, 1, 'a refusal says nothing about the order before it')
  await next.page.getByLabel('Document number').fill('45678912')
  const again = next.page.waitForRequest(isCreation)
  await next.page.getByRole('button', { name: 'Create shipment' }).click()
  t.equal(await keyIn(await again), key)
  await next.page.getByRole('heading', { level: 1, name: 'never-arrived' }).waitFor()
  t.same(await storedIn(next.page), [])
  t.equal((await shipmentsOf('never-arrived')).length, 1)
  t.same(next.troubles, [])
  await first.close()
})

for (const isNoticed of [false, true]) {
  const what = isNoticed ? 'and is found' : 'without notice'
  t.test(`an order that arrives late ${what} is not created again`, async (t) => {
    const reference = `late-order-${isNoticed}`
    const first = await visit()
    const tab = await opened(first)
    await fillIn(tab.page, reference)
    const lost = await sendAndLose(tab.page, { arrives: false })
    const { authorization, ...headers } = await lost.allHeaders()
    await tab.page.close()

    const next = await opened(first)
    const list = listOf(next.page)
    await list.getByText('The service has no shipment under its key.').waitFor()
    await fillIn(next.page, reference)
    const late = await fetch(lost.url(), {
      method: 'POST',
      headers: {
        authorization: String(authorization),
        'content-type': 'application/json',
        'idempotency-key': String(headers['idempotency-key']),
      },
      body: lost.postData(),
    })
    t.equal(late.status, 201)
    if (isNoticed) {
      await list.getByRole('button', { name: 'Look again' }).click()
      await list.getByText('It was created. Do not ship it again.').waitFor()
    }
    await next.page.getByRole('button', { name: 'Create shipment' }).click()
    await next.page.getByRole('heading', { level: 1, name: reference }).waitFor()
    await next.page.getByText('The order had arrived before.').waitFor()
    t.same(await storedIn(next.page), [])
    t.equal((await shipmentsOf(reference)).length, 1)
    t.same(next.troubles, [])
    await first.close()
  })
}

/** An order of the seeded shop whose answer is lost, in a browser with nothing else in it. */
async function withLostOrder(reference: string) {
  const browser = await visit()
  const tab = await opened(browser)
  await fillIn(tab.page, reference)
  await sendAndLose(tab.page, { arrives: false })
  return { browser, tab }
}

async function showsNothing(t: Test, page: Page, reference: string) {
  await page.getByRole('heading', { level: 2, name: '1. The parcel' }).waitFor()
  t.equal(await listOf(page).count(), 0)
  t.notMatch(await page.locator('body').innerText(), reference)
}

t.test('another tab shows the order until the first one knows its outcome', async (t) => {
  const { browser, tab } = await withLostOrder('two-tabs')
  const other = await opened(browser)
  const list = listOf(other.page)
  await list.getByText('The service has no shipment under its key.').waitFor()
  await tab.page.getByRole('button', { name: 'Try again' }).click()
  await tab.page.getByRole('heading', { level: 1, name: 'two-tabs' }).waitFor()
  await list.waitFor({ state: 'detached' })
  t.equal((await shipmentsOf('two-tabs')).length, 1)
  t.same([...tab.troubles, ...other.troubles], [])
  await browser.close()
})

t.test('at most twenty orders are remembered, for a week', async (t) => {
  const { browser, tab } = await withLostOrder('bounded')
  const [[name, text] = ['', '']] = await storedIn(tab.page)
  await tab.page.evaluate(`(() => {
    const [name, order] = [${JSON.stringify(name)}, ${text}]
    localStorage.setItem(name, 'no order')
    for (let n = 0; n < 25; n++) {
      const key = order.key + n
      const days = n < 22 ? 1 : 8
      const at = order.at - days * 86_400_000 - n * 1_000
      const reference = 'bounded-' + n
      localStorage.setItem(name + n, JSON.stringify({ ...order, key, at, reference }))
    }
  })()`)
  const next = await opened(browser)
  const list = listOf(next.page)
  await list.getByText('bounded-21', { exact: true }).waitFor()
  t.equal((await storedIn(next.page)).length, 22, 'what is too old or no order is removed')
  await fillIn(next.page, 'bounded-last')
  await sendAndLose(next.page, { arrives: false })
  const references = (await storedIn(next.page)).map(([, each]) => JSON.parse(each).reference)
  t.equal(references.length, 20)
  t.ok(references.includes('bounded-last'))
  t.notOk(references.includes('bounded-19'), 'the oldest went')
  t.same(next.troubles, [])
  await browser.close()
})

t.test('the list of unanswered orders is in Spanish', async (t) => {
  const { browser, tab } = await withLostOrder('in-spanish')
  await tab.page.close()
  const next = await opened(browser)
  await next.page.getByLabel('Language · Idioma').selectOption({ label: 'Español' })
  const list = next.page.getByRole('region', { name: 'Pedidos sin respuesta' })
  await list.getByText('El servicio no tiene ningún envío con su clave.').waitFor()
  await list.getByRole('button', { name: 'Ingresarlo de nuevo' }).waitFor()
  t.same(next.troubles, [])
  await browser.close()
})

t.test('an order outlives signing out, and only its own organization sees it', async (t) => {
  const { browser, tab } = await withLostOrder('shared-computer')
  await tab.page.getByRole('button', { name: 'Sign out' }).click()
  await tab.page.getByLabel('API key').waitFor()
  const stranger = await createOrganization(shop.parts, { name: 'S', type: 'external' }, by)
  const strange = await keyOf({ organizationId: stranger.id })
  const ofStranger = await opened(browser, strange)
  await showsNothing(t, ofStranger.page, 'shared-computer')
  const live = await opened(browser, await keyOf({ livemode: true }))
  await showsNothing(t, live.page, 'shared-computer')
  const workspace = await shop.client.workspaces.create({
    name: 'Other shop',
    external_reference: 'other-shop',
  })
  const ofOther = await opened(browser, await keyOf({ workspaceId: workspace.id }))
  await showsNothing(t, ofOther.page, 'shared-computer')

  const colleague = await opened(browser)
  const list = listOf(colleague.page)
  await list.getByText('shared-computer').waitFor()
  await list.getByRole('button', { name: 'Forget it' }).click()
  await list.waitFor({ state: 'detached' })
  t.same(await storedIn(colleague.page), [])
  t.equal((await shipmentsOf('shared-computer')).length, 0)
  await browser.close()
})

t.test('the unanswered orders make only documented calls', async (t) => {
  t.same(unexpectedRequests(), [])
})
