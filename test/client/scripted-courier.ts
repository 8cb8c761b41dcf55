import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

type Test = { teardown(close: () => Promise<unknown>): unknown }

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
type Body = any

/** Changes an answer of the courier; `lost` closes the connection instead. */
export type Script = (path: string, asked: Body, answer: Body) => Body | 'lost'

/** A proxy to the courier, whose answers a test may rewrite or lose. Returns its URL. */
export async function scriptedCourier(t: Test, courierUrl: string, script: Script) {
  const server = createServer((near, answer) => {
    // The courier itself loses responses in some scenarios.
    pass(near, answer).catch(() => near.socket.destroy())
  })
  const pass = async (near: IncomingMessage, answer: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of near) chunks.push(chunk as Buffer)
    const asked = Buffer.concat(chunks)
    const reply = await fetch(new URL(near.url ?? '/', courierUrl), {
      method: near.method ?? 'GET',
      headers: Object.fromEntries(
        ['content-type', 'accept', 'authorization'].flatMap((name) =>
          near.headers[name] === undefined ? [] : [[name, String(near.headers[name])]],
        ),
      ),
      ...(asked.length === 0 ? {} : { body: asked }),
    })
    const type = reply.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await reply.arrayBuffer())
    const isJson = type.includes('json')
    const said = isJson ? JSON.parse(bytes.toString()) : null
    const path = new URL(near.url ?? '/', courierUrl).pathname
    const told = isJson
      ? script(path, asked.length === 0 ? null : JSON.parse(asked.toString()), said)
      : said
    if (told === 'lost') {
      near.socket.destroy()
      return
    }
    const body = isJson ? JSON.stringify(told) : bytes
    answer.writeHead(reply.status, { 'content-type': type }).end(body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
