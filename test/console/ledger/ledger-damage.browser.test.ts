import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { eventually } from '../../support/eventually.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const { pool } = shop.parts
const { id: organizationId } = await createOrganization(
  shop.parts,
  { name: 'Platform', type: 'platform' },
  byCli,
)

const lost = {
  eventId: '0199b7a4-1111-7000-8000-000000000001',
  instead: '0199b7a4-2222-7000-8000-000000000002',
} as const
const promise = 'Nothing is created or cancelled until it is recovered.'
const command = 'npm run --silent ledger -- recover --check'

async function damage(noticedAt: string): Promise<void> {
  await pool.query(
    `INSERT INTO ledger_damages (id, noticed_at, source, expected_position, expected_event_id,
       found_event_id)
     VALUES (gen_random_uuid(), $1, 'projection', '747', $2, $3)`,
    [noticedAt, lost.eventId, lost.instead],
  )
}

async function recover(): Promise<void> {
  await pool.query(
    `UPDATE ledger_damages SET recovered_at = now(), proven_size = 746,
       find_first_until = now() + interval '60 days', asked = 12, found = 9, created = 3
     WHERE recovered_at IS NULL`,
  )
}

async function isDamaged(): Promise<boolean> {
  const { body } = await shop.call('/v1/health', { key: shop.seeded.operatorKey })
  return body.ledger.state === 'damaged'
}

t.test('every screen says that the ledger is damaged, and what helps', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 1366 })
  const notice = page
    .locator('[aria-live="assertive"]')
    .filter({ hasText: 'The ledger has lost events' })
  await enter(await keyOf({ organizationId }))
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  t.equal(await notice.count(), 0, 'an intact ledger needs no notice')

  await damage('2030-01-01T12:00:00Z')
  await eventually(isDamaged, (is) => is)
  await notice.getByText(promise).waitFor()
  await notice.getByText(`Event ${lost.eventId} was at position 747`).waitFor()
  await notice.getByText(`now ${lost.instead} is there`).waitFor()
  await notice.getByText(command).waitFor()
  await notice.locator('time[datetime^="2030-01-01T12:00:00"]').waitFor()
  for (const path of ['/operations', '/shipments', '/batches', '/webhooks', '/keys', '/health']) {
    await go(path)
    await page.locator('h1').waitFor()
    t.ok(await notice.isVisible(), path)
  }

  await page.getByRole('region', { name: 'Service' }).getByText('damaged').waitFor()
  const projections = page.getByRole('region', { name: 'Projections' })
  await projections.getByText('stopped').first().waitFor()
  t.equal(await projections.getByText('working').count(), 0, 'nothing follows it')
  const facts = page.getByRole('region', { name: 'Lost events' })
  for (const text of [lost.eventId, lost.instead, command]) await facts.getByText(text).waitFor()
  t.same(await violationsInBothThemes(page), [])

  await recover()
  await eventually(isDamaged, (is) => !is)
  await notice.waitFor({ state: 'detached' })
  await go('/health')
  await page
    .getByRole('region', { name: 'Service' })
    .getByText('ok', { exact: true })
    .nth(1)
    .waitFor()
  const asked = page.getByRole('region', { name: 'After the recovery' })
  for (const [name, count] of [
    ['Keys asked', 12],
    ['Guides found', 9],
    ['Guides created', 3],
  ] as const) {
    await asked.getByText(name, { exact: true }).waitFor()
    await asked.getByText(String(count), { exact: true }).waitFor()
  }
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})

t.test('a shop sees that the ledger is damaged, but no place in it', async (t) => {
  await damage('2030-01-02T12:00:00Z')
  await eventually(isDamaged, (is) => is)
  const { page, enter, go, close } = await visit({ width: 390, dark: true })
  await enter(shop.seeded.operatorKey)
  const notice = page.locator('[aria-live="assertive"]')
  await notice.getByText(promise).waitFor()
  await notice.getByText('The operator of this service must recover it.').waitFor()
  t.notMatch(await notice.innerText(), /position|event 0|npm run/)
  await go('/health')
  await page.getByRole('region', { name: 'Lost events' }).getByText('Detected').waitFor()
  t.notMatch(await page.locator('#screen').innerText(), lost.eventId)
  t.same(await violationsInBothThemes(page), [])

  await go('/sandbox')
  const scenarios = page.getByRole('region', { name: 'Scenarios' })
  await scenarios.getByText(promise).waitFor()
  const run = scenarios.getByRole('button').first()
  t.equal(await run.getAttribute('aria-disabled'), 'true', 'a scenario would create a guide')
  t.same(await violationsInBothThemes(page), [])
  await recover()
  await scenarios.getByText(promise).waitFor({ state: 'detached' })
  await page.locator('#screen button[aria-disabled="true"]').waitFor({ state: 'detached' })
  await close()
})
