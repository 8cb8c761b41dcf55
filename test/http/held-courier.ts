import { forwardingProxy } from '../support/forwarding-proxy.ts'

type Test = Parameters<typeof forwardingProxy>[0]

export type HeldCourier = {
  readonly url: string
  /** Holds back every answer to calls of this path until the returned function is called. */
  hold(path: string): () => void
  /** Cuts the connection of every call of this path until the returned function is called. */
  cut(path: string): () => void
}

/**
 * A proxy to the courier: it passes on every call, but can hold back or cut off the answers to
 * some.
 */
export async function heldCourier(t: Test, courierUrl: string): Promise<HeldCourier> {
  const held = new Map<string, Promise<void>>()
  const cut = new Set<string>()
  const url = await forwardingProxy(t, courierUrl, {
    isCut: (path) => cut.has(path),
    held: (path) => held.get(path),
  })
  return {
    url,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return () => {
        held.delete(path)
        resolve()
      }
    },
    cut(path) {
      cut.add(path)
      return () => {
        cut.delete(path)
      }
    },
  }
}
