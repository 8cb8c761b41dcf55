import { scratchServer, scratchVariable } from './scratch-server.ts'

/** Closes what a proof opened, as the teardown of a test does. */
export type Closing = { teardown(close: () => Promise<unknown>): unknown }

/** Runs the work, then closes what it opened, last first. */
export async function untilClosed<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await work({ teardown: (close) => closers.push(close) })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** The same with a PostgreSQL of its own for services, fleets and test databases. */
export async function onScratchServer(work: (closing: Closing) => Promise<void>): Promise<void> {
  const server = await scratchServer()
  try {
    process.env[scratchVariable] = server.adminUrl
    await untilClosed(work)
  } finally {
    await server.stop()
  }
}
