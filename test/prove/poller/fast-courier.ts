import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { operations } from '../../../src/service/couriers/protocol.ts'

const trackCall = z.object({ client_reference: z.string() })

export type FastCourier = {
  readonly url: string
  /** The times at which each shipment's tracking was requested. */
  readonly asked: Map<string, number[]>
  /** Scans beyond the usual ones, by shipment. */
  readonly news: Map<string, object>
  close(): Promise<void>
}

/**
 * A courier that answers tracking at once, has no labels and keeps no record. It uses real HTTP, so
 * that the poller is measured and not the simulated courier's durable record.
 */
export async function fastCourier(usualScans: readonly object[]): Promise<FastCourier> {
  const asked = new Map<string, number[]>()
  const news = new Map<string, object>()
  const server = createServer(async (request, response) => {
    const at = Date.now()
    response.setHeader('content-type', 'application/json')
    const { client_reference: reference } = trackCall.parse(await json(request))
    if (request.url !== operations.track.path) {
      const answer = { success: false, code: 'label_not_ready', message: null }
      response.statusCode = 409
      response.end(JSON.stringify(answer))
      return
    }
    asked.set(reference, [...(asked.get(reference) ?? []), at])
    const more = news.get(reference)
    const events = more === undefined ? usualScans : [...usualScans, more]
    response.end(JSON.stringify({ success: true, eta: null, events }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    asked,
    news,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
