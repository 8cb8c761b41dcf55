import type { JsonObject } from '../domain/decider.ts'
import { Problem } from '../errors.ts'
import { EventStoreUnavailable } from '../event-store/event-store.ts'
import { redact } from '../security/redaction.ts'
import type { Administration } from './administration.ts'
import { type Command, printed, readArguments, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { exitCodes, exitOf, isDamage } from './exit-codes.ts'
import { helpOf, overview, usageOf } from './help.ts'
import type { OpenLedgers, OpenLedgersOptions } from './open-ledgers.ts'

type Surroundings = {
  /** Connects to the running service's database. */
  readonly open: () => Promise<Administration>
  readonly openLedgers: (options: OpenLedgersOptions) => Promise<OpenLedgers>
  readonly write: (line: string) => void
  readonly writeError: (line: string) => void
  /** Resolves a file name against the folder that the user is in. */
  readonly pathOf: (name: string) => string
  /** The value of LEDGER_OPERATOR. */
  readonly operator: () => string | undefined
  /** The user of the operating system, as the audit names it; null if there is none. */
  readonly systemUser: string | null
  /** Standard error is a terminal. */
  readonly isWatched: boolean
}

/**
 * Runs one command line and returns its exit code. It never throws. With --json it writes exactly
 * one line of JSON, whatever happens.
 */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  let administration: Promise<Administration> | undefined
  const open = () => {
    administration ??= around.open()
    return administration
  }
  try {
    return await perform(args, { ...around, open })
  } catch (error) {
    if (wantsJson(args)) around.write(JSON.stringify({ error: described(error) }))
    else around.writeError(sentence(error))
    return exitCodes[exitOf(error)]
  } finally {
    await administration?.then((one) => one.close()).catch(() => undefined)
  }
}

/** Works even if the rest of the command line cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

async function perform(args: readonly string[], around: Surroundings): Promise<number> {
  const command = commandOf(args)
  const wantsHelp = args.includes('--help') || args[0] === 'help'
  if (command === undefined) {
    const hasAsked = wantsHelp || args.length === 0
    if (hasAsked) around.write(overview(commands))
    else throw new UsageError(unknownCommand(args))
    return args.length === 0 ? exitCodes.usage : exitCodes.fine
  }
  if (wantsHelp) {
    around.write(helpOf(command))
    return exitCodes.fine
  }
  const given = parseFor(command, args.slice(command.name.split(' ').length))
  const said = await command.run({ ...given, ...around })
  if (given.asJson) around.write(JSON.stringify(said.json))
  else if (said.text !== '') around.write(said.text)
  return exitCodes[said.exit ?? 'fine']
}

function unknownCommand(args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-')).join(' ')
  const what = words === '' ? 'No command was given' : `There is no command "${words}"`
  return `${what}: --help lists them.`
}

function commandOf(args: readonly string[]): Command | undefined {
  const words = args[0] === 'help' ? args.slice(1) : args
  return commands.find((command) =>
    command.name.split(' ').every((word, index) => words[index] === word),
  )
}

function parseFor(command: Command, args: readonly string[]) {
  try {
    return readArguments(command, args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message} Usage: ${usageOf(command)}`, { cause: error })
  }
}

const ownReasons = { found: 'refused', undecided: 'undecided', usage: 'wrong_usage' } as const

/** The error for programs: the exit, the API's reason or ours, and the sentence. */
function described(error: unknown): JsonObject {
  const exit = exitOf(error)
  return {
    exit_code: exitCodes[exit],
    reason:
      error instanceof Problem
        ? error.reason
        : isDamage(error)
          ? 'ledger_damaged'
          : ownReasons[exit],
    message: sentence(error),
  }
}

/** What the problem says, then what is wrong with which field, unless that says the same. */
function sentencesOf({ message, options: { errors = [] } }: Problem): string {
  const said = message.replace(/\.?$/, '.')
  const more = errors
    .filter(({ detail }) => detail !== said)
    .map(({ pointer, detail }) => `${pointer.replace(/^.*\//, '')}: ${detail}`)
  return [said, ...more].join(' ')
}

const ownErrors: ReadonlySet<string> = new Set([
  'UsageError',
  'CommandFailed',
  'Undecided',
  'StartError',
])

/** One sentence for a person, without anything an error could reveal of the data. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return 'It failed.'
  if (error instanceof Problem) return redact(sentencesOf(error))
  if (error instanceof EventStoreUnavailable) {
    if (error.trouble !== null) return error.message
    return 'The event store does not answer: check that it runs, and its address.'
  }
  if (isDamage(error)) {
    return redact(
      printed(`${error.message.replace(/\.$/, '')}. Run "verify" to see what is wrong.`),
    )
  }
  if (ownErrors.has(error.name)) return redact(error.message)
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return redact(`It failed: ${error.name}${code}. The service's log may say more.`)
}
