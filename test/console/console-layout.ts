import type { Page } from 'playwright-core'

/** Column headings that are not aligned with their cells. */
export function misplacedColumns(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const cells = [...document.querySelector('.table-row').children]
    return [...document.querySelectorAll('.table-names th')]
      .filter((th, n) => Math.abs(th.getBoundingClientRect().x - cells[n].getBoundingClientRect().x) > 1)
      .map((th) => th.innerText)
  })()`) as Promise<readonly string[]>
}

/** Cells of the first row whose content is truncated. */
export function cutCells(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelector('.table-row').children]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => cell.dataset.name)`) as Promise<readonly string[]>
}

/** Badges of the rows that do not fit into their cells. */
export function cutBadges(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('.table-row .badge')]
    .filter((badge) => {
      const cell = badge.closest('td').getBoundingClientRect()
      return badge.getBoundingClientRect().right > cell.right + 0.5
    })
    .map((badge) => badge.closest('td').innerText)`) as Promise<readonly string[]>
}

/** Pixels by which the screen overflows its width. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const main = document.querySelector('main')
    return main.scrollWidth - main.clientWidth
  })()`) as Promise<number>
}

/** Whether the topmost element in the middle of the first match belongs to a dialog. */
export function isInTopDialog(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
    const seen = document.elementFromPoint(x + width / 2, y + height / 2)
    return seen.closest('[role=dialog]') !== null
  })()`) as Promise<boolean>
}

/** The computed value of a CSS property of the first match. */
export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    .getPropertyValue(${JSON.stringify(property)})`) as Promise<string>
}
