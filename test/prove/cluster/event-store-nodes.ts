import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'

/** The ports of the three nodes, without certificates. */
const httpPorts = [2113, 2123, 2133] as const
export const clusterUrl = `esdb://${httpPorts.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`
export const nodeNumbers = [1, 2, 3] as const
export type NodeNumber = (typeof nodeNumbers)[number]

const askMs = 1_000
/** A node that was down checks its database and catches up with the leader's log. */
const formedWithinMs = 90_000
/** The wait between a node's own exit and its next start. */
const startAgainMsMin = 500

/** A real cluster of three nodes, each a supervised process. */
export type EventStoreNodes = {
  start(...numbers: readonly NodeNumber[]): void
  /** Kills the nodes, which stay stopped. */
  kill(...numbers: readonly NodeNumber[]): Promise<void>
  signal(number: NodeNumber, signal: 'SIGSTOP' | 'SIGCONT'): void
  /** The node that reports itself as leader and is alive. */
  leader(): Promise<NodeNumber>
  /** Resolves when there are a leader and two followers. */
  formed(): Promise<void>
  /** How often a node exited with 0, as a former leader does, and was restarted. */
  readonly restarts: number
  /** Other exits. */
  readonly crashes: readonly string[]
  stop(): Promise<void>
}

export function eventStoreNodes(executable: string, directory: string): EventStoreNodes {
  const running = new Map<NodeNumber, ChildProcess>()
  const stopped = new Set<NodeNumber>(nodeNumbers)
  const crashes: string[] = []
  let restarts = 0

  const run = (number: NodeNumber) => {
    const child = spawn(executable, [String(number), join(directory, `node-${number}`)], {
      stdio: 'ignore',
    })
    running.set(number, child)
    child.on('error', (error) => crashes.push(`node ${number} cannot be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      running.delete(number)
      if (stopped.has(number)) return
      if (code === 0) restarts += 1
      else crashes.push(`node ${number} ended with ${code ?? signal}`)
      setTimeout(() => stopped.has(number) || run(number), startAgainMsMin)
    })
  }
  const kill = async (...numbers: readonly NodeNumber[]) => {
    for (const number of numbers) stopped.add(number)
    const children = numbers.flatMap((number) => running.get(number) ?? [])
    const ended = children.map((child) => once(child, 'exit'))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(ended)
  }
  const states = () => Promise.all(nodeNumbers.map((number) => stateOf(number)))
  return {
    start(...numbers) {
      for (const number of numbers) {
        stopped.delete(number)
        run(number)
      }
    },
    kill,
    signal: (number, signal) => void running.get(number)?.kill(signal),
    async leader() {
      const found = await eventually(states, (all) => all.includes('leader'), formedWithinMs)
      return nodeNumbers[found.indexOf('leader')] ?? 1
    },
    async formed() {
      const wanted = ['follower', 'follower', 'leader'].join()
      await eventually(states, (all) => [...all].sort().join() === wanted, formedWithinMs)
    },
    get restarts() {
      return restarts
    },
    crashes,
    stop: () => kill(...nodeNumbers),
  }
}

/** The state that a node reports; 'away' if it does not answer. */
async function stateOf(number: NodeNumber): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${httpPorts[number - 1]}/info`, {
      signal: AbortSignal.timeout(askMs),
    })
    const { state } = (await answer.json()) as { state?: unknown }
    return String(state).toLowerCase()
  } catch {
    return 'away'
  }
}
