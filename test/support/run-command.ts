import type { Administration } from '../../src/cli/administration.ts'
import type { Said } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'

/** Runs a command with the parts of a service that it needs. */
export async function runCommand(
  name: string,
  subject: string,
  parts: Partial<Administration>,
  flags: ReadonlyMap<string, string> = new Map(),
): Promise<Said> {
  const command = commands.find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  return await command.run({
    flags,
    subject,
    asJson: true,
    isWatched: true,
    write: () => undefined,
    writeError: () => undefined,
    pathOf: (file: string) => file,
    open: async () => parts as Administration,
    openLedgers: () => {
      throw new Error(`${name} opens ledgers by their addresses`)
    },
  })
}
