import type { Call, CommandResult } from '../../src/service/cli/command.ts'
import { commands } from '../../src/service/cli/commands.ts'
import type { CommandServices } from '../../src/service/cli/open-services.ts'
import type { Service } from './service.ts'

/** A running service's own services, for commands in this process, which do not close them. */
export function commandServices(
  service: Pick<Service, 'parts' | 'secrets' | 'ledger'>,
): CommandServices {
  return {
    ...service.parts,
    secrets: service.secrets,
    secretsDir: null,
    isContiguous: service.ledger.eventStoreUrl === undefined,
    simulatorIsKnown: true,
    close: async () => undefined,
  }
}

/** Runs a command with the services that it needs. A list is a flag given several times. */
export async function runCommand(
  name: string,
  subject: string,
  services: Partial<CommandServices> & Partial<Pick<Call, 'operator' | 'systemUser'>>,
  given: ReadonlyMap<string, string | readonly string[]> = new Map(),
): Promise<CommandResult> {
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
    operator: services.operator ?? (() => undefined),
    systemUser: services.systemUser ?? null,
    write: () => undefined,
    writeError: () => undefined,
    pathOf: (file: string) => file,
    open: async () => services as CommandServices,
    openLedgers: () => {
      throw new Error(`${name} opens ledgers by URL`)
    },
  })
}
