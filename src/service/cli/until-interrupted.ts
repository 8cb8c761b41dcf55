const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C aborts the work, which then cleans up. A second Ctrl-C ends the process. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of signals) process.once(signal, interrupt)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt)
  }
}
