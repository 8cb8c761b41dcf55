import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A receiver that accepts everything, in a process of its own, as the baseline for a sender.
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
process.once('SIGTERM', () => process.exit())
