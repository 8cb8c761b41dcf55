import { connect, createServer, type Socket } from 'node:net'
import type { Verdict } from './wire-proxy.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type CourierWire = { readonly url: string; readonly close: () => Promise<void> }

/**
 * A proxy to the courier that stops at a call as `wireProxy` does at a flush: `judge` sees what is
 * sent, and a call is either never forwarded completely or executed with its answer held back.
 */
export async function courierWire(
  t: Test,
  courierUrl: string,
  judge: (bytes: Buffer) => Verdict,
  onFault: (cut: () => void) => void,
): Promise<CourierWire> {
  const target = new URL(courierUrl)
  const links = new Set<() => void>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const cut = pass(near, far, judge, onFault)
    links.add(cut)
    near.on('close', () => links.delete(cut))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    for (const cut of links) cut()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  t.teardown(close)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, close }
}

function pass(
  near: Socket,
  far: Socket,
  judge: (bytes: Buffer) => Verdict,
  onFault: (cut: () => void) => void,
): () => void {
  let stopped: 'no' | 'before' | 'after' = 'no'
  const cut = () => {
    near.destroy()
    far.destroy()
  }
  near.on('data', (bytes: Buffer) => {
    if (stopped === 'before') return
    const verdict = stopped === 'no' ? judge(bytes) : 'pass'
    if (verdict !== 'pass') stopped = verdict
    if (stopped === 'before') onFault(cut)
    else far.write(bytes)
  })
  far.on('data', (bytes) => {
    if (stopped === 'after') onFault(cut)
    else if (stopped === 'no') near.write(bytes)
  })
  near.on('error', () => far.destroy())
  far.on('error', () => near.resetAndDestroy())
  near.on('close', () => far.end())
  // A courier that hangs up without an answer has finished executing the call.
  far.on('close', () => (stopped === 'after' ? onFault(cut) : near.resetAndDestroy()))
  return cut
}
