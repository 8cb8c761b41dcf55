/** The languages of documents for people. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** Spanish numbers are written as in Peru, with a decimal point. */
const numberLocales: Readonly<Record<Language, string>> = { en: 'en', es: 'es-PE' }

/** By language and decimals: a claim formats thousands of amounts, and a format is slow to make. */
const numberFormats = new Map<string, Intl.NumberFormat>()

/** Digits are not grouped, so that a number can be searched for. */
export function numberFormat(
  language: Language,
  decimals: { readonly min: number; readonly max: number },
): Intl.NumberFormat {
  const key = `${language} ${decimals.min} ${decimals.max}`
  const format =
    numberFormats.get(key) ??
    new Intl.NumberFormat(numberLocales[language], {
      useGrouping: false,
      minimumFractionDigits: decimals.min,
      maximumFractionDigits: decimals.max,
    })
  numberFormats.set(key, format)
  return format
}

/** With as many decimals as it has, up to six. */
export function numberText(value: number, language: Language): string {
  return numberFormat(language, { min: 0, max: 6 }).format(value)
}

/** `1 line`, `2 lines`, `0 lines`: both languages count alike. */
export function counted(count: number, one: string, other: string): string {
  return `${count} ${count === 1 ? one : other}`
}

/** English lists have no comma before `and`. */
const listLocales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es' }

/** `A, B and C` */
export function listed(words: readonly string[], language: Language): string {
  return new Intl.ListFormat(listLocales[language], { type: 'conjunction' }).format(words)
}
