import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readImages, readZpl } from '../support/read-images.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)
const { workspaceId } = shop.seeded

t.test("a shop's format is saved, and its labels are printed in it or in another", async (t) => {
  const { body } = await shop.create('printed')
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/workspaces/${workspaceId}`)
  await page.getByText('PDF, one label a page (A6)').waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change…' }).click()
  t.equal(await dialog.getByLabel('Resolution').count(), 0, 'a PDF has none')
  await dialog.getByLabel('Labels as').selectOption('ZPL')
  await dialog.getByLabel('Size of labels').selectOption('4 × 6 inches')
  await dialog.getByLabel('Resolution').selectOption('300 dpi')
  await dialog.getByLabel('Print the order and the name of the shop').check()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('ZPL, 4 × 6 inches, 300 dpi, with order and shop').waitFor()
  const format = { format: 'zpl', size: '4x6', dpi: 300, caption: true }
  t.strictSame((await shop.call(`/v1/workspaces/${workspaceId}`)).body.label_format, format)

  await go(`/shipments/${body.id}`)
  const label = page.getByRole('region', { name: 'Label', exact: true })
  const choice = label.getByLabel('Format of the label')
  t.equal(await choice.locator(':checked').innerText(), 'As saved for the shop')
  const printed = async () => {
    const download = page.waitForEvent('download')
    await label.getByRole('button', { name: 'Show the label' }).click()
    const file = await download
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  const saved = await printed()
  t.equal(saved.name, `label-printed-${body.guide_number}.zpl`)
  t.strictSame((await readZpl(saved.bytes, 300))[0]?.barcodes, [body.guide_number])
  await choice.selectOption('PNG, A6, 300 dpi')
  const chosen = await printed()
  t.equal(chosen.name, `label-printed-${body.guide_number}.png`)
  t.strictSame((await readImages(chosen.bytes))[0]?.barcodes, [body.guide_number])
  t.same(await violationsInBothThemes(page), [])
  await go('/shipments')
  await go(`/shipments/${body.id}`)
  t.equal(await choice.locator(':checked').innerText(), 'PNG, A6, 300 dpi', 'it is remembered')
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})
