import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { JsonObject } from '../domain/decider.ts'
import { noteLengthMax, proseText, text } from '../domain/fields.ts'
import { type IdPrefix, isId } from '../domain/ids.ts'
import { printable } from '../http/openapi/schemas.ts'
import type { OpenLedgers, OpenLedgersOptions } from './open-ledgers.ts'
import type { CommandServices } from './open-services.ts'

export type Flag = {
  /** The placeholder of the value in the help; absent for a flag without a value. */
  readonly value?: string
  readonly required?: boolean
  /** The flag may be given several times. Its values are in `Call.lists`, not in `Call.flags`. */
  readonly isList?: boolean
  readonly allowed?: readonly string[]
  /** The value is an id with this prefix. */
  readonly id?: IdPrefix
  readonly description: string
}

export type Call = {
  /** The given flags by name. */
  readonly flags: ReadonlyMap<string, string>
  /** The values of repeatable flags, in order. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** The argument without a flag; empty if the command takes none. */
  readonly subject: string
  readonly asJson: boolean
  readonly write: (line: string) => void
  /** Writes to standard error, for progress. */
  readonly writeError: (line: string) => void
  /** Resolves a file name against the user's current folder. */
  readonly pathOf: (name: string) => string
  /** Whether standard error is a terminal: progress is then shown without the flag. */
  readonly isWatched: boolean
  /** The value of LEDGER_OPERATOR. Throws StartError if the configuration is wrong. */
  readonly operator: () => string | undefined
  /** The name of the operating system's user for the audit; null if it has no name. */
  readonly systemUser: string | null
  /** Connects on the first call. */
  readonly open: () => Promise<CommandServices>
  /** Opens two event stores; the command closes them. */
  readonly openLedgers: (options: OpenLedgersOptions) => Promise<OpenLedgers>
}

/** The answer of a command, as JSON and as text. `exit` (exit-codes.ts) defaults to `fine`. */
export type CommandResult = {
  readonly json: JsonObject
  readonly text: string
  readonly exit?: 'fine' | 'found' | 'undecided'
}

export type Command = {
  readonly name: string
  readonly summary: string
  /** The name of the argument without a flag in the help. */
  readonly subject?: string
  /** The argument is an id with this prefix. */
  readonly subjectId?: IdPrefix
  /** The argument is optional, because a flag can name the subject instead. */
  readonly isSubjectOptional?: boolean
  readonly flags: Readonly<Record<string, Flag>>
  /** Command lines for the help, without the program's name. */
  readonly examples: readonly string[]
  readonly run: (call: Call) => Promise<CommandResult>
}

/** The command line does not match the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command refuses to do what was asked. The message is one sentence. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/**
 * The command cannot decide, because something could not be reached or read. The message is one
 * sentence.
 */
export class Undecided extends Error {
  override readonly name = 'Undecided'
}

const namedByIds: Readonly<Partial<Record<IdPrefix, string>>> = {
  org: 'An organization',
  key: 'A key',
  ws: 'A workspace',
  shp: 'A shipment',
  op: 'An operation',
  whe: 'A webhook endpoint',
  dlv: 'A delivery',
  opr: 'An operator',
}

function requireId(prefix: IdPrefix | undefined, text: string): void {
  if (prefix === undefined || isId(prefix, text)) return
  throw new UsageError(`${namedByIds[prefix] ?? 'It'} must be given by its id (${prefix}_…).`)
}

/** Replaces data in JSON that only the owner of a resource may read. */
export const withheld = { withheld: true } as const

/** The most rows that are printed. For more, use the API or the database. */
export const rowsMax = 1000

/** Checks the arguments after the command's name against its table. Throws UsageError. */
export function readArguments(command: Command, args: readonly string[]) {
  const { values: given, positionals } = parsed(command, args)
  const values: Readonly<Record<string, unknown>> = given
  const expected = command.subject === undefined ? 0 : 1
  if (positionals.length > expected)
    throw new UsageError(`"${positionals[expected]}" is an unexpected argument.`)
  if (positionals.length < expected && command.isSubjectOptional !== true)
    throw new UsageError(`<${command.subject}> is missing.`)
  if (positionals[0] !== undefined) requireId(command.subjectId, positionals[0])
  const flags = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  for (const [name, flag] of Object.entries(command.flags)) {
    const value = values[name]
    if (value === undefined) {
      if (flag.required === true) throw new UsageError(`--${name} is missing.`)
      continue
    }
    if (Array.isArray(value)) {
      lists.set(
        name,
        value.map((one) => textOf(name, flag, one)),
      )
    } else flags.set(name, textOf(name, flag, value))
  }
  return { flags, lists, subject: positionals[0] ?? '', asJson: values.json === true }
}

function textOf(name: string, flag: Flag, value: unknown): string {
  const text = value === true ? '' : String(value).trim()
  if (flag.value !== undefined && text === '') throw new UsageError(`--${name} is empty.`)
  if (!printable().safeParse(text).success) {
    throw new UsageError(`--${name} contains control characters.`)
  }
  if (flag.allowed !== undefined && !flag.allowed.includes(text)) {
    throw new UsageError(`--${name} must be one of ${flag.allowed.join(', ')}.`)
  }
  requireId(flag.id, text)
  return text
}

/** Reads the http or https address in a flag. Throws UsageError. */
export function readAddress(flag: string, text: string, example: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new UsageError(`--${flag} is not an address like ${example}.`)
}

/** A time with its zone, or a day, which begins at midnight UTC. */
const timeOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** Reads the time in a flag, in ms since 1970. Throws UsageError. */
export function readTime(flag: string, text: string, expected = 'a time'): number {
  // Date.parse also accepts texts that are not dates, such as "1", and reads 30 February as 2
  // March.
  if (timeOrDay.safeParse(text).success) return Date.parse(text)
  throw new UsageError(`--${flag} must be ${expected} like 2027-01-31T00:00:00Z.`)
}

/** Reads the note in a flag, by the API's rules. Throws UsageError. */
export function noteIn(call: Call): string {
  return textIn(call, 'note', text(noteLengthMax))
}

/** Reads the comment in a flag, which may have several lines. Throws UsageError. */
export function commentIn(call: Call): string {
  return textIn(call, 'text', proseText(noteLengthMax))
}

function textIn({ flags }: Call, flag: string, schema: z.ZodType<string>): string {
  const { data } = schema.safeParse(flags.get(flag) ?? '')
  if (data !== undefined) return data
  throw new UsageError(
    `--${flag} must be 1 to ${noteLengthMax} characters of text, without control characters.`,
  )
}

/**
 * Reads `--limit -1` as `--limit=-1`: a negative number is a value, which the command then checks.
 */
function withNegatives(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const last = joined.at(-1)
    if (/^-\d/.test(arg) && last !== undefined && /^--[^=]+$/.test(last)) {
      joined[joined.length - 1] = `${last}=${arg}`
    } else joined.push(arg)
  }
  return joined
}

type Token = { readonly kind: string; readonly name?: string }

/** With two values it is unclear which one was meant. */
function refuseRepeated(command: Command, tokens: readonly Token[]): void {
  const seen = new Set<string>()
  for (const { kind, name } of tokens) {
    if (kind !== 'option' || name === undefined) continue
    const isOne = command.flags[name]?.value !== undefined && command.flags[name].isList !== true
    if (isOne && seen.has(name)) throw new UsageError(`--${name} can be given only once.`)
    seen.add(name)
  }
}

function parsed(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, flag]) => [
      name,
      {
        type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: flag.isList === true,
      },
    ]),
  )
  try {
    const { tokens, ...given } = parseArgs({
      args: withNegatives(args),
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
      tokens: true,
    })
    refuseRepeated(command, tokens)
    return given
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (!(error instanceof Error)) throw new UsageError('The command line cannot be parsed.')
    const flag = /^Option '(--[a-z-]+)[^']*' argument (?:is ambiguous|missing)/.exec(
      error.message,
    )?.[1]
    throw new UsageError(
      flag === undefined
        ? firstSentence(error.message)
        : `${flag} needs a value. Write one that begins with a hyphen as ${flag}=VALUE.`,
    )
  }
}

function firstSentence(text: string): string {
  return `${text.split(/\.\s|\n/)[0]?.replace(/\.$/, '')}.`
}

/** `1 event`, `2 events`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/**
 * Replaces control characters: tampered data can contain anything, and a terminal would execute
 * them.
 */
export function printed(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?')
}

/** Formats rows as columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
