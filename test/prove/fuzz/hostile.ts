import { random } from '../../support/random.ts'

/** Random choices that are the same for the same seed. */
export type Chance = ReturnType<typeof chance>

export function chance(seed: number) {
  const next = random(seed)
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    one: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    is: (probability: number) => next() < probability,
  }
}

/** Texts that often break programs: sizes, encodings, text directions, code, numbers. */
export const texts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\ufeff',
  'é',
  '𝔘',
  'ﷺ',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '"; DROP TABLE x; --',
  '$1',
  '%s%n',
  '{{7*7}}',
  '<script>',
  '../../',
  'a'.repeat(255),
  'a'.repeat(256),
  'ñ'.repeat(300),
  'a'.repeat(4_000),
  '%00',
  '\r\nx: y',
  '\\',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00Z',
  '-1',
  'P1Y',
  'PT0S',
  '999999999999999999999999',
  '18446744073709551616',
  'ws_',
  `ws_${'0'.repeat(22)}`,
  'op_0',
]

const numbers = [0, -0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 0.1, 1_000_000]

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Any JSON value. */
function anyValue(by: Chance): unknown {
  const make = by.one<() => unknown>([
    () => null,
    () => by.is(0.5),
    () => by.one(numbers),
    () => by.one(texts),
    () => by.one(texts),
    () => [],
    () => ({}),
    () => Array.from({ length: by.below(200) }, () => by.one(texts)),
    () => ({ [by.one(texts)]: by.one(texts) }),
    () => nested(by.below(24)),
  ])
  return make()
}

/** The value with something changed, removed or added. */
export function nearly(value: unknown, by: Chance): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || by.is(0.3)) return [...value, anyValue(by)]
    const at = by.below(value.length)
    return value.map((each, index) => (index === at ? nearly(each, by) : each))
  }
  if (typeof value !== 'object' || value === null) return anyValue(by)
  const entries = Object.entries(value)
  if (entries.length === 0 || by.is(0.15)) return { ...value, [by.one(texts)]: anyValue(by) }
  const at = by.below(entries.length)
  if (by.is(0.2)) return Object.fromEntries(entries.filter((_, index) => index !== at))
  return Object.fromEntries(
    entries.map(([name, each], index) => [name, index === at ? nearly(each, by) : each]),
  )
}

/** JSON text that is truncated, doubled or in another encoding. */
export function spoiled(text: string, by: Chance): Buffer {
  const bytes = Buffer.from(text)
  return by.one<() => Buffer>([
    () => bytes.subarray(0, by.below(bytes.length + 1)),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(text.replace('{', '{"name":1,"name":2,')),
    () => Buffer.from(text.replace('{', '{"__proto__":{"a":1},')),
    () => {
      const at = by.below(bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)])
    },
    () => Buffer.from('['.repeat(by.below(30_000))),
    () => Buffer.from(JSON.stringify({ a: 'x'.repeat(66_000) })),
    () => Buffer.from(text.replaceAll(/\d+/g, '1e999')),
    () => Buffer.alloc(by.below(4_096), by.below(256)),
  ])()
}
