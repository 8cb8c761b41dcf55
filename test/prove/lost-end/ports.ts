import type { Server } from 'node:net'

/** The port of a server that listens on one. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address.port
}
