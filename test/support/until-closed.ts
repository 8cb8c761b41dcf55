import { scratchServer, scratchVariable } from './scratch-server.ts'

/** Closes what a proof opened, as a test does at its teardown. */
export type Closing = { teardown(close: () => Promise<unknown>): unknown }

/** Does the work, then closes what it opened, last first. */
export async function untilClosed<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await work({ teardown: (close) => closers.push(close) })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** The same on its own PostgreSQL, which services, fleets and test databases use. */
export async function onScratchServer(work: (closing: Closing) => Promise<void>): Promise<void> {
  const server = await scratchServer()
  try {
    process.env[scratchVariable] = server.adminUrl
    await untilClosed(work)
  } finally {
    await server.stop()
  }
}
