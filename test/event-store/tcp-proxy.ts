import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export type TcpProxy = {
  /** The database's URL through the proxy. */
  readonly url: string
  /** Nothing passes in either direction; what is sent meanwhile passes after `heal`. */
  silence(): void
  /** The server receives everything, but its answers never arrive. */
  swallowAnswers(): void
  /** Cuts open connections and refuses new ones. */
  refuse(): void
  cut(): void
  heal(): void
}

/** A network between the store and its database that can be broken. */
export async function tcpProxy(t: Test, databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const links = new Set<{ near: Socket; far: Socket }>()
  let mode: 'pass' | 'silent' | 'swallow' | 'refuse' = 'pass'
  const server = createServer((near) => {
    if (mode === 'refuse') {
      near.destroy()
      return
    }
    const far = connect(Number(target.port), target.hostname)
    const link = { near, far }
    links.add(link)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (mode !== 'swallow') near.write(bytes)
    })
    // Half-closed one after another, so that the server still gets what was sent before.
    near.on('end', () => far.end())
    far.on('end', () => near.end())
    near.on('error', () => far.end())
    far.on('error', () => near.destroy())
    far.on('close', () => {
      links.delete(link)
      near.destroy()
    })
    if (mode === 'silent') pause(link)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const { near, far } of links) {
      near.destroy()
      far.destroy()
    }
  }
  t.teardown(() => {
    cut()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    silence() {
      mode = 'silent'
      for (const link of links) pause(link)
    },
    swallowAnswers() {
      mode = 'swallow'
    },
    refuse() {
      mode = 'refuse'
      cut()
    },
    cut,
    heal() {
      mode = 'pass'
      for (const { near, far } of links) {
        near.resume()
        far.resume()
      }
    },
  }
}

function pause({ near, far }: { near: Socket; far: Socket }): void {
  near.pause()
  far.pause()
}
