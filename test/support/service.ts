import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiOf, openParts, type Parts, projections } from '../../src/app.ts'
import { type Seeded, seedSandbox } from '../../src/banner.ts'
import { type Simulator, simulator } from '../../src/couriers/simulator/simulator.ts'
import type { Secrets } from '../../src/database/secrets.ts'
import { ensureProjection, runProjector } from '../../src/processes/projector.ts'
import { runWorker } from '../../src/processes/worker.ts'
import { logger } from '../../src/security/logger.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type Answer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  readonly body: any
}

export type CallOptions = {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type Service = {
  readonly url: string
  readonly parts: Parts
  readonly seeded: Seeded
  readonly database: TestDatabase
  readonly simulator: Simulator
  /** The simulated courier's own record: the truth about guides and calls. */
  readonly record: string
  readonly secrets: Secrets
  /** Lines of the log, JSON. */
  readonly logged: readonly string[]
  /** A call of the API over a real socket; the shop's key unless told otherwise. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** A valid creation, with what is to differ. */
  create(
    idempotencyKey: string,
    more?: { scenario?: string; body?: object; key?: string },
  ): Promise<Answer>
  /** The body that `create` sends. */
  bodyOf(reference: string): Record<string, unknown>
  advance(by: string): Promise<Answer>
}

export function testSecrets(): Secrets {
  return {
    secretsKey: randomBytes(32).toString('base64'),
    secretsKeyPrevious: [],
    apiKeyPepper: randomBytes(32),
    checkpointKey: randomBytes(32),
    simulatorKey: randomBytes(32),
  }
}

/** The composed service on a database of its own: all roles in this process, real sockets. */
export async function service(t: Test, roles = ['api', 'projector', 'worker']): Promise<Service> {
  const database = await testDatabase(t)
  const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-test-'))
  const secrets = testSecrets()
  const record = join(directory, 'simulator.sqlite')
  const simulated = await simulator({ file: record, key: secrets.simulatorKey, host: '127.0.0.1' })
  const logged: string[] = []
  const log = logger({
    level: 'debug',
    pretty: false,
    destination: { write: (line: string) => void logged.push(line) },
  })
  const parts = openParts({ databaseUrl: database.url, secrets, simulatorUrl: simulated.url, log })
  for (const projection of projections) await ensureProjection(parts.readModels, projection)
  const stop = new AbortController()
  const loops = [parts.watch.run(stop.signal)]
  if (roles.includes('projector')) {
    const deps = { db: parts.readModels, store: parts.store, log }
    loops.push(...projections.map((one) => runProjector(deps, one, stop.signal)))
  }
  if (roles.includes('worker')) loops.push(runWorker(parts.processes, parts.pool, stop.signal))
  const seeded = await seedSandbox(parts)
  if (seeded === null) throw new Error('the test database is not fresh')
  const { app, keys } = apiOf(parts, log)
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await app.close()
    await keys.close()
    await parts.processes.underway.idle()
    stop.abort()
    await Promise.all(loops)
    await parts.close()
    await simulated.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = apiClient(`http://127.0.0.1:${port}`, seeded)
  return {
    ...{ parts, seeded, database, simulator: simulated, record, secrets, logged },
    ...client,
  }
}

/** Calls of the API as a shop makes them. */
export function apiClient(
  url: string,
  seeded: Seeded,
): Pick<Service, 'url' | 'call' | 'create' | 'bodyOf' | 'advance'> {
  const call = async (path: string, options: CallOptions = {}): Promise<Answer> => {
    const { method = options.body === undefined ? 'GET' : 'POST', key = seeded.shopKey } = options
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, body }
  }
  const bodyOf = (reference: string) => ({
    workspace_id: seeded.workspaceId,
    courier_connection_id: seeded.connectionId,
    external_reference: reference,
    origin: { agency_id: seeded.originId },
    destination: { agency_id: seeded.destinationId },
    package: {
      product_id: seeded.productId,
      quantity: 1,
      weight_kg: 0.8,
      height_m: 0.05,
      length_m: 0.2,
      width_m: 0.15,
    },
    service: { mode: 'terrestrial', payer: 'sender' },
    declared_content: 'Books',
    recipient: {
      document_type: 'DNI',
      document: '45678912',
      first_name: 'Ana',
      last_name: 'Torres',
    },
  })
  return {
    url,
    call,
    bodyOf,
    create: (idempotencyKey, more = {}) =>
      call('/v1/shipments', {
        body: { ...bodyOf(idempotencyKey), ...more.body },
        headers: {
          'idempotency-key': idempotencyKey,
          ...(more.scenario === undefined ? {} : { 'sandbox-scenario': more.scenario }),
        },
        ...(more.key === undefined ? {} : { key: more.key }),
      }),
    advance: (by) =>
      call('/v1/sandbox/clock/advance', { body: { workspace_id: seeded.workspaceId, by } }),
  }
}
