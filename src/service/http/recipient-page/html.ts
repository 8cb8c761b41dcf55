/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | readonly Part[]

/**
 * HTML with escaped values: text is shown as it is, whatever it contains. Values may stand between
 * tags and in quoted attributes, and nowhere else. Null and false are nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(
    strings.reduce((text, string, index) => {
      const value = values[index - 1] ?? null
      return `${text}${textOf(value)}${string}`
    }),
  )
}

function textOf(value: Part): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(textOf).join('')
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
