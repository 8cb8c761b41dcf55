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
}

/** Longer values are written on several lines. */
const lineWidth = 60

/** A JSON value as the source of a program. */
export function literal(value: unknown, dialect: Dialect, outer = ''): string {
  if (typeof value === 'string') {
    const { quote } = dialect
    return quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
  }
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
