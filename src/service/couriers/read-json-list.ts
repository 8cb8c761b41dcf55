import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { connectorLimits } from './protocol-codes.ts'
import { itemsAtOnceMax, nextTurn, type Pause } from './slices.ts'

export type JsonList<Item extends z.ZodType, Envelope extends z.ZodType> = {
  /** The object's member that holds the list. */
  readonly member: string
  readonly item: Item
  readonly itemsMax: number
  /** The object with an empty list. */
  readonly envelope: Envelope
}

export type ReadList<Item extends z.ZodType, Envelope extends z.ZodType> = {
  readonly items: readonly z.infer<Item>[]
  /** What the object says beside its list. */
  readonly envelope: z.infer<Envelope>
}

/** What is parsed in one go: an item, or all that is beside the list. */
export const partBytesMax = connectorLimits.catalogueItemBytesMax

/**
 * A JSON object with a long list; null when the bytes are not such an object. `JSON.parse` would
 * block on the whole list: here each item is parsed and checked on its own, in slices.
 */
export async function readJsonList<Item extends z.ZodType, Envelope extends z.ZodType>(
  bytes: Buffer,
  list: JsonList<Item, Envelope>,
  pause: Pause = nextTurn,
): Promise<ReadList<Item, Envelope> | null> {
  const items: z.infer<Item>[] = []
  let sliceBytes = 0
  try {
    if (!isUtf8(bytes)) return null
    const start = startOfList(bytes, list.member)
    if (start === null) return null
    let end = start - 1
    do {
      const from = end + 1
      const found = endOfItem(bytes, from)
      if (found === null) return null
      end = found
      const text = bytes.toString('utf8', from, end)
      if (items.length === 0 && bytes[end] !== comma && blank.test(text)) break
      if (items.length === list.itemsMax) return null
      items.push(list.item.parse(JSON.parse(text)))
      sliceBytes += end - from
      if (items.length % itemsAtOnceMax > 0 && sliceBytes < partBytesMax) continue
      sliceBytes = 0
      await pause()
    } while (bytes[end] === comma)
    if (bytes.length - end > partBytesMax) return null
    const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
    const envelope = list.envelope.parse(JSON.parse(new TextDecoder().decode(rest)))
    return { items, envelope }
  } catch {
    return null
  }
}

const [quote, backslash, comma] = Buffer.from('"\\,')
const [openObject, closeObject, openList, closeList] = Buffer.from('{}[]')
const blank = /^[ \t\n\r]*$/

/**
 * The position after the bracket that opens the list of the outermost object; null if there is no such
 * list in the first 64 KiB.
 */
export function startOfList(bytes: Buffer, member: string): number | null {
  const wanted = JSON.stringify(member)
  let depth = 0
  let key = ''
  for (let at = 0; at < partBytesMax; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const end = endOfString(bytes, at)
      if (end === null) return null
      if (depth === 1) key = bytes.toString('utf8', at, end + 1)
      at = end
    } else if (byte === openObject || byte === openList) {
      depth++
      if (depth === 2 && byte === openList && key === wanted) return at + 1
    } else if (byte === closeObject || byte === closeList) depth--
  }
  return null
}

/**
 * The position where the item ends: a comma, or the bracket that closes the list; null if it is longer
 * than 64 KiB, or does not end.
 */
export function endOfItem(bytes: Buffer, from: number): number | null {
  let depth = 0
  for (let at = from; at - from < partBytesMax; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const end = endOfString(bytes, at)
      if (end === null) return null
      at = end
    } else if (byte === openObject || byte === openList) depth++
    else if (byte === closeObject || byte === closeList) {
      if (depth === 0) return at
      depth--
    } else if (byte === comma && depth === 0) return at
  }
  return null
}

/** The position of the closing quote; null if it is farther than 64 KiB. */
function endOfString(bytes: Buffer, start: number): number | null {
  for (let at = start + 1; at - start < partBytesMax; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  return null
}
