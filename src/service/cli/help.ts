import { type Command, columns } from './command.ts'
import { type Exit, exitCodes, exitMeanings } from './exit-codes.ts'

const invocation = 'npm run --silent ledger --'

export function usageOf(command: Command): string {
  const flags = Object.entries(command.flags).map(([name, flag]) => {
    const text = flag.value === undefined ? `--${name}` : `--${name} ${flag.value}`
    if (flag.isList === true) return `[${text}]…`
    return flag.required === true ? text : `[${text}]`
  })
  const named = `<${command.subject}>`
  const given = command.isSubjectOptional === true ? `[${named}]` : named
  const subject = command.subject === undefined ? [] : [given]
  return [command.name, ...subject, ...flags, '[--json]'].join(' ')
}

export function helpOf(command: Command): string {
  const flags = Object.entries(command.flags).map(([name, flag]) => [
    `  --${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    flag.description,
  ])
  const json = ['  --json', 'One line of JSON for programs.']
  return `${command.summary}\n\n${invocation} ${usageOf(command)}\n\n${columns([...flags, json])}\n\n${examplesOf(command)}

${exitTable()}`
}

function examplesOf({ examples }: Command): string {
  const lines = examples.map((example) => `  ${invocation} ${example}`)
  return [examples.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n')
}

/** The commands of the program for users of the API, which the service does not contain. */
const commandsOfClient = ['listen', 'trigger', 'batch', 'labels', 'mcp'] as const

export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${command.name}`, command.summary])
  return `${invocation} <command> [flags] [--json]

${columns(rows)}

Help for a command: ${invocation} <command> --help
${exitTable()}
Commands use the database in DATABASE_URL, else the embedded database in DATA_DIR (./.data).
Commands that only call the API (${commandsOfClient.join(', ')}): npx shipping-ledger --help`
}

function exitTable(): string {
  const rows = Object.entries(exitCodes).map(([exit, code]) => [
    `  ${code}`,
    exitMeanings[exit as Exit],
  ])
  return `Exit codes:\n${columns(rows)}`
}
