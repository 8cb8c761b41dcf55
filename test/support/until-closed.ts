import { scratchServer, scratchVariable } from './scratch-server.ts'

/** What is opened for a proof is closed with it, as for a test at its end. */
export type Closing = { teardown(close: () => Promise<unknown>): unknown }

/** Does the work, and then closes what it has opened, last first. */
export async function untilClosed(work: (closing: Closing) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    await work({ teardown: (close) => closers.push(close) })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** The same on a PostgreSQL of its own, on which services, fleets and test databases are opened. */
export async function onScratchServer(work: (closing: Closing) => Promise<void>): Promise<void> {
  const server = await scratchServer()
  try {
    process.env[scratchVariable] = server.adminUrl
    await untilClosed(work)
  } finally {
    await server.stop()
  }
}
