import { parentPort, workerData } from 'node:worker_threads'
import { simulator } from './simulator.ts'
import type { ThreadOptions, ThreadSaid } from './simulator-thread.ts'

const options = workerData as ThreadOptions
const post = (said: ThreadSaid) => parentPort?.postMessage(said)

try {
  const { url, port, close } = await simulator({ ...options, key: Buffer.from(options.key) })
  parentPort?.once('message', () => void close().then(() => parentPort?.close()))
  post({ url, port })
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  post({ failed: { message, code } })
}
