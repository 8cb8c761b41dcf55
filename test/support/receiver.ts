import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wrongInComponent } from './declared-answers.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A delivery as received. */
export type Received = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes, asserted field by field
  readonly event: any
}

export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Receiver = { readonly url: string; readonly received: readonly Received[] }

const ok: Reply = { status: 200 }

/**
 * A shop's server that receives webhooks on a real socket; it answers 200 by default. Bodies must be
 * as docs/openapi.json says, unless the test made them by hand.
 */
export async function receiver(
  t: Test,
  reply: (received: Received, number: number) => Reply | Promise<Reply> = () => ok,
  { isHandmade = false }: { readonly isHandmade?: boolean } = {},
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const one = { path: request.url ?? '', headers, body, event: JSON.parse(body.toString()) }
    received.push(one)
    const wrong = isHandmade ? null : wrongInComponent('WebhookPayload', one.event)
    if (wrong !== null) throw new Error(`docs/openapi.json: ${one.event.type}: ${wrong}`)
    const answer = await reply(one, received.length)
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}
