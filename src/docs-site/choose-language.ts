/** In localStorage, so that the next page shows the same language. */
const storageName = 'shipping-ledger.docs-language'
const tabsOf = '.language-tabs [role="tab"]'

/** The tabs are part of the article's HTML, so one listener handles all of them. */
export function answerLanguageTabs(): void {
  const kept = localStorage.getItem(storageName)
  if (kept !== null) showLanguage(kept)
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLElement && target.matches(tabsOf)) choose(target)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || !target.matches(tabsOf)) return
    const next = neighborOf(target, key)
    if (next === null) return
    event.preventDefault()
    choose(next)
    next.focus()
  })
}

/** The tab that a key moves to. */
function neighborOf(tab: HTMLElement, key: string): HTMLElement | null {
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
  const at = tabs.indexOf(tab)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[key]
  if (to === undefined) return null
  return tabs.at(to % tabs.length) ?? null
}

/** Changes all samples, and keeps the clicked tab at its position on the screen. */
function choose(tab: HTMLElement): void {
  const { language = '' } = tab.dataset
  const before = tab.getBoundingClientRect().top
  showLanguage(language)
  window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
  localStorage.setItem(storageName, language)
}

function showLanguage(language: string): void {
  for (const languages of document.querySelectorAll('.languages')) {
    const parts = [...languages.querySelectorAll<HTMLElement>('[data-language]')]
    if (!parts.some((part) => part.dataset.language === language)) continue
    for (const part of parts) {
      const isChosen = part.dataset.language === language
      if (part.getAttribute('role') === 'tabpanel') part.hidden = !isChosen
      else {
        part.setAttribute('aria-selected', String(isChosen))
        part.tabIndex = isChosen ? 0 : -1
      }
    }
  }
}
