import { createHash } from 'node:crypto'

type Order = {
  readonly workspaceId: string
  readonly livemode: boolean
  /** The `external_reference` of a shipment. */
  readonly reference: string
}

/**
 * Two references are one order of a workspace if their keys are equal. The key says nothing about
 * the text, and is of one length.
 */
export function orderKeyOf({ workspaceId, livemode, reference }: Order): string {
  const order = JSON.stringify(['order', workspaceId, livemode, plainReference(reference)])
  return createHash('sha256').update(order).digest('base64url')
}

/**
 * A reference without what people and spreadsheets change: the form of its characters, the case of
 * characters that are not letters, such as Ⅷ, and the `.0` of a number. `a-1` and `A-1` stay two.
 */
export function plainReference(reference: string): string {
  const caseless = reference.replace(/\P{L}+/gu, (text) => text.toLowerCase())
  const plain = caseless.normalize('NFKC').trim()
  return plain.replace(/(?<=.)\.0$/s, '')
}
