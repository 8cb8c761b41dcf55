import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Simulator, SimulatorOptions } from './simulator.ts'

/** What the thread says once: where it listens, or what kept it from listening. */
export type ThreadSaid =
  | Pick<Simulator, 'url' | 'port'>
  | { readonly failed: { readonly message: string; readonly code: string | undefined } }

export type ThreadOptions = Omit<SimulatorOptions, 'onFault'>

/**
 * The simulated courier in a thread of its own: each of its writes is durable before the call is
 * answered, and no request of the service waits for that. A fault in it is one of the process.
 */
export async function simulatorThread(options: ThreadOptions): Promise<Simulator> {
  const thread = new Worker(join(import.meta.dirname, 'simulator-thread-main.ts'), {
    workerData: options,
  })
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  const [said] = (await once(thread, 'message')) as [ThreadSaid]
  if ('failed' in said) {
    await thread.terminate()
    throw Object.assign(new Error(said.failed.message), { code: said.failed.code })
  }
  return {
    ...said,
    close() {
      thread.postMessage('close')
      return exited
    },
  }
}
