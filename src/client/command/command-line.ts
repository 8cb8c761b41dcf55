import { parseArgs } from 'node:util'

export type Flag = {
  /** The placeholder of the value in the help; absent for a flag without a value. */
  readonly value?: string
  /** The flag may be given several times. Its values are in `Call.lists`. */
  readonly isList?: boolean
  readonly required?: boolean
  readonly description: string
}

export type Environment = {
  readonly write: (line: string) => void
  /** Writes to standard error, for progress. */
  readonly writeError: (line: string) => void
  /** Whether standard error is a terminal: progress is then shown without the flag. */
  readonly isWatched: boolean
  /** Resolves a file name against the user's current folder. */
  readonly pathOf: (name: string) => string
  /** The value of an environment variable. */
  readonly variable: (name: string) => string | undefined
}

export type Call = Environment & {
  /** The given flags by name. A flag without a value is the empty text. */
  readonly flags: ReadonlyMap<string, string>
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** The argument without a flag; empty if the command takes none. */
  readonly subject: string
  readonly asJson: boolean
}

/** The answer of a command, as JSON and as text; null if it has written all that it has to say. */
export type CommandResult = {
  readonly json: object
  readonly text: string
  readonly exit?: 'fine' | 'found'
} | null

export type Command = {
  readonly name: string
  readonly summary: string
  /** The name of the argument without a flag in the help. */
  readonly subject?: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Command lines for the help, without the program's name. */
  readonly examples: readonly string[]
  readonly run: (call: Call) => Promise<CommandResult>
}

/** The same codes as those of the service's own command line. */
export const exitCodes = { fine: 0, found: 1, undecided: 2, usage: 64 } as const

/** The command line does not match the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command refuses to do what was asked. The message is one sentence. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** The service could not be reached, so the command cannot decide. The message is one sentence. */
export class Undecided extends Error {
  override readonly name = 'Undecided'
}

/** Checks the arguments after the command's name against its table. Throws UsageError. */
export function readArguments(command: Command, args: readonly string[]) {
  const { values, positionals } = parsed(command, args)
  const { subject } = command
  const [given = '', ...others] = positionals
  const unexpected = subject === undefined ? positionals[0] : others[0]
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is an unexpected argument.`)
  if (subject !== undefined && given === '') throw new UsageError(`<${subject}> is missing.`)
  const flags = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  for (const [name, flag] of Object.entries(command.flags)) {
    const all = [values[name] ?? []].flat()
    if (all.length === 0) {
      if (flag.required === true) throw new UsageError(`--${name} is missing.`)
      continue
    }
    if (all.length > 1 && flag.isList !== true) {
      throw new UsageError(`--${name} can be given only once.`)
    }
    const texts = all.map((value) => textOf(name, flag, value))
    if (flag.isList === true) lists.set(name, texts)
    else flags.set(name, texts[0] ?? '')
  }
  return { flags, lists, subject: given, asJson: values.json !== undefined }
}

function textOf(name: string, flag: Flag, value: unknown): string {
  if (flag.value === undefined) return ''
  const text = String(value).trim()
  if (text === '') throw new UsageError(`--${name} is empty.`)
  if (/\p{Cc}/u.test(text)) throw new UsageError(`--${name} contains control characters.`)
  return text
}

function parsed(command: Command, args: readonly string[]) {
  const flags = Object.entries(command.flags).map(([name, { value }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
  ])
  const options = { ...Object.fromEntries(flags), json: { type: 'boolean' as const } }
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    })
    return { values: values as Readonly<Record<string, unknown>>, positionals }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The command line cannot be parsed'
    throw new UsageError(`${message.split(/\.\s|\n/)[0]?.replace(/\.$/, '')}.`, { cause: error })
  }
}

/** Reads the http or https address in a flag. Throws UsageError. */
export function readAddress(flag: string, text: string, example: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new UsageError(`--${flag} is not an address like ${example}.`)
}

const timeOrDay = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** Reads the time in a flag: with its zone, or a day, which begins at midnight UTC. Throws UsageError. */
export function readTime(flag: string, text: string): Date {
  const [, day] = timeOrDay.exec(text) ?? []
  // Date.parse reads 30 February as 2 March.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  if (isDay === true && !Number.isNaN(Date.parse(text))) return new Date(text)
  throw new UsageError(`--${flag} must be a time like 2027-01-31T00:00:00Z.`)
}

/** `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats rows as columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0))
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n')
}
