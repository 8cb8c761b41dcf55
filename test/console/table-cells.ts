import type { Page } from 'playwright-core'

/** The rows of a named table as the texts of their cells, or what is typed in them. */
export async function rowsOf(page: Page, name: string): Promise<readonly (readonly string[])[]> {
  await page.getByRole('region', { name }).waitFor()
  return await page.evaluate(`
    [...document.querySelectorAll('section[aria-label=${JSON.stringify(name)}] tbody tr')].map((row) =>
      [...row.cells].map((cell) => cell.querySelector('input')?.value ?? cell.innerText))`)
}
