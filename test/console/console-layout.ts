import type { Page } from 'playwright-core'

/** Names of columns that do not stand over their cells. */
export function misplacedColumns(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const cells = [...document.querySelector('.table-row').children]
    return [...document.querySelectorAll('.table-names th')]
      .filter((th, n) => Math.abs(th.getBoundingClientRect().x - cells[n].getBoundingClientRect().x) > 1)
      .map((th) => th.innerText)
  })()`) as Promise<readonly string[]>
}

/** Cells of the first row that show less than they hold. */
export function cutCells(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelector('.table-row').children]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => cell.dataset.name)`) as Promise<readonly string[]>
}

/** Pixels by which the screen is wider than what is seen of it. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const main = document.querySelector('main')
    return main.scrollWidth - main.clientWidth
  })()`) as Promise<number>
}

/** Whether what is to be seen in the middle of the first such element is a dialog's. */
export function isOfDialog(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
    const seen = document.elementFromPoint(x + width / 2, y + height / 2)
    return seen.closest('[role=dialog]') !== null
  })()`) as Promise<boolean>
}

/** A property of the first such element, as it is computed. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    .getPropertyValue(${JSON.stringify(property)})`) as Promise<string>
}
