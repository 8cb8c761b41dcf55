import t from 'tap'
import { csvText } from '../../src/service/sheets/csv-text.ts'
import { type HeldCourier, heldCourier } from '../http/held-courier.ts'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)

const header = [
  ...['N° de pedido', 'Agencia de origen', 'Agencia de destino', 'Producto', 'Cantidad'],
  ...['Peso (kg)', 'Alto (m)', 'Largo (m)', 'Ancho (m)', 'Servicio', 'Quién paga', 'Contenido'],
  ...['Tipo de documento', 'Nro. documento', 'Nombres', 'Apellidos'],
]

type Cells = {
  readonly origin?: string
  readonly destination?: string
  readonly product?: string
}

/** A line as a clerk in Peru would write it. */
function rowOf(reference: string, cells: Cells = {}) {
  const {
    origin = 'agencia lima - norte',
    destination = 'AGENCIA JAEN',
    product = 'Box xxs',
  } = cells
  return [
    ...[reference, origin, destination, product, '1', '0.8', '0.05', '0.2', '0.15'],
    ...['Terrestre', 'Remitente', 'Libros', 'D.N.I.', '45678912', 'Iñés', 'Núñez'],
  ]
}

async function send(own: ApiClient, reference: string, rows: readonly (readonly string[])[]) {
  const { workspaceId, connectionId } = own.seeded
  const query = new URLSearchParams({
    external_reference: reference,
    workspace_id: workspaceId,
    courier_connection_id: connectionId,
  })
  const response = await fetch(`${own.url}/v1/batches?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.seeded.shopKey}`, 'content-type': 'text/csv' },
    body: csvText([header, ...rows]),
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  const body = (await response.json()) as any
  return { status: response.status, headers: response.headers, body }
}

/** The lines of a batch once all are answered. */
async function linesOf(own: ApiClient, id: string) {
  await eventually(
    () => own.call(`/v1/batches/${id}`),
    ({ body }) => body.status !== 'running',
  )
  return (await own.call(`/v1/batches/${id}/items?limit=100`)).body.data
}

t.test('a file with names and Spanish words makes shipments, once', async (t) => {
  const own = await freshShop(shop, 'names')
  const rows = [
    rowOf('a'),
    rowOf('b', { destination: 'Agencia Miraflores (Arequipa)' }),
    rowOf('c', { destination: 'Kiosco Arequipa' }),
  ]
  const first = await send(own, 'monday', rows)
  t.equal(first.status, 202)
  const before = await linesOf(own, first.body.id)
  t.match(before, [{ state: 'created' }, { state: 'created' }, { state: 'created' }])
  const { body: shipment } = await own.call(`/v1/shipments/${before[1].shipment_id}`)
  t.match(shipment, {
    service: { mode: 'terrestrial', payer: 'sender' },
    recipient: { document_type: 'DNI', first_name: 'Iñés' },
  })
  const { body: agency } = await own.call(`/v1/agencies/${shipment.destination.agency_id}`)
  t.match(agency, { name: 'Agencia Miraflores', department: 'Arequipa' })

  const guides = shop.record.guideCount()
  const other = { origin: agency.id, destination: 'Agencia Jaén, Jaén' }
  const ids = { origin: 'AGENCIA LIMA NORTE', destination: agency.id }
  const again = await send(own, 'monday', [rowOf('b', ids), rowOf('new', other), rowOf('a')])
  const [b, added, a] = await linesOf(own, again.body.id)
  t.equal(b.shipment_id, before[1].shipment_id, 'the id or the name: the same line')
  t.equal(a.shipment_id, before[0].shipment_id)
  t.equal(added.state, 'created')
  t.equal(shop.record.guideCount(), guides + 1)
})

t.test('a name that is not that of one fitting agency refuses only its line', async (t) => {
  const own = await freshShop(shop, 'unclear')
  const sent = await send(own, 'unclear', [
    rowOf('fine'),
    rowOf('several', { destination: 'Agencia Miraflores' }),
    rowOf('unknown', { origin: 'Agencia Mirafloris', product: 'Box' }),
    rowOf('pickup only', { origin: 'Kiosco Arequipa' }),
    rowOf('empty', { destination: '' }),
  ])
  const [fine, several, unknown, pickupOnly, empty] = await linesOf(own, sent.body.id)
  t.equal(fine.state, 'created')
  t.match(several.error.errors, [{ pointer: '/destination/agency_id', reason: 'agency_ambiguous' }])
  t.match(
    several.error.errors[0].detail,
    /Miraflores, Lima \(agy_\w+\); .*Miraflores, Arequipa \(agy_\w+\)\. Add the district/,
  )
  t.match(unknown.error.errors, [
    { pointer: '/origin/agency_id', reason: 'agency_not_found', detail: /Similar ones: .*\(agy_/ },
    { pointer: '/package/product_id', reason: 'product_not_found', detail: /Box XXS \(pkg_/ },
  ])
  t.match(pickupOnly.error.errors, [
    { pointer: '/origin/agency_id', reason: 'agency_capability_missing', detail: /drop_off/ },
  ])
  t.match(empty.error.errors, [{ pointer: '/destination/agency_id', reason: 'required' }])
})

t.test('JSON takes ids and the words of the API only', async (t) => {
  const own = await freshShop(shop, 'strict')
  const { workspace_id, courier_connection_id, ...line } = own.bodyOf('strict')
  const answer = await own.call('/v1/batches', {
    body: {
      external_reference: 'strict',
      workspace_id,
      courier_connection_id,
      items: [
        { ...line, service: { mode: 'terrestre', payer: 'sender' } },
        { ...line, origin: { agency: 'Agencia Jaén' } },
      ],
    },
  })
  const lines = await linesOf(own, answer.body.id)
  t.match(lines[0].error.errors, [{ pointer: '/service/mode' }])
  t.match(lines[1].error.errors, [{ pointer: '/origin/agency_id' }, { pointer: '/origin/agency' }])
})

t.test('names are not looked up while the lists cannot be read', async (t) => {
  await shop.stop()
  let courier: HeldCourier | undefined
  const started = await service(t, {
    after: shop,
    courierUrl: async (url) => {
      courier = await heldCourier(t, url)
      return courier.url
    },
  })
  const mend = courier?.cut('/agencies')
  const own = await freshShop(started, 'unread')
  const refused = await send(own, 'unread', [rowOf('a')])
  t.match(refused, { status: 503, body: { reason: 'courier_unreachable', retryable: true } })
  t.equal(refused.headers.get('retry-after'), '5')
  const single = await own.create('unread')
  t.match(single, { status: 503, body: { reason: 'courier_unreachable' } }, 'like a creation')
  const { body } = await own.call(`/v1/batches?workspace_id=${own.seeded.workspaceId}`)
  t.same(body.data, [])
  mend?.()
  const sent = await send(own, 'unread', [rowOf('a')])
  t.match(await linesOf(own, sent.body.id), [{ state: 'created' }])
})
