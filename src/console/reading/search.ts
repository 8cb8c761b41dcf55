import type { Client } from '../../client/create-client.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { hrefOf } from '../parts/object-links.ts'
import { readOf } from './read-any.ts'

export type Found = {
  readonly id: string
  readonly href: string
  /** The type of the object, and the field it was found by. */
  readonly kind: string
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
      kind: `${words(type)}, by ${words(matched)}`,
      title: title ?? id,
      state: status,
    }))
  }
  const object = await readWhole(text, { client, signal })
  return object === null ? [] : [foundById(text, object)]
}

const words = (name: string) => name.replaceAll('_', ' ')

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
    kind: 'id',
    title: typeof title === 'string' ? title : id,
    state: typeof status === 'string' ? status : null,
  }
}
