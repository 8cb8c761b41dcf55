import MiniSearch from 'minisearch'
import { type Passage, searchOptions } from './search-options.ts'

/** Readers look only at the first few. */
const resultsMax = 12
const indexAddress = '/docs/search-index.json'

/** Loaded when the search is first opened. */
let index: Promise<MiniSearch<Passage>> | null = null

async function loadIndex(): Promise<MiniSearch<Passage>> {
  const response = await fetch(indexAddress)
  if (!response.ok) throw new Error(`${indexAddress} answered ${response.status}.`)
  return MiniSearch.loadJSON<Passage>(await response.text(), searchOptions)
}

/** Searches the whole site in the browser. */
export function answerSearch(): void {
  const dialog = element<HTMLDialogElement>('dialog.search')
  const input = element<HTMLInputElement>('dialog.search input')
  const open = () => {
    index ??= loadIndex()
    dialog.showModal()
    input.select()
  }
  element('[data-open-search]').addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const isWriting = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    const isCalled =
      ((event.ctrlKey || event.metaKey) && event.key === 'k') || (event.key === '/' && !isWriting)
    if (!isCalled || dialog.open) return
    event.preventDefault()
    open()
  })
  dialog.addEventListener('click', ({ target }) => {
    // The dialog itself is hit only outside of its content; a result may lead to this page.
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close()
  })
  dialog.addEventListener('keydown', (event) => moveFocus(event, dialog))
  input.addEventListener('input', () => void show(input.value.trim()))
}

async function show(text: string): Promise<void> {
  const said = element('dialog.search [role="status"]')
  const list = element('dialog.search ul')
  try {
    index ??= loadIndex()
    const found = text === '' ? [] : (await index).search(text)
    if (text !== element<HTMLInputElement>('dialog.search input').value.trim()) return
    list.replaceChildren(...found.slice(0, resultsMax).map(resultOf))
    said.textContent = text !== '' && found.length === 0 ? `No results for “${text}”.` : ''
  } catch {
    index = null
    said.textContent = 'The search index could not be loaded. Reload the page.'
  }
}

function resultOf({ title, heading, address, opening }: Record<string, string>): HTMLElement {
  const link = document.createElement('a')
  link.href = address ?? ''
  const name = document.createElement('strong')
  name.textContent = heading === '' ? (title ?? '') : `${title}: ${heading}`
  const start = document.createElement('span')
  start.textContent = opening ?? ''
  link.append(name, start)
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** The arrow keys move between the input and the results; Enter in the input opens the first. */
function moveFocus(event: KeyboardEvent, dialog: HTMLDialogElement): void {
  const stops = [...dialog.querySelectorAll<HTMLElement>('input, li a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Enter' && at === 0) {
    event.preventDefault()
    stops[1]?.click()
  }
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  stops[Math.max(to, 0)]?.focus()
}

function element<T extends HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}
