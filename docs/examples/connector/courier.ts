// A courier's API as one might find it: an API key, its own words, centimetres, no deadline and
// no idempotency. It stands for the courier that you connect, and keeps its orders in memory.
//   node courier.ts 4100

import { createServer } from 'node:http'

type Order = {
  readonly order: string
  readonly pin: string
  readonly cents: number
  readonly ref: string
  readonly placed: string
  /** What it collects from the recipient, if anything. */
  readonly collect?: number
  state: 'OPEN' | 'VOID'
}

const office = (
  code: string,
  title: string,
  street: string,
  [department, province, district]: readonly string[],
) => ({
  office: code,
  title,
  street,
  department,
  province,
  district,
})
const offices = [
  office('LIM-01', 'Lima Centro', 'Jr. Uno 100', ['Lima', 'Lima', 'Lima']),
  office('AQP-01', 'Arequipa', 'Av. Dos 200', ['Arequipa', 'Arequipa', 'Cayma']),
  office('CUZ-01', 'Cusco', 'Av. Tres 300', ['Cusco', 'Cusco', 'Wanchaq']),
]
const boxes = [
  { sku: 'S', label: 'Small box', kilos: 5, cm: [30, 25, 20] },
  { sku: 'L', label: 'Large box', kilos: 20, cm: [60, 50, 45] },
]
const keys: ReadonlySet<string> = new Set(['demo'])
const orders: Order[] = []

type Body = Readonly<Record<string, string | number>>
type Reply = readonly [status: number, body: object | Buffer]

/** Collecting money costs 2%. */
function priceOf({ from, to, sku, kilos, collect = 0 }: Body): number | string {
  const box = boxes.find((one) => one.sku === sku)
  if (![from, to].every((code) => offices.some(({ office }) => office === code)))
    return 'BAD_OFFICE'
  if (box === undefined) return 'BAD_BOX'
  if (Number(kilos) > box.kilos) return 'TOO_HEAVY'
  return 900 + Math.ceil(Number(kilos)) * 150 + Math.ceil(Number(collect) / 50)
}

const routes: Readonly<Record<string, (body: Body) => Reply>> = {
  account: () => [200, {}],
  offices: () => [200, { offices }],
  boxes: () => [200, { boxes }],
  price: (body) => {
    const cents = priceOf(body)
    return typeof cents === 'string' ? [422, { error: cents }] : [200, { cents, days: [2, 4] }]
  },
  place: (body) => {
    const cents = priceOf(body)
    if (typeof cents === 'string') return [422, { error: cents }]
    const order: Order = {
      order: `C${String(orders.length + 1).padStart(8, '0')}`,
      pin: String(1_000 + (orders.length % 9_000)),
      cents,
      ref: String(body.ref),
      placed: new Date().toISOString(),
      state: 'OPEN',
      ...(body.collect === undefined ? {} : { collect: Number(body.collect) }),
    }
    orders.push(order)
    return [201, order]
  },
  search: ({ ref }) => [200, { orders: orders.filter((one) => one.ref === ref) }],
  history: ({ order }) => {
    const found = orders.find((one) => one.order === order)
    if (found === undefined) return [404, { error: 'NO_ORDER' }]
    return [200, { ref: found.ref, scans: [{ what: 'PLACED', when: found.placed }] }]
  },
  void: ({ order }) => {
    const found = orders.find((one) => one.order === order)
    if (found === undefined) return [404, { error: 'NO_ORDER' }]
    found.state = 'VOID'
    return [200, found]
  },
  label: ({ order }) => [200, pageWith(`Order ${order}`)],
}

/** A PDF of one page in A6, with this line of text. */
function pageWith(line: string): Buffer {
  const drawing = `BT /F 20 Tf 40 360 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 298 420] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  let table = 'xref\n0 6\n0000000000 65535 f \n'
  for (const [index, object] of objects.entries()) {
    table += `${String(pdf.length).padStart(10, '0')} 00000 n \n`
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const end = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(pdf + table + end)
}

function reply(name: string, key: string, body: Body): Reply {
  const isOpen = name === 'offices' || name === 'boxes'
  if (!isOpen && !keys.has(key)) return [403, { error: 'BAD_KEY' }]
  return routes[name]?.(body) ?? [404, { error: 'NO_ROUTE' }]
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const name = (request.url ?? '').slice(1)
  const [status, body] = reply(name, String(request.headers['x-api-key']), JSON.parse(text || '{}'))
  const isFile = Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': isFile ? 'application/pdf' : 'application/json' })
  response.end(isFile ? body : JSON.stringify(body))
})
const port = Number(process.argv[2] ?? 4_100)
server.listen(port, '127.0.0.1', () => console.log('courier ready', server.address()))
