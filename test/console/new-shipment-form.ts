import type { Page } from 'playwright-core'

type Way = {
  readonly originId: string
  readonly destinationId: string
  readonly productId: string
}

/** Chooses the agencies and the product at one courier, by its code if there are several. */
export async function chooseWay(page: Page, way: Way, code: string | null = null): Promise<void> {
  const at = code === null ? '' : ` (${code})`
  await page.getByLabel(`Agencies found for Origin agency${at}`).selectOption(way.originId)
  await page
    .getByLabel(`Agencies found for Destination agency${at}`)
    .selectOption(way.destinationId)
  await page.getByLabel(`Kind of parcel${at}`).selectOption(way.productId)
}

/** A parcel that every product of the tests takes. */
export async function fillInMeasures(page: Page): Promise<void> {
  const measures = { 'Weight (kg)': '0.8', 'Height (m)': '0.05', 'Length (m)': '0.2' }
  for (const [label, value] of Object.entries({ ...measures, 'Width (m)': '0.15' })) {
    await page.getByLabel(label).fill(value)
  }
}

/** What every order has. */
export async function fillInOrder(page: Page, reference: string): Promise<void> {
  const order = page.getByRole('region', { name: '3. The order' })
  await order.getByLabel('Order').fill(reference)
  await order.getByLabel('Content').fill('Books')
  await order.getByLabel('Document number').fill('45678912')
  await order.getByLabel('Given names').fill('Ana')
  await order.getByLabel('Family names').fill('Torres')
}
