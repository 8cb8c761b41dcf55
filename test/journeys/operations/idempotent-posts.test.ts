import t from 'tap'
import {
  exampleConnectionRequest,
  exampleKeyRequest,
} from '../../../src/service/http/openapi/examples.ts'
import { exampleInvoiceRequest } from '../../../src/service/http/openapi/invoice-examples.ts'
import { exampleOperatorRequest } from '../../../src/service/http/openapi/operation-examples.ts'
import { committedDocument } from '../../support/declared-answers.ts'
import { receiver } from '../../support/receiver.ts'
import { service } from '../../support/service.ts'

/** `makes`: accepts an Idempotency-Key. `why`: accepts none, because repeating it is harmless. */
type Post =
  | { readonly makes: string; readonly key: 'required' | 'optional' }
  | { readonly why: string }

/**
 * Every POST of the API. Each that creates something accepts a key, so that a lost answer never
 * leads to a second one.
 */
const posts: Readonly<Record<string, Post>> = {
  '/v1/workspaces': { makes: 'a workspace', key: 'optional' },
  '/v1/workspaces/{id}/hold': { makes: 'a legal hold', key: 'optional' },
  '/v1/workspaces/{id}/release-hold': { makes: 'the end of a legal hold', key: 'optional' },
  '/v1/courier-connections': { makes: 'a connection', key: 'optional' },
  '/v1/courier-connections/{id}/verify': { why: 'asks the courier and notes the answer' },
  '/v1/quotes': { makes: 'a quote', key: 'optional' },
  '/v1/shipments': { makes: 'a shipment', key: 'required' },
  '/v1/batches': { makes: 'a batch', key: 'optional' },
  '/v1/batches/{id}/cancel': { why: 'what was left out stays left out' },
  '/v1/labels': { why: 'it only reads' },
  '/v1/manifests': { why: 'it only reads' },
  '/v1/shipments/{id}/cancel': { makes: 'an operation', key: 'required' },
  '/v1/shipments/{id}/erase-personal-data': { makes: 'an erasure', key: 'optional' },
  '/v1/shipments/{id}/hold': { makes: 'a legal hold', key: 'optional' },
  '/v1/shipments/{id}/release-hold': { makes: 'the end of a legal hold', key: 'optional' },
  '/v1/shipments/{id}/tracking-link/roll': { makes: 'a link', key: 'optional' },
  '/v1/shipments/{id}/tracking/refresh': { why: 'asks the courier, once in a while' },
  '/v1/operations/{id}/look': { why: 'asks the courier, once in ten seconds' },
  '/v1/operations/{id}/resolve': { why: 'the same decision again is a success' },
  '/v1/operations/{id}/assign': { why: 'the same operator again changes nothing' },
  '/v1/operations/{id}/snooze': { why: 'the same time again changes nothing' },
  '/v1/operations/{id}/comments': { makes: 'a comment', key: 'optional' },
  '/v1/courier-invoices': { makes: 'an invoice', key: 'optional' },
  '/v1/courier-invoices/fetch': { makes: 'an invoice', key: 'optional' },
  '/v1/courier-invoices/{id}/compare': { why: 'what is being compared goes on' },
  '/v1/courier-invoices/{id}/withdraw': { why: 'what is withdrawn stays withdrawn' },
  '/v1/courier-invoices/{id}/lines/{line}/decision': {
    why: 'the same decision again changes nothing',
  },
  '/v1/webhook-endpoints': { makes: 'an endpoint and its secret', key: 'optional' },
  '/v1/webhook-endpoints/{id}/rotate-secret': { makes: 'a secret', key: 'optional' },
  '/v1/webhook-endpoints/{id}/test': { makes: 'an event and a delivery', key: 'optional' },
  '/v1/webhook-endpoints/{id}/recover': { why: 'what is pending already is left as it is' },
  '/v1/webhook-deliveries/{id}/redeliver': { why: 'it is the same delivery, sent at least once' },
  '/v1/keys': { makes: 'a key', key: 'optional' },
  '/v1/keys/{id}/roll': { makes: 'the next key', key: 'optional' },
  '/v1/operators': { makes: 'an operator', key: 'optional' },
  '/v1/sandbox/clock/advance': { why: 'moves a clock of test mode, which makes nothing' },
}

type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean }

t.test('every POST that creates something takes an Idempotency-Key', async (t) => {
  const { paths } = committedDocument as {
    paths: Record<string, { post?: { parameters?: readonly Parameter[] } }>
  }
  const documented = Object.entries(paths).filter(([, { post }]) => post !== undefined)
  t.same(
    documented.map(([path]) => path).toSorted(),
    Object.keys(posts).toSorted(),
    'say of a new POST what it makes, or why it takes no key',
  )
  for (const [path, { post }] of documented) {
    const header = post?.parameters?.find(({ name }) => name === 'idempotency-key')
    const taken = header === undefined ? 'none' : header.required === true ? 'required' : 'optional'
    const row = posts[path]
    t.equal(taken, row !== undefined && 'key' in row ? row.key : 'none', path)
  }
})

t.test('repeating an optional Idempotency-Key returns the resource it created', async (t) => {
  const shop = await service(t)
  const { workspaceId } = shop.seeded
  const mine = await receiver(t)
  const created = await shop.create('to-erase')
  const url = { url: mine.url, event_types: ['tracking.lost'] }
  const endpoint = await shop.call('/v1/webhook-endpoints', {
    body: { workspace_id: workspaceId, ...url },
  })
  const key = await shop.call('/v1/keys', {
    body: exampleKeyRequest(workspaceId),
    key: shop.seeded.operatorKey,
  })
  const held = await shop.create('to-hold')
  const lost = await shop.create('lost', { scenario: 'lost_response_human_review' })
  const ids: Readonly<Record<string, string>> = {
    '/v1/workspaces/{id}/hold': workspaceId,
    '/v1/workspaces/{id}/release-hold': workspaceId,
    '/v1/shipments/{id}/hold': held.body.id,
    '/v1/shipments/{id}/release-hold': held.body.id,
    '/v1/shipments/{id}/tracking-link/roll': held.body.id,
    '/v1/shipments/{id}/erase-personal-data': created.body.id,
    '/v1/operations/{id}/comments': lost.body.operation_id,
    '/v1/webhook-endpoints/{id}/rotate-secret': endpoint.body.id,
    '/v1/webhook-endpoints/{id}/test': endpoint.body.id,
    '/v1/keys/{id}/roll': key.body.id,
  }
  const note = { note: 'x' }
  const bodies: Readonly<Record<string, object>> = {
    '/v1/workspaces/{id}/hold': note,
    '/v1/workspaces/{id}/release-hold': note,
    '/v1/shipments/{id}/hold': note,
    '/v1/shipments/{id}/release-hold': note,
    '/v1/workspaces': { name: 'Other', external_reference: 'other' },
    '/v1/courier-connections': exampleConnectionRequest(workspaceId),
    '/v1/quotes': shop.quoteBody(),
    '/v1/webhook-endpoints': { workspace_id: workspaceId, ...url },
    '/v1/webhook-endpoints/{id}/test': { type: 'tracking.lost' },
    '/v1/operations/{id}/comments': { text: 'x' },
    '/v1/batches': { external_reference: 'once', items: [shop.bodyOf('once')] },
    '/v1/keys': exampleKeyRequest(workspaceId),
    '/v1/keys/{id}/roll': { overlap_hours: 1 },
    '/v1/operators': exampleOperatorRequest,
    '/v1/courier-invoices': {
      ...exampleInvoiceRequest,
      courier_connection_id: shop.seeded.connectionId,
    },
    '/v1/courier-invoices/fetch': {
      courier_connection_id: shop.seeded.connectionId,
      month: created.body.created_at.slice(0, 7),
    },
  }
  const isByOperator = /hold|keys|operat|invoices/
  for (const [path, row] of Object.entries(posts)) {
    if (!('key' in row) || row.key !== 'optional') continue
    const body = bodies[path]
    const ask = () =>
      shop.call(path.replace('{id}', ids[path] ?? ''), {
        method: 'POST',
        headers: { 'idempotency-key': `once${path}` },
        ...(isByOperator.test(path) ? { key: shop.seeded.operatorKey } : {}),
        ...(body === undefined ? {} : { body }),
      })
    const first = await ask()
    t.ok(first.status >= 200 && first.status < 300, `${path} makes ${row.makes}`)
    t.equal(first.headers.get('idempotent-replayed'), null)
    const again = await ask()
    t.ok(again.status >= 200 && again.status < 300, path)
    t.equal(again.headers.get('idempotent-replayed'), 'true', path)
    t.equal(again.body.id, first.body.id, path)
  }
  const rotated = await shop.call(`/v1/webhook-endpoints/${endpoint.body.id}`)
  t.equal(rotated.body.version, 2, 'rotated once')
  const { body } = await shop.call(`/v1/webhook-deliveries?endpoint_id=${endpoint.body.id}`)
  t.match(body.data, [{ event_type: 'tracking.lost' }])
  t.equal(body.data.length, 1, 'one example')
})
