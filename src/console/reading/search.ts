import { i18n } from '@lingui/core'
import type { Client } from '../../client/create-client.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { hrefOf } from '../parts/object-links.ts'
import { readOf } from './read-any.ts'

export type Found = {
  readonly id: string
  readonly href: string
  /** The type of the object, and the field it was found by; null if it was read by its id. */
  readonly by: { readonly type: string; readonly matched: string } | null
  readonly title: string
  readonly state: string | null
}

type SearchDeps = { readonly client: Client; readonly signal: AbortSignal }

/** The API's own limit. */
const textMax = 255

/** Searches by id, guide number, reference or key. */
export async function search(
  text: string,
  { client, signal }: SearchDeps,
): Promise<readonly Found[]> {
  if (text === '' || text.length > textMax) return []
  const { data } = await client.search.findByText({ text }, { signal })
  if (data.length > 0) {
    return data.map(({ id, type, matched, title, status }) => ({
      id,
      href: hrefOf(id),
      by: { type, matched },
      title: title ?? id,
      state: status,
    }))
  }
  const object = await readWhole(text, { client, signal })
  return object === null ? [] : [foundById(text, object)]
}

/** Finds objects that have an id but are not in the search index. */
async function readWhole(id: string, { client, signal }: SearchDeps): Promise<object | null> {
  try {
    return (await readOf(id)?.(client, id, signal)) ?? null
  } catch (error) {
    // A missing scope only removes one way of searching.
    const isAbsent =
      error instanceof ShippingLedgerError &&
      ['not_found', 'forbidden_scope', 'invalid_filter'].includes(error.reason)
    if (isAbsent) return null
    throw error
  }
}

function foundById(id: string, object: object): Found {
  const { external_reference, reference, name, status, type } = object as Record<string, unknown>
  const title = [external_reference, reference, name, type].find((one) => typeof one === 'string')
  return {
    id,
    href: hrefOf(id),
    by: null,
    title: typeof title === 'string' ? title : id,
    state: typeof status === 'string' ? status : null,
  }
}

/** The type of what was found, and the field it was found by, in words. */
export function foundBy({ by }: Found): string {
  if (by === null) return i18n.t('id')
  const type = types[by.type]?.() ?? spaced(by.type)
  return matches[by.matched]?.(type) ?? `${type}, ${spaced(by.matched)}`
}

const spaced = (name: string) => name.replaceAll('_', ' ')

const types: Readonly<Record<string, () => string>> = {
  shipment: () => i18n.t('shipment'),
  operation: () => i18n.t('operation'),
  batch: () => i18n.t('batch'),
  request: () => i18n.t('request'),
  webhook_event: () => i18n.t('webhook event'),
  webhook_delivery: () => i18n.t('webhook delivery'),
  webhook_endpoint: () => i18n.t('webhook endpoint'),
  workspace: () => i18n.t('workspace'),
  courier_connection: () => i18n.t('courier connection'),
  quote: () => i18n.t('quote'),
  api_key: () => i18n.t('api key'),
  operator: () => i18n.t('operator'),
}

const matches: Readonly<Record<string, (type: string) => string>> = {
  id: (type) => i18n.t('{type}, by id', { type }),
  external_reference: (type) => i18n.t('{type}, by external reference', { type }),
  idempotency_key: (type) => i18n.t('{type}, by idempotency key', { type }),
  guide_number: (type) => i18n.t('{type}, by guide number', { type }),
}
