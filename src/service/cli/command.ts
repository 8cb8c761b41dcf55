import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { JsonObject } from '../domain/decider.ts'
import { type IdPrefix, isId } from '../domain/ids.ts'
import { printable } from '../http/openapi/schemas.ts'
import type { Administration } from './administration.ts'
import type { OpenLedgers, OpenLedgersOptions } from './open-ledgers.ts'

export type Flag = {
  /** The placeholder for the value in the help; absent if the flag has no value. */
  readonly value?: string
  readonly required?: boolean
  /** It may be given several times: the values are in `Call.lists`, not in `Call.flags`. */
  readonly isList?: boolean
  readonly allowed?: readonly string[]
  /** The value is an id with this prefix. */
  readonly id?: IdPrefix
  readonly description: string
}

export type Call = {
  /** The given flags by name. */
  readonly flags: ReadonlyMap<string, string>
  /** The values of the given flags that may occur several times, in their order. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** The argument without a flag; empty when the command takes none. */
  readonly subject: string
  readonly asJson: boolean
  readonly write: (line: string) => void
  /** Writes beside the answer: the progress of long work. */
  readonly writeError: (line: string) => void
  /** Resolves a file name against the folder that the user is in. */
  readonly pathOf: (name: string) => string
  /** Standard error is a terminal, so progress is shown without asking for it. */
  readonly isWatched: boolean
  /** The value of LEDGER_OPERATOR. Throws StartError if the configuration is wrong. */
  readonly operator: () => string | undefined
  /** The user of the operating system, as the audit names it; null if there is none. */
  readonly systemUser: string | null
  /** Connects on the first call. */
  readonly open: () => Promise<Administration>
  /** Opens two event stores; the command closes them. */
  readonly openLedgers: (options: OpenLedgersOptions) => Promise<OpenLedgers>
}

/** What a command answers, to programs and to people. `exit` (exit-codes.ts) defaults to `fine`. */
export type Said = {
  readonly json: JsonObject
  readonly text: string
  readonly exit?: 'fine' | 'found' | 'undecided'
}

export type Command = {
  readonly name: string
  readonly summary: string
  /** The name in the help of the one argument without a flag. */
  readonly subject?: string
  /** That argument is an id with this prefix. */
  readonly subjectId?: IdPrefix
  /** That argument is optional, because a flag can name the subject instead. */
  readonly isSubjectOptional?: boolean
  readonly flags: Readonly<Record<string, Flag>>
  /** Command lines for the help, without the program's name. */
  readonly examples: readonly string[]
  readonly run: (call: Call) => Promise<Said>
}

/** The command line does not match the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command found a reason not to do what was asked. The message is one sentence. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/**
 * Something could not be reached or read, so the command cannot decide. The message is one
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
  bat: 'A batch',
}

function requireId(prefix: IdPrefix | undefined, text: string): void {
  if (prefix === undefined || isId(prefix, text)) return
  throw new UsageError(`${namedByIds[prefix] ?? 'It'} is named by its id (${prefix}_…).`)
}

/** Stands in JSON for data that only the owner of a resource may read. */
export const withheld = { withheld: true } as const

/** The most rows printed at once. For more, use the API or the database. */
export const rowsMax = 1000

/** Checks the arguments after the command's name against its table. Throws UsageError. */
export function readArguments(command: Command, args: readonly string[]) {
  const { values: given, positionals } = parsed(command, args)
  const values: Readonly<Record<string, unknown>> = given
  const expected = command.subject === undefined ? 0 : 1
  if (positionals.length > expected) throw new UsageError(`"${positionals[expected]}" is too much.`)
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
    throw new UsageError(`--${name} contains characters that cannot be shown.`)
  }
  if (flag.allowed !== undefined && !flag.allowed.includes(text)) {
    throw new UsageError(`--${name} must be one of ${flag.allowed.join(', ')}.`)
  }
  requireId(flag.id, text)
  return text
}

/** The http or https address that a flag names. Throws UsageError. */
export function readAddress(flag: string, text: string, example: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new UsageError(`--${flag} is not an address like ${example}.`)
}

/** A time with its zone, or a day, which begins at midnight UTC. */
const timeOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** The time that a flag names, in ms since 1970. Throws UsageError. */
export function readTime(flag: string, text: string, expected = 'a time'): number {
  // Date.parse accepts much that is not a date, such as "1", and turns 30 February into March.
  if (timeOrDay.safeParse(text).success) return Date.parse(text)
  throw new UsageError(`--${flag} must be ${expected} like 2027-01-31T00:00:00Z.`)
}

/**
 * Reads `--limit -1` as `--limit=-1`: a negative number is not a flag, and the command judges it.
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
    if (!(error instanceof Error)) throw new UsageError('Not understood.')
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

/** Tampered data can hold anything, and a terminal obeys control characters. */
export function printed(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?')
}

/** Rows under their titles, each column as wide as its widest cell. */
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
