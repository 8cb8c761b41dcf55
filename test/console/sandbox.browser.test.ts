import type { Page } from 'playwright-core'
import t from 'tap'
import { defaultScopes, type Scope } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { consoleUnderTest, violations } from './console.ts'

const { shop, visit, keyOf } = await consoleUnderTest(t)
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

/** A key of a new organization without a workspace. */
async function newcomer(without: readonly Scope[] = []): Promise<string> {
  const { id } = await createOrganization(shop.parts, { name: 'New', type: 'external' }, by)
  const scopes = defaultScopes.filter((scope) => !without.includes(scope))
  return await keyOf({ organizationId: id, scopes })
}

/** Texts of the page in boxes so narrow that words break. */
function squeezed(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('main p, main span, main div')]
    .filter(({ childElementCount, innerText }) => childElementCount === 0 && innerText.length > 20)
    .filter((element) => element.getBoundingClientRect().width < 100)
    .map(({ innerText }) => innerText)`) as Promise<readonly string[]>
}

t.test(
  'a new user creates a workspace and a connection in the sandbox and runs a scenario',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit()
    await enter(await newcomer())
    await go('/sandbox')
    const create = page.getByRole('button', { name: 'Create a workspace and a connection' })
    const run = page.getByRole('button', { name: 'Run 1', exact: true })
    await run.waitFor()
    t.same(await squeezed(page), [])
    await page.getByText('There is no workspace yet').waitFor()
    t.equal(await run.getAttribute('aria-disabled'), 'true')
    t.same(await violations(page), [])
    await create.press('Enter')
    const made = page.getByText('The sandbox is ready.')
    await made.and(page.locator(':focus')).waitFor()
    t.match(await page.getByLabel('Workspace').locator(':checked').innerText(), 'Sandbox')
    await run.press('Enter')
    await page.getByRole('list', { name: 'Answers' }).getByText('201').waitFor()

    await go('/usage')
    await go('/sandbox')
    await page.getByRole('option', { name: /active$/ }).waitFor({ state: 'attached' })
    await run.press('Enter')
    await page.getByRole('list', { name: 'Answers' }).getByText('201').waitFor()
    t.same(troubles, [])
    await close()
  },
)

t.test('the sandbox names the scope that a key needs to create a workspace', async (t) => {
  const key = await newcomer(['workspaces:write'])
  for (const { width, dark } of [
    { width: 1440, dark: false },
    { width: 390, dark: true },
  ]) {
    const { page, enter, go, troubles, close } = await visit({ width, dark })
    await enter(key)
    await go('/sandbox')
    const setUp = page.getByRole('region', { name: 'Set up' })
    await setUp.getByText('This key does not have the workspaces:write scope.').waitFor()
    t.ok(await setUp.getByRole('button').isDisabled())
    await page.getByRole('button', { name: 'Run 19' }).waitFor()
    t.same(await squeezed(page), [])
    t.same(await violations(page), [])
    t.same(troubles, [])
    await close()
  }
})

t.test('a key without connections:write creates only the workspace', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(await newcomer(['connections:write']))
  await go('/sandbox')
  await page.getByRole('button', { name: 'Create a workspace', exact: true }).press('Enter')
  const setUp = page.getByRole('region', { name: 'Set up' })
  await setUp.getByText('This key does not have the connections:write scope.').waitFor()
  await setUp.getByText('This workspace has no active one').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('a key without read scopes creates both, and the page selects them', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(await newcomer(['workspaces:read', 'connections:read']))
  await go('/sandbox')
  await page.getByText(/does not have the workspaces:read scope/).waitFor()
  await page.getByRole('button', { name: 'Create a workspace and a connection' }).press('Enter')
  await page.getByText('The sandbox is ready.').waitFor()
  t.match(await page.getByLabel('Courier connection').inputValue(), /^ccn_/)
  await page.getByRole('button', { name: 'Run 1', exact: true }).press('Enter')
  await page.getByRole('list', { name: 'Answers' }).getByText('201').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('a key that cannot run scenarios sees one message that says why', async (t) => {
  const scopes = defaultScopes.filter((scope) => scope !== 'shipments:write')
  for (const width of [1440, 390]) {
    const { page, enter, go, troubles, close } = await visit({ width })
    await enter(await keyOf({ scopes }))
    await go('/sandbox')
    const scenarios = page.getByRole('region', { name: 'Scenarios' })
    const why = scenarios.getByText('This key does not have the shipments:write scope.')
    await why.waitFor()
    t.equal(await why.count(), 1)
    const run = scenarios.getByRole('button', { name: 'Run 19' })
    t.equal(await run.getAttribute('aria-describedby'), await why.getAttribute('id'))
    t.same(await squeezed(page), [])
    t.same(await violations(page), [])
    t.same(troubles, [])
    await close()
  }
})

t.test('the sandbox shows how far an advance is, and what it could not do', async (t) => {
  const { pool, accounts } = shop.parts
  const { connectionId, workspaceId } = shop.seeded
  await shop.create('order-lost', { scenario: 'lost_response_human_review' })
  await pool.query(`UPDATE courier_connections SET status = 'needs_reauth' WHERE id = $1`, [
    connectionId,
  ])
  accounts.forget(shop.seeded)
  // As after an advance's share of steps: no worker continues until it is released.
  const work = `advance:${workspaceId}`
  await pool.query(
    `INSERT INTO claims (work, owner, leased_until) VALUES ($1, NULL, now() + interval '1 hour')`,
    [work],
  )
  const body = { workspace_id: workspaceId, by: 'PT10M' }
  t.equal((await shop.call('/v1/sandbox/clock/advance', { body })).status, 202)
  await pool.query('UPDATE sandbox_clocks SET steps_done = 1234 WHERE workspace_id = $1', [
    workspaceId,
  ])
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/sandbox')
  const clock = page.getByRole('region', { name: 'Clock' })
  await clock.getByText(/^1,234 steps done, \d+ due so far$/).waitFor()
  await pool.query('DELETE FROM claims WHERE work = $1', [work])
  const left = clock.getByRole('list', { name: 'Not done' })
  await left.getByText(/^reconciliation of shp_\w+: it must wait/).waitFor()
  t.same(await violations(page), [])
  t.same(troubles, [])
  await close()
})
