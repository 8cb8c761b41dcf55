import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

export type ScreenCommand = {
  readonly word: string
  /** What the command acts on. */
  readonly description: string
  readonly icon: ReactNode
  run(): void
}

const none: readonly ScreenCommand[] = []
const CommandsContext = createContext(none)
const ChangeContext = createContext<((commands: readonly ScreenCommand[]) => void) | null>(null)

/** Lets the current screen add its own commands to the command palette. */
export function ScreenCommands({ children }: { readonly children: ReactNode }) {
  const [commands, setCommands] = useState(none)
  return (
    <ChangeContext value={setCommands}>
      <CommandsContext value={commands}>{children}</CommandsContext>
    </ChangeContext>
  )
}

/** The commands of the current screen. */
export function useCommandsOfScreen(): readonly ScreenCommand[] {
  return useContext(CommandsContext)
}

/** Offers these commands while the screen is open. The list must stay the same between renders. */
export function useScreenCommands(commands: readonly ScreenCommand[]): void {
  const change = useContext(ChangeContext)
  useEffect(() => {
    change?.(commands)
    return () => change?.(none)
  }, [change, commands])
}
