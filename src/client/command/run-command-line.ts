import { batchCreate, batchShow } from './batch-commands.ts'
import {
  type Command,
  columns,
  type Environment,
  exitCodes,
  readArguments,
  UsageError,
} from './command-line.ts'
import { labels } from './labels-command.ts'
import { listen } from './listen-command.ts'
import { mcp } from './mcp-command.ts'
import { trigger } from './trigger-command.ts'

const program = 'shipping-ledger'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [listen, trigger, batchCreate, batchShow, labels, mcp]

const exits = `Exit codes:
${columns([
  ['  0', 'Done, and nothing is wrong.'],
  ['  1', 'Found something: a problem, or a reason not to do what was asked.'],
  ['  2', 'Could not decide: the service could not be reached.'],
  ['  64', 'Wrong usage: the command line does not match the help. Nothing was done.'],
])}`

/**
 * Runs one command line and returns its exit code. Never throws. With --json it always writes
 * exactly one line of JSON.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  try {
    return await perform(args, environment)
  } catch (error) {
    const { exit, reason, message } = failureOf(error)
    const code = exitCodes[exit]
    if (args.includes('--json')) {
      environment.write(JSON.stringify({ error: { exit_code: code, reason, message } }))
    } else environment.writeError(message)
    return code
  }
}

async function perform(args: readonly string[], environment: Environment): Promise<number> {
  const wantsHelp = args.includes('--help') || args[0] === 'help'
  const words = args[0] === 'help' ? args.slice(1) : args
  const command = commands.find(({ name }) => name.split(' ').every((one, at) => words[at] === one))
  if (command === undefined) {
    if (!wantsHelp && args.length > 0) throw new UsageError(unknownCommand(args))
    environment.write(overview())
    return wantsHelp ? exitCodes.fine : exitCodes.usage
  }
  if (wantsHelp) {
    environment.write(helpOf(command))
    return exitCodes.fine
  }
  const given = argumentsOf(command, words.slice(command.name.split(' ').length))
  const result = await command.run({ ...environment, ...given })
  if (result === null) return exitCodes.fine
  const text = given.asJson ? JSON.stringify(result.json) : result.text
  if (text !== '') environment.write(text)
  return exitCodes[result.exit ?? 'fine']
}

function unknownCommand(args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-')).join(' ')
  const what = words === '' ? 'No command was given' : `There is no command "${words}"`
  return `${what}: --help lists the commands.`
}

function argumentsOf(command: Command, args: readonly string[]) {
  try {
    return readArguments(command, args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message} Usage: ${usageOf(command)}`, { cause: error })
  }
}

function failureOf(error: unknown) {
  const message = error instanceof Error ? error.message : 'It failed.'
  switch (error instanceof Error ? error.name : '') {
    case 'UsageError':
      return { exit: 'usage', reason: 'wrong_usage', message } as const
    case 'CommandFailed':
      return { exit: 'found', reason: 'refused', message } as const
    case 'Undecided':
      return { exit: 'undecided', reason: 'undecided', message } as const
    default:
      return { exit: 'undecided', reason: 'undecided', message: `It failed: ${message}` } as const
  }
}

function usageOf({ name, subject, flags }: Command): string {
  const shown = Object.entries(flags).map(([flag, { value, isList, required }]) => {
    const text = value === undefined ? `--${flag}` : `--${flag} ${value}`
    if (isList === true) return `[${text}]…`
    return required === true ? text : `[${text}]`
  })
  return [name, ...(subject === undefined ? [] : [`<${subject}>`]), ...shown, '[--json]'].join(' ')
}

function helpOf(command: Command): string {
  const flags = Object.entries(command.flags).map(([name, { value, description }]) => [
    `  --${name}${value === undefined ? '' : ` ${value}`}`,
    description,
  ])
  const json = ['  --json', 'One line of JSON for programs.']
  const examples = command.examples.map((example) => `  ${program} ${example}`).join('\n')
  return `${command.summary}

${program} ${usageOf(command)}

${columns([...flags, json])}

Examples:
${examples}

${exits}`
}

function overview(): string {
  const rows = commands.map(({ name, summary }) => [`  ${name}`, summary])
  return `${program} <command> [flags] [--json]

${columns(rows)}

Help for a command: ${program} <command> --help
The key is in SHIPPING_LEDGER_KEY, or in a file: --key-file. The address is in SHIPPING_LEDGER_URL.

${exits}`
}
