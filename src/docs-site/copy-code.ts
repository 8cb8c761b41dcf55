/** How long "Copied" stays. */
const copiedForMs = 1_500

/** The copy buttons are part of the article's HTML, so one listener handles all of them. */
export function answerCopyButtons(): void {
  document.addEventListener('click', async ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || !target.matches('.copy-code')) return
    const code = target.parentElement?.querySelector('code')
    if (code === null || code === undefined) return
    try {
      await navigator.clipboard.writeText(code.innerText.trimEnd())
      target.textContent = 'Copied'
    } catch {
      // Without https there is no clipboard.
      getSelection()?.selectAllChildren(code)
      target.textContent = 'Selected'
    }
    setTimeout(() => {
      target.textContent = 'Copy'
    }, copiedForMs)
  })
}
