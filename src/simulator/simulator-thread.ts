import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Simulator, SimulatorOptions } from './simulator.ts'

/** The thread's only message: its address, or the error if it could not listen. */
export type ThreadSaid =
  | Pick<Simulator, 'url' | 'port'>
  | { readonly failed: { readonly message: string; readonly code: string | undefined } }

export type ThreadOptions = Omit<SimulatorOptions, 'onFault'>

/**
 * Runs the simulated courier in its own thread, because its durable writes would block the
 * service's requests. A fault in the thread is a fault of the process.
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
