import { createHash } from 'node:crypto'

type Order = {
  readonly workspaceId: string
  readonly livemode: boolean
  /** The `external_reference` of a shipment. */
  readonly reference: string
}

/**
 * References with equal keys mean the same order of a workspace. A key has a fixed length and does not
 * reveal the text.
 */
export function orderKeyOf({ workspaceId, livemode, reference }: Order): string {
  const order = JSON.stringify(['order', workspaceId, livemode, plainReference(reference)])
  return createHash('sha256').update(order).digest('base64url')
}

/**
 * A reference without the differences that people and spreadsheets introduce: Unicode form, the case of
 * characters that are not letters, such as Ⅷ, and the `.0` of a number. `a-1` and `A-1` stay different.
 */
export function plainReference(reference: string): string {
  const caseless = reference.replace(/\P{L}+/gu, (text) => text.toLowerCase())
  const plain = caseless.normalize('NFKC').trim()
  return plain.replace(/(?<=.)\.0$/s, '')
}
