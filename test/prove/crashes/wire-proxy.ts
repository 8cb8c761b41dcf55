import { connect, createServer, type Socket } from 'node:net'
import { cStringAt, Frames } from './wire-frames.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** What a client sends before it waits for an answer: messages up to a Sync, or a simple query. */
export type Flush = {
  /** Its statements, including those prepared earlier. */
  readonly text: string
  readonly bytes: Buffer
}

/** A flush passes, is never forwarded, or is executed with its answer held back. */
export type Verdict = 'pass' | 'before' | 'after'

export type WireProxy = {
  /** The database's URL through the proxy. */
  readonly url: string
  /** Cuts all connections; new ones are accepted. */
  cut(): void
  close(): Promise<void>
}

/** The server's ReadyForQuery, which ends every answer. */
const readyForQuery = 'Z'.charCodeAt(0)

/**
 * A proxy that understands just enough of PostgreSQL's protocol to count a client's flushes and to
 * stop at one of them: `judge` is called for each, and `onFault` once the connection has stopped
 * there, with nothing forwarded (`before`) or everything executed (`after`).
 */
export async function wireProxy(
  t: Test,
  databaseUrl: string,
  judge: (flush: Flush) => Verdict,
  onFault: () => void,
): Promise<WireProxy> {
  const target = new URL(databaseUrl)
  const links = new Set<() => void>()
  const server = createServer((near) => {
    const cut = link(near, connect(Number(target.port), target.hostname), judge, onFault)
    links.add(cut)
    near.on('close', () => links.delete(cut))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const each of links) each()
  }
  const close = async () => {
    cut()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  t.teardown(close)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return { url: url.href, cut, close }
}

function link(
  near: Socket,
  far: Socket,
  judge: (flush: Flush) => Verdict,
  onFault: () => void,
): () => void {
  const statements = new Map<string, string>()
  const fromClient = new Frames(true)
  const fromServer = new Frames(false)
  let isStopped = false
  let isWaiting = false
  let pending: Buffer[] = []
  let texts: string[] = []
  near.on('data', (bytes: Buffer) => {
    if (isStopped) return
    for (const { type, whole } of fromClient.take(bytes)) {
      pending.push(whole)
      texts.push(...textsOf(type, whole, statements))
      if (type === 'P' || type === 'B' || type === 'D' || type === 'E' || type === 'C') continue
      const flush = { text: texts.join('; '), bytes: Buffer.concat(pending) }
      const verdict = type === 'S' || type === 'Q' ? judge(flush) : 'pass'
      pending = []
      texts = []
      if (verdict === 'before') {
        isStopped = true
        onFault()
        return
      }
      if (verdict === 'after') isWaiting = true
      far.write(flush.bytes)
      if (isWaiting) {
        isStopped = true
        return
      }
    }
  })
  far.on('data', (bytes: Buffer) => {
    const frames = fromServer.take(bytes)
    if (!isStopped) near.write(bytes)
    else if (isWaiting && frames.some(({ whole }) => whole[0] === readyForQuery)) {
      isWaiting = false
      onFault()
    }
  })
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
  near.on('close', () => far.end())
  far.on('close', () => near.destroy())
  return () => {
    near.destroy()
    far.destroy()
  }
}

/** The statement of a message; for a prepared one, the text it was prepared with. */
function textsOf(type: string, whole: Buffer, statements: Map<string, string>): readonly string[] {
  if (type === 'Q') return [cStringAt(whole, 5)]
  if (type === 'P') {
    const name = cStringAt(whole, 5)
    statements.set(name, cStringAt(whole, 6 + Buffer.byteLength(name)))
    return []
  }
  if (type !== 'B') return []
  const portal = cStringAt(whole, 5)
  return [statements.get(cStringAt(whole, 6 + Buffer.byteLength(portal))) ?? '']
}
