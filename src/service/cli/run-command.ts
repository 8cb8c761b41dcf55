import type { JsonObject } from '../domain/decider.ts'
import { Problem } from '../errors.ts'
import { EventStoreUnavailable } from '../event-store/event-store.ts'
import { redact } from '../security/redaction.ts'
import { type Command, printed, readArguments, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { exitCodes, exitOf, isDamage } from './exit-codes.ts'
import { helpOf, overview, usageOf } from './help.ts'
import type { OpenLedgers, OpenLedgersOptions } from './open-ledgers.ts'
import type { CommandServices } from './open-services.ts'

type CliEnvironment = {
  /** Connects to the database of the running service. */
  readonly open: () => Promise<CommandServices>
  readonly openLedgers: (options: OpenLedgersOptions) => Promise<OpenLedgers>
  readonly write: (line: string) => void
  readonly writeError: (line: string) => void
  /** Resolves a file name against the user's current folder. */
  readonly pathOf: (name: string) => string
  /** The value of LEDGER_OPERATOR. */
  readonly operator: () => string | undefined
  /** The name of the operating system's user for the audit; null if it has no name. */
  readonly systemUser: string | null
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean
}

/**
 * Runs one command line and returns its exit code. Never throws. With --json it always writes
 * exactly one line of JSON.
 */
export async function run(args: readonly string[], environment: CliEnvironment): Promise<number> {
  let services: Promise<CommandServices> | undefined
  const open = () => {
    services ??= environment.open()
    return services
  }
  try {
    return await perform(args, { ...environment, open })
  } catch (error) {
    if (wantsJson(args)) environment.write(JSON.stringify({ error: described(error) }))
    else environment.writeError(sentence(error))
    return exitCodes[exitOf(error)]
  } finally {
    await services?.then(({ close }) => close()).catch(() => undefined)
  }
}

/** Works even if the rest of the command line cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

async function perform(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const command = commandOf(args)
  const wantsHelp = args.includes('--help') || args[0] === 'help'
  if (command === undefined) {
    const group = wantsHelp || args.length === 0 ? groupOf(args) : []
    if (group.length === 0) throw new UsageError(unknownCommand(args))
    environment.write(overview(group))
    return args.length === 0 ? exitCodes.usage : exitCodes.fine
  }
  if (wantsHelp) {
    environment.write(helpOf(command))
    return exitCodes.fine
  }
  const given = parseFor(command, args.slice(command.name.split(' ').length))
  const result = await command.run({ ...given, ...environment })
  if (given.asJson) environment.write(JSON.stringify(result.json))
  else if (result.text !== '') environment.write(result.text)
  return exitCodes[result.exit ?? 'fine']
}

function unknownCommand(args: readonly string[]): string {
  const words = wordsOf(args).join(' ')
  const what = words === '' ? 'No command was given' : `There is no command "${words}"`
  return `${what}: --help lists the commands.`
}

/** The commands that begin with the given words, such as `courier`; every one without words. */
function groupOf(args: readonly string[]): readonly Command[] {
  const words = [...wordsOf(args), ''].join(' ')
  return commands.filter(({ name }) => `${name} `.startsWith(words))
}

function wordsOf(args: readonly string[]): readonly string[] {
  return (args[0] === 'help' ? args.slice(1) : args).filter((arg) => !arg.startsWith('-'))
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

/** The problem's message, then the details of each field unless they repeat it. */
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

/** One sentence for a person, without data that an error could reveal. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return 'It failed.'
  if (error instanceof Problem) return redact(sentencesOf(error))
  if (error instanceof EventStoreUnavailable) {
    if (error.trouble !== null) return error.message
    return 'The event store does not answer: check that it is running and that its address is correct.'
  }
  if (isDamage(error)) {
    return redact(
      printed(`${error.message.replace(/\.$/, '')}. Run "verify" to see what is wrong.`),
    )
  }
  if (ownErrors.has(error.name)) return redact(error.message)
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return redact(`It failed: ${error.name}${code}. The service's log may have details.`)
}
