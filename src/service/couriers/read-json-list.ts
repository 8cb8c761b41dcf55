import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { connectorLimits } from './protocol-codes.ts'
import { itemsAtOnceMax, type Pause, yieldToEventLoop } from './slices.ts'

export type JsonList<Item extends z.ZodType, Envelope extends z.ZodType> = {
  /** The name of the member with the list. */
  readonly member: string
  readonly item: Item
  readonly itemsMax: number
  /** The schema of the object, with an empty list. */
  readonly envelope: Envelope
}

export type ReadList<Item extends z.ZodType, Envelope extends z.ZodType> = {
  readonly items: readonly z.infer<Item>[]
  /** The other members of the object. */
  readonly envelope: z.infer<Envelope>
}

/** Bytes that are parsed at once: an item, or everything besides the list. */
export const partBytesMax = connectorLimits.catalogueItemBytesMax

/**
 * Reads a JSON object with a long list; null if the bytes are not such an object. `JSON.parse`
 * would block for the whole list, so the items are parsed and checked one by one, in slices.
 */
export async function readJsonList<Item extends z.ZodType, Envelope extends z.ZodType>(
  bytes: Buffer,
  list: JsonList<Item, Envelope>,
  pause: Pause = yieldToEventLoop,
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
 * The position after the opening bracket of the outermost object's list; null if it is not within
 * the first 64 KiB.
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
 * The end of the item: a comma or the list's closing bracket; null if it is longer than 64 KiB or
 * has no end.
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

/** The position of the closing quote; null if it is more than 64 KiB away. */
function endOfString(bytes: Buffer, start: number): number | null {
  for (let at = start + 1; at - start < partBytesMax; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  return null
}
