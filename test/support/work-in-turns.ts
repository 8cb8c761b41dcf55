import { type BinaryLike, type BinaryToTextEncoding, Hash, Hmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'

export type Work = {
  /** Texts normalized to NFC. */
  normalized: number
  /** Characters of JSON parsed. */
  parsed: number
  /** Characters of JSON written. */
  written: number
  /** Hashes computed. */
  hashed: number
  /** Bytes hashed. */
  hashedBytes: number
}

const none: Work = { normalized: 0, parsed: 0, written: 0, hashed: 0, hashedBytes: 0 }

/** Counts the work of this process until the test ends. */
export function countWork(t: Test): Work {
  const work = { ...none }
  const { normalize } = String.prototype
  const { parse, stringify } = JSON
  const { digest } = Hash.prototype
  const updates = [Hash.prototype, Hmac.prototype].map(
    (prototype) => [prototype, prototype.update] as const,
  )
  String.prototype.normalize = function (this: string, form?: string) {
    work.normalized++
    return normalize.call(this, form)
  }
  JSON.parse = (text: string, reviver?: Parameters<typeof parse>[1]) => {
    work.parsed += text.length
    return parse(text, reviver)
  }
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args)
    work.written += text?.length ?? 0
    return text
  }) as typeof stringify
  Hash.prototype.digest = function (this: Hash, ...args: [BinaryToTextEncoding]) {
    work.hashed++
    return digest.apply(this, args)
  } as typeof digest
  for (const [prototype, update] of updates) {
    prototype.update = function (this: never, data: BinaryLike) {
      work.hashedBytes += typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
      return Reflect.apply(update, this, [data])
    } as never
  }
  t.teardown(() => {
    String.prototype.normalize = normalize
    JSON.parse = parse
    JSON.stringify = stringify
    Hash.prototype.digest = digest
    for (const [prototype, update] of updates) prototype.update = update as never
  })
  return work
}

/** The most work of each kind done in one turn of the event loop until the promise settled. */
export async function mostInOneTurn(work: Work, until: Promise<unknown>): Promise<Work> {
  const most = { ...none }
  let isOver = false
  const over = until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const before = { ...work }
    await setImmediate()
    for (const kind of Object.keys(none) as (keyof Work)[]) {
      most[kind] = Math.max(most[kind], work[kind] - before[kind])
    }
  }
  await over
  return most
}
