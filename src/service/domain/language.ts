/** The languages of documents for people. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** Spanish numbers are written as in Peru, with a decimal point. */
export const numberLocales: Readonly<Record<Language, string>> = { en: 'en', es: 'es-PE' }

/** With its decimals. Digits are not grouped, so that a number can be searched for. */
export function numberText(value: number, language: Language): string {
  const format = { useGrouping: false, maximumFractionDigits: 6 } as const
  return new Intl.NumberFormat(numberLocales[language], format).format(value)
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
