/**
 * The start cannot continue. The operator reads the message, which says what is wrong and what to do. It
 * never contains a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Converts the error of listening on the port of a variable into a StartError. */
export function busy(name: string, port: number) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
      const host = name === 'SIMULATOR_PORT' ? 'SIMULATOR_HOST' : 'HOST'
      throw new StartError(`${host} is not an address of this machine: set it to one that is.`)
    }
    if (code === 'EACCES') {
      throw new StartError(`Port ${port} needs more privileges: set ${name} to 1024 or higher.`)
    }
    if (code !== 'EADDRINUSE') throw error
    throw new StartError(
      `Port ${port} is taken by another process: stop that process, or set ${name} to a free port.`,
    )
  }
}
