/** The literal syntax of a programming language. */
export type Dialect = {
  readonly indent: string
  /** The brackets of an object on one line. */
  readonly object: readonly [string, string]
  readonly member: (name: string, value: string) => string
  readonly quote: '"' | "'"
  /** Whether the last of several lines also ends with a comma. */
  readonly hasLastComma: boolean
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>
  /** How a string includes environment variables; null if it cannot. */
  readonly variables: {
    readonly read: (name: string) => string
    /** Concatenates the parts of a string. */
    readonly plus: string
  } | null
}

/** Longer values are written on several lines. */
const lineWidth = 60

/** In a text, `$NAME` stands for the value of that environment variable. */
const variable = /\$([A-Z][A-Z_]+)/

/** The distinct names of the variables in a text. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set(text.split(variable).filter((_, at) => at % 2 === 1))]
}

/** A string as source code, with its variables read from the environment. */
export function textLiteral(text: string, dialect: Dialect): string {
  const { quote, variables } = dialect
  const quoted = (part: string) =>
    quote + part.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
  if (variables === null || text === '') return quoted(text)
  return text
    .split(variable)
    .map((part, at) => (at % 2 === 1 ? variables.read(part) : part === '' ? '' : quoted(part)))
    .filter((part) => part !== '')
    .join(variables.plus)
}

/** A JSON value as source code. */
export function literal(value: unknown, dialect: Dialect, outer = ''): string {
  if (typeof value === 'string') return textLiteral(value, dialect)
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) {
    return dialect.constants[String(value) as keyof Dialect['constants']]
  }
  const inner = outer + dialect.indent
  const written = (each: unknown) => literal(each, dialect, inner)
  const [brackets, members] = Array.isArray(value)
    ? [['[', ']'] as const, value.map(written)]
    : [
        dialect.object,
        Object.entries(value).map(([name, each]) => dialect.member(name, written(each))),
      ]
  const line = brackets[0] + members.join(', ') + brackets[1]
  if (line.length <= lineWidth && !line.includes('\n')) return line
  const lines = members.map((member) => `${inner}${member}`).join(',\n')
  const end = dialect.hasLastComma ? ',' : ''
  return `${brackets[0].trim()}\n${lines}${end}\n${outer}${brackets[1].trim()}`
}
