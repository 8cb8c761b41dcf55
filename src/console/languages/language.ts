import { i18n } from '@lingui/core'
import { compileMessagesOnUse } from './compiled-messages.ts'

/** The languages of the console, each by its own name. English is the source of the texts. */
export const languages = { en: 'English', es: 'Español' } as const
export type Language = keyof typeof languages

/** In localStorage, so that the choice holds for this browser. */
const storageName = 'shipping-ledger.language'
/** Numbers in Spanish, if the browser names no country: as in Latin America. */
const regions: Readonly<Record<Language, string>> = { en: 'en', es: 'es-419' }

/** Sets the language that was chosen in this browser, or else the first one that it prefers. */
export async function startLanguage(): Promise<void> {
  compileMessagesOnUse()
  const chosen = localStorage.getItem(storageName)
  const tags = chosen === null ? navigator.languages : [chosen]
  await activate(tags.map(languageOf).find((language) => language !== null) ?? 'en')
}

/** Changes the language of the whole console, and remembers it in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activate(language)
  localStorage.setItem(storageName, language)
}

export function currentLanguage(): Language {
  return languageOf(i18n.locale) ?? 'en'
}

const formats = new Map<string, Intl.NumberFormat>()

/** A number in the current language, as in the browser's own country. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  const name = `${i18n.locale} ${JSON.stringify(options)}`
  const format = formats.get(name) ?? new Intl.NumberFormat(i18n.locales, options)
  formats.set(name, format)
  return format.format(value)
}

async function activate(language: Language): Promise<void> {
  const messages = language === 'es' ? (await import('./es.json')).default : {}
  const own = navigator.languages.filter((tag) => languageOf(tag) === language)
  i18n.load(language, messages)
  i18n.activate(language, [...own, regions[language]])
  document.documentElement.lang = language
}

function languageOf(tag: string): Language | null {
  const [language = ''] = tag.toLowerCase().split('-')
  return Object.hasOwn(languages, language) ? (language as Language) : null
}
