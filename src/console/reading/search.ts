import type { Client } from '../../client/create-client.ts'
import type { Operation, Shipment } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { hrefOf } from '../parts/object-links.ts'
import type { Scope } from '../parts/scopes.tsx'
import { readOf } from './read-any.ts'

export type Found = {
  readonly id: string
  readonly href: string
  /** The kind of object, and what it was found by. */
  readonly kind: string
  readonly title: string
  readonly state: string | null
}

type SearchDeps = {
  readonly client: Client
  readonly may: (scope: Scope) => boolean
  readonly signal: AbortSignal
}

/** For each way of searching: a search for one thing needs no more. */
const foundMax = 10
/** The API's own limit. */
const textMax = 255
const guideNumberMax = 64

/**
 * Searches by any text a person may have: an id, a guide number, an order's reference or an
 * idempotency key.
 */
export async function search(text: string, deps: SearchDeps): Promise<readonly Found[]> {
  const { client, signal } = deps
  const read = readOf(text)
  // An order's reference may look like an id.
  const object = read === null ? null : await orNothing(read(client, text, signal))
  if (object !== null) return [foundById(text, object)]
  if (text === '' || text.length > textMax) return []
  const answers = await Promise.all([...shipmentsBy(text, deps), ...operationsBy(text, deps)])
  const found = new Map<string, Found>()
  for (const one of answers.flat()) if (!found.has(one.id)) found.set(one.id, one)
  return [...found.values()]
}

async function orNothing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    // The screens report a missing scope; here it only removes one way of searching.
    const isAbsent =
      error instanceof ShippingLedgerError &&
      ['not_found', 'forbidden_scope', 'invalid_filter'].includes(error.reason)
    if (isAbsent) return null
    throw error
  }
}

function foundById(id: string, object: object): Found {
  const { external_reference, name, display_name, status, type } = object as Record<string, unknown>
  const title = [external_reference, name, display_name, type].find(
    (one) => typeof one === 'string',
  )
  return {
    id,
    href: hrefOf(id),
    kind: 'id',
    title: typeof title === 'string' ? title : id,
    state: typeof status === 'string' ? status : null,
  }
}

function shipmentsBy(text: string, { client, may, signal }: SearchDeps) {
  if (!may('shipments:read')) return []
  const filters = [
    ['shipment, by external reference', { external_reference: text }],
    ['shipment, by idempotency key', { idempotency_key: text }],
    ...(text.length > guideNumberMax
      ? []
      : [['shipment, by guide number', { guide_number: text }] as const]),
  ] as const
  return filters.map(async ([kind, filter]) => {
    const page = await orNothing(client.shipments.list({ ...filter, limit: foundMax }, { signal }))
    return page?.data.map((one) => shown(one, kind)) ?? []
  })
}

function operationsBy(text: string, { client, may, signal }: SearchDeps) {
  if (!may('operations:read')) return []
  const filters = [
    ['operation, by external reference', { external_reference: text }],
    ['operation, by idempotency key', { idempotency_key: text }],
  ] as const
  return filters.map(async ([kind, filter]) => {
    const page = await orNothing(client.operations.list({ ...filter, limit: foundMax }, { signal }))
    return page?.data.map((one) => shown(one, kind)) ?? []
  })
}

function shown({ id, external_reference, status }: Shipment | Operation, kind: string): Found {
  return { id, href: hrefOf(id), kind, title: external_reference, state: status }
}
