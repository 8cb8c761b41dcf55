import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'
import { StartError } from './start-error.ts'

/** Collects the parts that a start brings up, so that they can be stopped in reverse order. */
export type Life = {
  /** Aborts at the first signal, before anything is stopped. */
  readonly stopping: AbortSignal
  /** Registers a running part. Throws if the process has been asked to stop. */
  started(name: string, stop: () => unknown): void
}

/** Long enough for a request that waits for a courier (20 s); orchestrators kill after 30 s. */
export const drainWithinMs = 25_000
/**
 * On Ctrl-C the terminal signals this process, and npm forwards the same signal. A second signal within
 * this time is the same request; a later one ends the process at once.
 */
const sameSignalMs = 750

const signals = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const
type StopSignal = keyof typeof signals

/** The process was asked to stop while starting, which is not a failure. */
class StopAsked extends Error {
  override readonly name = 'StopAsked'
}

type Part = { readonly name: string; readonly stop: () => unknown }

type LifeOptions = {
  readonly log: () => Log | undefined
  readonly showStack: () => boolean
  readonly shutdownDelayMs: () => number
}

/**
 * Runs a process. `start` brings up its parts. After SIGTERM, SIGINT or SIGHUP they keep running for
 * `shutdownDelayMs` and are then stopped in reverse order within 25 s; a second signal ends the process
 * at once. Exit codes: 0 after a complete drain, 1 after a failed start, a fault or a drain that took
 * too long, 128 + n if ended at once by signal n. A failed start prints one sentence on standard error.
 */
export async function lifecycle(
  start: (life: Life) => Promise<void>,
  options: LifeOptions,
): Promise<void> {
  const parts: Part[] = []
  const stopping = new AbortController()
  let firstSignalAt: number | undefined
  let isStarted = false
  let isDraining = false
  let exitCode = 0

  const drain = async () => {
    if (isDraining) return
    isDraining = true
    const timer = setTimeout(() => {
      options.log()?.error({ name: parts.at(-1)?.name }, 'stopping took too long')
      process.exit(1)
    }, drainWithinMs)
    if (!(await stopInReverse(parts, options.log()))) exitCode = 1
    clearTimeout(timer)
    process.exit(exitCode)
  }

  const drainAfterDelay = async () => {
    await delay(options.shutdownDelayMs())
    await drain()
  }

  const onSignal = (signal: StopSignal) => {
    const now = performance.now()
    if (firstSignalAt === undefined) {
      firstSignalAt = now
      options.log()?.info({ signal }, 'stopping')
      stopping.abort()
      // A start is not interrupted midway: it stops before its next part and drains the running parts.
      if (isStarted) drainAfterDelay()
    } else if (now - firstSignalAt > sameSignalMs) {
      process.exit(128 + signals[signal])
    }
  }
  for (const signal of Object.keys(signals) as StopSignal[]) process.on(signal, onSignal)
  const onFault = (error: unknown) => {
    exitCode = 1
    options.log()?.error({ err: error }, 'uncaught fault: stopping')
    drain()
  }
  process.on('uncaughtException', onFault)

  const refuseWhenAsked = () => {
    if (firstSignalAt !== undefined) throw new StopAsked()
  }
  try {
    await start({
      stopping: stopping.signal,
      started(name, stop) {
        parts.push({ name, stop })
        refuseWhenAsked()
      },
    })
    refuseWhenAsked()
    isStarted = true
  } catch (error) {
    if (!(error instanceof StopAsked)) {
      exitCode = 1
      process.stderr.write(`${failureSentence(error, options.showStack())}\n`)
    }
    await drain()
  }
}

/** Stops the parts and removes them. Returns whether all of them stopped cleanly. */
async function stopInReverse(parts: Part[], log: Log | undefined): Promise<boolean> {
  let areClean = true
  for (let part = parts.at(-1); part; part = parts.at(-1)) {
    try {
      await part.stop()
    } catch (error) {
      areClean = false
      log?.error({ err: error, name: part.name }, 'a part did not stop cleanly')
    }
    parts.pop()
  }
  return areClean
}

/** What a failed start prints: one sentence, with the stack only for debugging. */
function failureSentence(error: unknown, showStack: boolean): string {
  if (showStack && error instanceof Error) return error.stack ?? error.message
  if (error instanceof StartError) return error.message
  const { code, port, address, message } = error as Error & {
    code?: string
    port?: number
    address?: string
  }
  if (code === 'EADDRINUSE' && port !== undefined) {
    return `Port ${port} on ${address} is in use: stop what listens there, or set PORT (METRICS_PORT for the metrics, SIMULATOR_PORT for the simulated courier) to another.`
  }
  if ((code === 'EACCES' || code === 'EADDRNOTAVAIL') && address !== undefined) {
    return `Cannot listen on ${address}:${port} (${code}): set HOST and PORT to an address of this machine and a port that this user may use.`
  }
  return `shipping-ledger could not start (${message}): start it with LOG_LEVEL=debug to see the stack trace.`
}
