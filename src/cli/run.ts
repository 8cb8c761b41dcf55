import { Problem } from '../errors.ts'
import { redact } from '../security/redaction.ts'
import type { Administration } from './administration.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { helpOf, overview, usageOf } from './help.ts'
import type { OpenLedgers, OpenLedgersOptions } from './open-ledgers.ts'

export type Surroundings = {
  /** Connects to the running service's database. */
  readonly open: () => Promise<Administration>
  readonly openLedgers: (options: OpenLedgersOptions) => Promise<OpenLedgers>
  readonly write: (line: string) => void
  readonly writeError: (line: string) => void
  /** The path of a file, as the user who named it stands. */
  readonly pathOf: (name: string) => string
  /** Standard error is a terminal. */
  readonly isWatched: boolean
}

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

/** Runs one command line and answers its exit code; never throws. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  let administration: Promise<Administration> | undefined
  const open = () => {
    administration ??= around.open()
    return administration
  }
  try {
    return await perform(args, { ...around, open })
  } catch (error) {
    around.writeError(sentence(error))
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
  } finally {
    await administration?.then((one) => one.close()).catch(() => undefined)
  }
}

async function perform(args: readonly string[], around: Surroundings): Promise<number> {
  const command = commandOf(args)
  const wantsHelp = args.includes('--help') || args[0] === 'help'
  if (command === undefined) {
    const hasAsked = wantsHelp || args.length === 0
    if (hasAsked) around.write(overview(commands))
    else throw new UsageError(`There is no command "${args.join(' ')}": --help lists them.`)
    return args.length === 0 ? exitCodes.usage : exitCodes.done
  }
  if (wantsHelp) {
    around.write(helpOf(command))
    return exitCodes.done
  }
  const given = parseFor(command, args.slice(command.name.split(' ').length))
  const said = await command.run({ ...given, ...around })
  if (given.asJson) around.write(JSON.stringify(said.json))
  else if (said.text !== '') around.write(said.text)
  return said.failed === true ? exitCodes.failed : exitCodes.done
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

function detailsOf({ options: { errors = [] } }: Problem): readonly string[] {
  return errors.map(({ pointer, detail }) => `${pointer.replace(/^.*\//, '')}: ${detail}`)
}

/** One sentence for a person, without what an error could tell of the data. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return 'It failed.'
  if (error instanceof Problem) return redact([error.message, ...detailsOf(error)].join(' '))
  const isOurs = ['UsageError', 'CommandFailed', 'StartError'].includes(error.name)
  if (isOurs) return redact(error.message)
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return redact(`It failed: ${error.name}${code}. The service's log may say more.`)
}
