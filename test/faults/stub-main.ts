import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import { main } from '../../src/service/main.ts'
import { sessionNameOf } from '../../src/service/secrets/process-sessions.ts'

/**
 * The whole process with a small stub app: it listens on PORT, answers with the number of events
 * after `?delay_ms=`, and logs how it was closed.
 */
await main(async ({ config, databaseUrl, secrets }) => {
  const application_name = sessionNameOf(secrets)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, application_name })
  pool.on('error', () => {})
  const server = createServer(async (request, response) => {
    // A kept-alive connection would make the closing server wait for its next request.
    response.setHeader('connection', 'close')
    const delayMs = Number(new URL(`http://x${request.url}`).searchParams.get('delay_ms'))
    try {
      const sleep = 'SELECT pg_sleep($1), (SELECT count(*)::int FROM ledger.event) AS n'
      const { rows } = await pool.query(sleep, [delayMs / 1000])
      response.end(JSON.stringify({ n: rows[0].n }))
    } catch {
      response.writeHead(503).end()
    }
  })
  server.listen(config.port, config.host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://${config.host}:${port}`,
    simulatorPort: null,
    banner: async () => `listening on http://${config.host}:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      await closed
      await pool.end()
      process.stdout.write('app closed\n')
    },
  }
})
