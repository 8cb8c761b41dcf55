import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { createApiKey } from '../../../src/service/security/api-keys.ts'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { comparedInvoice } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

const send = (own: ApiClient, reference: string, lines: readonly object[]) =>
  own.call(path, {
    body: { courier_connection_id: own.seeded.connectionId, reference, lines },
    ...operator,
  })

/** Sends an invoice and waits until it is compared. */
async function invoiced(own: ApiClient, reference: string, lines: readonly object[]) {
  const sent = await send(own, reference, lines)
  t.equal(sent.status, 202, reference)
  return await comparedInvoice(own, sent.body.id)
}

const act = (own: ApiClient, id: string, what: string) =>
  own.call(`${path}/${id}/${what}`, { method: 'POST', ...operator })

async function findingsOf(own: ApiClient, id: string) {
  const { body } = await own.call(`${path}/${id}/lines`, operator)
  return body.data.map(({ finding }: { finding: string }) => finding)
}

async function guidesOf(own: ApiClient, count: number) {
  const keys = Array.from({ length: count }, (_, at) => `guide-${at}`)
  const created = await Promise.all(keys.map((key) => own.create(key)))
  return created.map(({ body }) => ({ guide_number: body.guide_number, ...body.price }))
}

t.test('an invoice that was imported by mistake bills nothing once it is withdrawn', async (t) => {
  const own = await freshShop(shop, 'mistake')
  const [a, b, c] = await guidesOf(own, 3)
  const wrong = await invoiced(own, 'of another month', [a, b, c])
  const right = await invoiced(own, 'right', [a, b])
  t.strictSame(await findingsOf(own, right.id), ['billed_twice', 'billed_twice'])

  const withdrawn = await act(own, wrong.id, 'withdraw')
  t.match(withdrawn, { status: 200, body: { id: wrong.id, status: 'withdrawn', version: 1 } })
  t.type(withdrawn.body.withdrawn_at, 'string')
  t.strictSame(
    (await act(own, wrong.id, 'withdraw')).body,
    withdrawn.body,
    'a repeat returns the same',
  )
  await comparedInvoice(own, right.id)
  t.strictSame(await findingsOf(own, right.id), ['matched', 'matched'], 'by itself')

  t.strictSame(await findingsOf(own, wrong.id), ['matched', 'matched', 'matched'], 'can be read')
  const { body: missing } = await own.call(`${path}/${right.id}/not-billed`, operator)
  t.match(missing.data, [{ guide_number: c?.guide_number }])
  t.equal(missing.data.length, 1)
  t.match(await act(own, wrong.id, 'compare'), {
    status: 409,
    body: { reason: 'invoice_withdrawn' },
  })
  const decision = { body: { decision: 'accepted', note: 'x' }, ...operator }
  t.match(await own.call(`${path}/${wrong.id}/lines/1/decision`, decision), {
    status: 409,
    body: { reason: 'invoice_withdrawn' },
  })
  const { body: acts } = await own.call(
    `/v1/audit-events?action=CourierInvoiceWithdrawn&resource_id=${wrong.id}`,
    operator,
  )
  t.equal(acts.data.length, 1)
  t.match(acts.data[0], { before: { status: 'compared' }, after: { status: 'withdrawn' } })

  const again = await send(own, 'of another month', [a, b, c])
  t.match(again, { status: 202, body: { id: wrong.id, version: 2, withdrawn_at: null } })
  t.equal(again.headers.get('idempotent-replayed'), null)
  await comparedInvoice(own, wrong.id)
  t.strictSame(
    await findingsOf(own, wrong.id),
    ['billed_twice', 'billed_twice', 'matched'],
    'after what was imported meanwhile',
  )
  t.strictSame(await findingsOf(own, right.id), ['matched', 'matched'])
  const replayed = await send(own, 'of another month', [a, b, c])
  t.equal(replayed.headers.get('idempotent-replayed'), 'true')
})

t.test('withdrawing needs the scope of those who import', async (t) => {
  const own = await freshShop(shop, 'scope')
  const [a] = await guidesOf(own, 1)
  const { id } = await invoiced(own, 'scope', [a!])
  const order = {
    organizationId: own.seeded.organizationId,
    livemode: false,
    scopes: ['operations:read'] as const,
    workspaceId: null,
    expiresAt: null,
  }
  const { key } = await createApiKey(shop.parts, order, byCli)
  const refused = await own.call(`${path}/${id}/withdraw`, { method: 'POST', key })
  t.match(refused, { status: 403, body: { reason: 'forbidden_scope' } })
  t.equal((await own.call(`${path}/${id}`, operator)).body.status, 'compared')
})
