import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

type MetricsServer = { readonly port: number; close(): Promise<void> }

/** Serves only `/metrics`, on its own port. Rejects when the port is taken. */
export async function metricsServer(options: {
  readonly host: string
  readonly port: number
  readonly registry: Registry
}): Promise<MetricsServer> {
  const server = createServer((request, reply) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      reply.writeHead(404).end()
      return
    }
    options.registry.metrics().then(
      (text) => reply.writeHead(200, { 'content-type': options.registry.contentType }).end(text),
      () => reply.writeHead(500).end(),
    )
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
