import { createServer, request } from 'node:http'
import { operations } from '../../../src/service/couriers/protocol.ts'

type Test = { teardown(close: () => Promise<unknown>): unknown }

/**
 * A proxy to the courier that can refuse to say which guides exist, so that an unknown outcome
 * stays unknown for as long as a test looks at it.
 */
export function silentCourier(t: Test) {
  let isSilent = true
  return {
    /** Starts the proxy and returns its URL. */
    async courierUrl(simulatorUrl: string): Promise<string> {
      const server = createServer((near, answer) => {
        const { method, headers, url = '/' } = near
        if (isSilent && url === operations.findGuides.path) {
          near.socket.destroy()
          return
        }
        const far = request(new URL(url, simulatorUrl), { method, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.headers)
          reply.pipe(answer)
          reply.on('error', () => near.socket.destroy())
        })
        far.on('error', () => near.socket.destroy())
        near.pipe(far)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.teardown(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      return `http://127.0.0.1:${address.port}`
    },
    speak: () => {
      isSilent = false
    },
    fallSilent: () => {
      isSilent = true
    },
  }
}
