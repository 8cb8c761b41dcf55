/**
 * A start that cannot continue. The message is the one sentence that the operator reads: what is
 * wrong and what to do. It never holds a secret.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The message for when nothing can listen on a port that a variable names. */
export function busy(name: string, port: number) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
      const host = name === 'SIMULATOR_PORT' ? 'SIMULATOR_HOST' : 'HOST'
      throw new StartError(`${host} is no address of this machine: set it to one that is.`)
    }
    if (code === 'EACCES') {
      throw new StartError(`Port ${port} needs more rights: set ${name} to one from 1024 on.`)
    }
    if (code !== 'EADDRINUSE') throw error
    throw new StartError(
      `Port ${port} is taken by another process: stop that process, or set ${name} to a free port.`,
    )
  }
}
