import t from 'tap'
import { consoleUnderTest, leftBehind, violations } from './console.ts'
import { cutBadges } from './console-layout.ts'

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
    await page.getByText('The courier gave no clear answer before the deadline').waitFor()
    const evidence = page.getByRole('region', { name: 'Evidence' })
    await evidence
      .getByText(/courier error \(5\d\d\)/)
      .first()
      .waitFor()

    t.notMatch(await evidence.innerText(), /Counts/, 'no look found nothing')
    const toDo = page.getByRole('region', { name: 'What to do' })
    await toDo.getByText(/^The courier may be down: \d+ of \d+ calls failed in the last/).waitFor()

    // The shipment's events are read once per version, and those of its operation too.
    await page.getByRole('link', { name: /^shp_/ }).click()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('OperationEscalated').waitFor()
    await page.goBack()
    const requests = page.getByRole('region', { name: 'Requests to the courier' }).getByRole('row')
    await requests.nth(2).waitFor()
    const before = await requests.count()
    await page.getByRole('button', { name: 'Ask the courier' }).click()
    await requests.nth(before).waitFor()
    await page.getByRole('button', { name: 'Ask the courier' }).click()
    const wait = page.getByRole('button', { name: /^Ask again in \d+ s$/ })
    await wait.waitFor()
    t.equal(
      await wait.getAttribute('aria-disabled'),
      'true',
      'it says at once when the next look is allowed',
    )

    await page.getByLabel('Snooze').selectOption({ label: 'For 4 hours' })
    await page.getByText(/Hidden from the work list until/).waitFor()
    await go('/')
    const service = page.getByRole('region', { name: 'Service', exact: true })
    await service.getByText(/\d+ of \d+ calls failed in the last hour/).waitFor()
    await page.getByRole('link', { name: /^Overdue 1/ }).click()
    await page.getByRole('link', { name: 'in-doubt' }).click()
    await page.getByLabel('Snooze').selectOption({ label: 'Stop snoozing' })

    await page.getByRole('button', { name: 'Resolve…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/guide exists/).check()
    const number = dialog.getByLabel('Guide number')
    await number.fill('<script>')
    await dialog.getByLabel(/Note/).fill('Told at the counter')
    await dialog.getByLabel(/Decided by/).fill('ana')
    await dialog.getByRole('button', { name: 'Review' }).click()
    t.ok(await number.isVisible(), 'not a guide number')
    await page.keyboard.press('Escape')
    await page.getByLabel('Comment').fill('half a')
    await go('/operations')
    t.notMatch(await leftBehind(page), /counter|half a/, 'a draft is only in memory')
    await page.getByRole('link', { name: 'in-doubt' }).click()
    t.equal(await page.getByLabel('Comment').inputValue(), 'half a')
    await page.getByRole('button', { name: 'Resolve…' }).click()
    t.equal(await dialog.getByLabel(/Note/).inputValue(), 'Told at the counter')
    await number.fill('G-1')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Record the decision' }).click()
    const question = dialog.getByRole('alert')
    await question.getByText('Record the decision unconfirmed?').waitFor()
    t.match(await question.innerText(), /could not be asked/)
    t.same(await violations(page), [])
    await dialog.getByRole('button', { name: 'Ask the courier again' }).click()
    await question.getByText('Record the decision unconfirmed?').waitFor()
    await dialog.getByRole('button', { name: 'Record it unconfirmed' }).click()

    const decision = page.getByRole('region', { name: 'Decision' })
    await decision.getByText('unconfirmed').waitFor()
    t.match(await decision.innerText(), /G-1[\s\S]*ana/)
    t.notOk(
      await page.getByRole('button', { name: 'Ask the courier' }).isDisabled(),
      'it may be confirmed',
    )
    t.same(await violations(page), [])
    await go('/operations?tab=unconfirmed')
    await page.getByRole('link', { name: 'in-doubt' }).click()
    await decision.getByText('unconfirmed').waitFor()

    await shop.advance('P8D')
    await page.getByText('Evidence contradicted the decision').waitFor()
    t.match(await decision.innerText(), /contradicted[\s\S]*G-1[\s\S]*ana/, 'it stays on the page')
    await decision.getByRole('button', { name: 'Show the note' }).click()
    t.match(await decision.innerText(), /Told at the counter/)
    t.same(await violations(page), [])
    await go('/operations?tab=unconfirmed')
    await page.getByText('No decided guides are waiting for the courier’s confirmation.').waitFor()
    await go('/operations?tab=contradicted')
    await page.getByRole('link', { name: 'in-doubt' }).waitFor()
    t.same(await cutBadges(page), [])
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
    const states = page.locator('.screen-head .badge')
    t.match(await states.allInnerTexts(), ['guide exists', 'was contradicted'])
    t.equal(await page.locator('.screen-head [data-tone="bad"]').count(), 0, 'shown as history')
    await go('/operations?tab=all')
    await page.locator('.table-row').getByText('was contradicted').waitFor()
    t.same(await cutBadges(page), [])
    await page.getByRole('link', { name: 'in-doubt' }).click()

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

/** After some looks, an operator opens the decision and chooses that nothing was created. */
async function choosesNothingCreated(operationId: string) {
  await shop.advance('PT3M')
  const visited = await visit()
  await visited.enter(shop.seeded.operatorKey)
  await visited.go(`/operations/${operationId}`)
  await visited.page.getByRole('button', { name: 'Resolve…' }).click()
  const dialog = visited.page.getByRole('dialog')
  await dialog.getByLabel(/nothing created/).check()
  return { ...visited, dialog }
}

t.test('nothing created is doubted while the courier lists guides', async (t) => {
  const { body } = await shop.create('two-listed', { scenario: 'duplicate_guides' })
  const { page, dialog, go, troubles, close } = await choosesNothingCreated(body.operation_id)
  await dialog.getByRole('checkbox', { name: /confirmed that they are void/ }).check()
  await dialog.getByLabel(/Note/).fill('x')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByText(/may be shipped and paid twice/).waitFor()
  t.match(await page.evaluate('document.activeElement.innerText'), 'Back')
  t.equal(await dialog.getByRole('button', { name: 'Record the decision' }).count(), 0)
  t.same(await violations(page), [])
  await dialog.getByRole('button', { name: 'Record against the evidence' }).click()
  const toDo = page.getByRole('region', { name: 'What to do' })
  await toDo
    .getByText(/The courier still listed SG\d+, SG\d+ when last asked\. .* cancel them/)
    .waitFor()
  await page.locator('.screen-head').getByText('guide to cancel').waitFor()

  await page.getByRole('button', { name: 'Ask the courier' }).click()
  await toDo.getByText(/the courier listed guides SG\d+, SG\d+\./).waitFor()
  await toDo.getByText('ask the courier to cancel these guides').waitFor()
  await toDo.getByText('This shop has no other shipments with this reference.').waitFor()
  const reference = { external_reference: 'two-listed' }
  const again = await shop.create('shipped-again', { scenario: 'happy_path', body: reference })
  await go('/operations')
  await go(`/operations/${body.operation_id}`)
  await toDo.getByRole('link', { name: again.body.guide_number }).waitFor()
  await toDo.getByRole('link', { name: 'Show them' }).click()
  await page.getByText('2 shipments', { exact: true }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test('nothing created without any clear look is recorded without evidence', async (t) => {
  const { body } = await shop.create('no-look', { scenario: 'lost_response_human_review' })
  const { page, dialog, go, troubles, close } = await choosesNothingCreated(body.operation_id)
  await dialog.getByLabel(/Note/).fill('x')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog
    .locator('.refusal')
    .getByText(/The courier never gave a clear answer/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Record without evidence' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The next one that waits for a decision opens by itself.
  await page.waitForURL((url) => !url.pathname.endsWith(body.operation_id))
  await go(`/operations/${body.operation_id}`)
  await page.getByText('this rests on the note alone').waitFor()
  t.same(troubles, [])
  await close()
})
