import type { Administration } from '../../src/service/cli/administration.ts'
import type { Call, Said } from '../../src/service/cli/command.ts'
import { commands } from '../../src/service/cli/commands.ts'

/** Runs a command with the parts of a service that it needs. A list is a flag given several times. */
export async function runCommand(
  name: string,
  subject: string,
  parts: Partial<Administration> & Partial<Pick<Call, 'operator' | 'systemUser'>>,
  given: ReadonlyMap<string, string | readonly string[]> = new Map(),
): Promise<Said> {
  const command = commands.find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  const flags = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  for (const [flag, value] of given) {
    if (typeof value === 'string') flags.set(flag, value)
    else lists.set(flag, value)
  }
  return await command.run({
    flags,
    lists,
    subject,
    asJson: true,
    isWatched: true,
    operator: parts.operator ?? (() => undefined),
    systemUser: parts.systemUser ?? null,
    write: () => undefined,
    writeError: () => undefined,
    pathOf: (file: string) => file,
    open: async () => parts as Administration,
    openLedgers: () => {
      throw new Error(`${name} opens ledgers by their addresses`)
    },
  })
}
