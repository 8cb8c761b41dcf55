/** How a programming language writes values. */
export type Dialect = {
  readonly indent: string
  /** Around the members of an object. */
  readonly object: readonly [string, string]
  readonly member: (name: string, value: string) => string
  readonly quote: '"' | "'"
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>
}

/** A JSON value as the source of a program, on several lines if it has members. */
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
  const lines = members.map((member) => `${inner}${member},\n`).join('')
  return `${brackets[0]}\n${lines}${outer}${brackets[1]}`
}
