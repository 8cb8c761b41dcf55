/** How a programming language writes values. */
export type Dialect = {
  readonly indent: string
  /** Around the members of an object, on one line. */
  readonly object: readonly [string, string]
  readonly member: (name: string, value: string) => string
  readonly quote: '"' | "'"
  /** Whether the last of several lines ends with a comma too. */
  readonly hasLastComma: boolean
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>
  /** How a text takes up variables of the environment. Null: it cannot. */
  readonly variables: {
    readonly read: (name: string) => string
    /** Between the parts of a text. */
    readonly plus: string
  } | null
}

/** Longer values are written on several lines. */
const lineWidth = 60

/** In a text, `$NAME` stands for the value of that variable of the environment. */
const variable = /\$([A-Z][A-Z_]+)/

/** The names of the variables in a text, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set(text.split(variable).filter((_, at) => at % 2 === 1))]
}

/** A text as the source of a program, which puts in the values of its variables. */
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

/** A JSON value as the source of a program. */
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
