import t from 'tap'
import { consoleUnderTest, violations } from './console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested

t.test(
  'an unconfirmed guide is recorded after a warning and shown even once contradicted',
  async (t) => {
    const { body } = await shop.create('in-doubt', { scenario: 'lost_response_human_review' })
    await shop.advance('PT8H1M')
    const { page, enter, go, troubles, close } = await visit()
    // It belongs to no operator, so the dialog asks who decides.
    await enter(await keyOf({}))
    await page.getByRole('link', { name: 'in-doubt' }).click()
    await page.getByText('No look had a clear answer before the deadline').waitFor()
    const evidence = page.getByRole('region', { name: 'Evidence' })
    await evidence
      .getByText(/courier error \(5\d\d\)/)
      .first()
      .waitFor()

    await page.getByRole('button', { name: 'Resolve…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/guide exists/).check()
    const number = dialog.getByLabel('Guide number')
    await number.fill('<script>')
    await dialog.getByLabel(/Note/).fill('Told at the counter')
    await dialog.getByLabel(/Decided by/).fill('ana')
    await dialog.getByRole('button', { name: 'Review' }).click()
    t.ok(await number.isVisible(), 'that is no guide number')
    await number.fill('G-1')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Record the decision' }).click()
    const question = dialog.getByRole('alert')
    await question.getByText('Record the decision unconfirmed?').waitFor()
    t.match(await question.innerText(), /could not be asked/)
    t.same(await violations(page), [])
    await dialog.getByRole('button', { name: 'Ask again' }).click()
    await question.getByText('Record the decision unconfirmed?').waitFor()
    await dialog.getByRole('button', { name: 'Record it unconfirmed' }).click()

    const decision = page.getByRole('region', { name: 'Decision' })
    await decision.getByText('unconfirmed').waitFor()
    t.match(await decision.innerText(), /G-1[\s\S]*ana/)
    t.notOk(
      await page.getByRole('button', { name: 'Look now' }).isDisabled(),
      'it may be confirmed',
    )
    t.same(await violations(page), [])
    await go('/operations?tab=unconfirmed')
    await page.getByRole('link', { name: 'in-doubt' }).click()
    await decision.getByText('unconfirmed').waitFor()

    await shop.advance('P8D')
    await page.getByText('Evidence contradicted the conclusion').waitFor()
    t.match(await decision.innerText(), /contradicted[\s\S]*G-1[\s\S]*ana/, 'it stays on the page')
    await decision.getByRole('button', { name: 'Show the note' }).click()
    t.match(await decision.innerText(), /Told at the counter/)
    t.same(await violations(page), [])
    await go('/operations?tab=contradicted')
    await page.getByRole('link', { name: 'in-doubt' }).click()
    await page.getByRole('button', { name: 'Resolve…' }).click()
    await dialog.getByLabel(/guide exists/).check()
    await dialog.getByLabel(/^SG\d+$/).check()
    await dialog.getByLabel(/Note/).fill('The courier lists it')
    await dialog.getByLabel(/Decided by/).fill('eva')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Record the decision' }).click()
    await decision.getByRole('heading', { name: 'Decisions' }).waitFor()
    t.match(await decision.innerText(), /eva[\s\S]*contradicted[\s\S]*G-1[\s\S]*ana/)

    await page.getByRole('link', { name: /^shp_/ }).click()
    const operations = page.getByRole('region', { name: 'Operations' })
    await operations.getByText('guide exists').waitFor()
    t.same(await violations(page), [])
    await operations.getByRole('link').click()
    await page.waitForURL(`**/console/operations/${body.operation_id}`)
    t.same(troubles, [])
    t.same(unexpectedRequests(), [])
    await close()
  },
)
