import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ClientSettings, createClient } from '../../src/client/create-client.ts'
import { Problem, type Reason } from '../../src/service/errors.ts'
import { exampleShipment } from '../../src/service/http/openapi/examples.ts'
import {
  exampleOperation,
  exampleUnknownOutcome,
} from '../../src/service/http/openapi/operation-examples.ts'
import { problemBody, problemHeaders } from '../../src/service/http/problems/problem.ts'

type Test = { teardown(fn: () => unknown): unknown }
export type Step = (request: IncomingMessage, response: ServerResponse) => void
type Seen = {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly type: string | undefined
  readonly body: string
}

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
const aboutOperation: readonly Reason[] = ['unknown_outcome', 'nothing_created']

export const problem = (reason: Reason, retryAfterSeconds?: number): Step => {
  const thrown = new Problem(reason, {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(aboutOperation.includes(reason)
      ? { operationId: exampleOperation.id, shipment: exampleShipment }
      : {}),
  })
  const body = problemBody(thrown, {
    id: exampleUnknownOutcome.request_id,
    changing: true,
    keyed: true,
  })
  return json(body.status, body, problemHeaders(thrown))
}
export const cut: Step = (request) => void request.socket.destroy()
export const gateway: Step = (_, response) =>
  void response.writeHead(502).end('<html>bad gateway</html>')
export const half: Step = (_, response) =>
  void response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": "shp_')

/** A server that takes one step per request, and repeats the last step. */
export async function scriptedServer(t: Test, ...steps: readonly Step[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = String(await buffer(request).catch(() => ''))
    const step = steps[Math.min(seen.length, steps.length - 1)]
    const { method = '', url: path = '', headers } = request
    const key = headers['idempotency-key']?.toString()
    seen.push({ method, path, key, type: headers['content-type'], body })
    step?.(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const make = (more: Partial<ClientSettings> = {}) =>
    createClient({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: 'svc_test_any', ...more })
  return { client: make(), make, seen }
}
