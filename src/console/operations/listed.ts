import { i18n } from '@lingui/core'

/** `SG1, SG2`, or as the current language lists things. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(i18n.locales, { type: 'unit', style: 'short' }).format(names)
}

const shownMax = 4

/** Like `listed`, for sentences that may not grow too long. */
export function listedInShort(names: readonly string[]): string {
  const shown = listed(names.slice(0, shownMax))
  return names.length > shownMax ? `${shown} …` : shown
}
