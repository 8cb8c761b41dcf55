import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { endOfItem, partBytesMax, startOfList } from '../../../couriers/read-json-list.ts'
import { type Pause, yieldToEventLoop } from '../../../couriers/slices.ts'
import { Problem } from '../../../errors.ts'
import { pointer } from '../../../field-errors.ts'
import { parseStrictJson } from '../../../strict-json.ts'
import { jsonBodies, parseJson } from '../json-body.ts'

/** A JSON body with a list of lines. */
type JsonList = {
  readonly member: string
  readonly itemsMax: number
}

/** Parsed between two pauses, with the item that exceeds it: about a millisecond. */
const bytesAtOnceMax = 32 * 1024
const itemsAtOnceMax = 50

/** Accepts such bodies. Lines are checked one after the other, and other work runs in between. */
export function jsonListBodies(
  app: FastifyInstance,
  { bodyLimit, ...list }: JsonList & { readonly bodyLimit: number },
): void {
  jsonBodies(app, { bodyLimit, parse: (body) => parseJsonList(body, list) })
}

/**
 * Like `parseStrictJson`, but with its limits for each line rather than for the body, and in slices.
 * Also refuses lines that are too many or too long. The lines stay text, as Buffers: if all were
 * parsed at once, the garbage collector would stop the process.
 */
export async function parseJsonList(
  bytes: Buffer,
  list: JsonList,
  pause: Pause = yieldToEventLoop,
): Promise<unknown> {
  const start = isUtf8(bytes) ? startOfList(bytes, list.member) : null
  if (start === null) {
    if (bytes.length > partBytesMax) throw tooLarge(list)
    return parseJson(bytes)
  }
  const { items, end } = await parseItems(bytes, start, list, pause)
  if (start + bytes.length - end > partBytesMax) throw tooLarge(list)
  const body = parseJson(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]))
  if (typeof body === 'object' && body !== null && list.member in body) {
    return Object.assign(body, { [list.member]: items })
  }
  return body
}

async function parseItems(bytes: Buffer, start: number, list: JsonList, pause: Pause) {
  const items: Buffer[] = []
  let end = start - 1
  let pausedAt = start
  do {
    const from = end + 1
    const found = endOfItem(bytes, from)
    if (found === null) throw unended(bytes.length - from, items.length, list)
    end = found
    const text = bytes.toString('utf8', from, end)
    if (items.length === 0 && bytes[end] !== comma && blank.test(text)) break
    if (items.length === list.itemsMax) throw tooMany(list)
    checkItem(text, items.length, list)
    items.push(bytes.subarray(from, end))
    if (items.length % itemsAtOnceMax > 0 && end - pausedAt < bytesAtOnceMax) continue
    pausedAt = end
    await pause()
  } while (bytes[end] === comma)
  return { items, end }
}

const [comma] = Buffer.from(',')
const blank = /^[ \t\n\r]*$/

/** Throws a Problem that points at the line. */
function checkItem(text: string, index: number, { member }: JsonList): void {
  try {
    parseStrictJson(text)
  } catch (error) {
    if (!(error instanceof Problem) || error.options.errors === undefined) throw error
    const at = pointer([member, index])
    const errors = error.options.errors.map((each) => ({ ...each, pointer: at + each.pointer }))
    throw new Problem(error.reason, { errors })
  }
}

function unended(bytes: number, index: number, { member }: JsonList): Problem {
  if (bytes <= partBytesMax) return new Problem('invalid_json')
  return refused([member, index], 'too_large', `A line has at most ${partBytesMax} bytes.`)
}

function tooMany({ member, itemsMax }: JsonList): Problem {
  return refused([member], 'too_big', `At most ${itemsMax} lines as JSON.`)
}

function refused(at: readonly PropertyKey[], reason: string, detail: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer: pointer(at), reason, detail }] })
}

function tooLarge({ member }: JsonList): Problem {
  return new Problem('body_too_large', {
    detail: `A body has at most ${partBytesMax} bytes beside its \`${member}\`.`,
  })
}
