import { programBlock } from './code-block.ts'
import type { Program } from './sample-programs.ts'

type Tabbed = {
  readonly programs: readonly Program[]
  readonly variables: readonly string[]
  /** The prefix of the element ids. */
  readonly id: string
}

/**
 * One call in several languages, as tabs; choose-language.ts switches them. Without
 * scripts all of them are shown, each under its name.
 */
export function languageTabs({ programs, variables, id }: Tabbed): string {
  const [first] = programs
  const tabs = programs.map(({ label, language }) => {
    const state =
      language === first?.language ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"'
    return `<button type="button" role="tab" id="${id}-${language}" aria-controls="${id}-${language}-code" data-language="${language}" ${state}>${label}</button>`
  })
  const panels = programs.map((program) => {
    const { label, language } = program
    const state = language === first?.language ? '' : ' hidden'
    return (
      `<div role="tabpanel" id="${id}-${language}-code" aria-labelledby="${id}-${language}" data-language="${language}"${state}>` +
      `<p class="language-name">${label}</p>${programBlock(program, variables)}</div>`
    )
  })
  return (
    `<div class="languages not-content"><div class="language-tabs" role="tablist" aria-label="Language of the sample">${tabs.join('')}</div>` +
    `${panels[0]}<!--other languages-->${panels.slice(1).join('')}<!--end--></div>\n`
  )
}
