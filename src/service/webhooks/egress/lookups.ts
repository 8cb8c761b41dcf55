import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

/** Finds all addresses of a name. Rejects if it has none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>

/** One query to one name server. */
const questionMs = 1_000
/** A query's packet may be lost once; with both, two of the five seconds of connecting are used. */
const questionTriesMax = 2

/**
 * Queries the machine's name servers over its own sockets. Not `getaddrinfo`: that waits in one of
 * four threads that the whole process shares, so four names on a server that never answers would
 * stop all look-ups, file reads and password hashing for seconds. Hosts files and search domains
 * are not read; no public receiver needs them.
 */
export function publicLookup(nameServers: readonly string[] = []): {
  readonly lookup: Lookup
  cancel(): void
} {
  const resolver = new Resolver({
    timeout: questionMs,
    maxTimeout: questionMs,
    tries: questionTriesMax,
  })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const lookup: Lookup = async (hostname) => {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const found = [
      ...addressesOf(four).map((address) => ({ address, family: 4 })),
      ...addressesOf(six).map((address) => ({ address, family: 6 })),
    ]
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
  return { lookup, cancel: () => resolver.cancel() }
}

function addressesOf(settled: PromiseSettledResult<string[]>): readonly string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}

/**
 * The look-up that other programs of this machine use: `localhost`, hosts files, a container's
 * neighbors.
 */
export const machineLookup: Lookup = (hostname) => lookup(hostname, { all: true })
