import { Problem } from './errors.ts'
import { pointer } from './field-errors.ts'

/** The deepest body of any route has 3 levels. */
const depthMax = 16
/**
 * Fields of a body or line, at all depths. The largest has about 50, and each costs microseconds.
 */
const fieldsMax = 200
/** Items of all lists of a body or line. The longest list of any route has 200. */
const itemsMax = 1_000
const utf8 = new TextDecoder('utf-8', { fatal: true })

type Level = { readonly keys: Set<string> | null; index: number; key: string }

/** The text without a byte-order mark. Null if the bytes are not UTF-8. */
export function utf8Text(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/**
 * Like `JSON.parse`, but throws a Problem: `invalid_json`, or `validation_failed` for a repeated key,
 * `__proto__`, deep nesting, and more fields or list items than any body of the API has.
 */
export function parseStrictJson(text: string): unknown {
  const complaint = scan(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Problem('invalid_json', { cause })
  }
  if (complaint !== null) throw complaint
  return value
}

/**
 * Scans the text once before it is parsed. Text that is too deep or has too many fields or items is
 * refused at once, before the rest is read. Problems that JSON.parse ignores (a repeated key,
 * `__proto__`) are returned, to be reported if the text turns out to be JSON.
 */
function scan(text: string): Problem | null {
  const levels: Level[] = []
  let complaint: Problem | null = null
  let fields = 0
  let items = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    const level = levels.at(-1)
    if (char === '"') {
      const end = endOfString(text, at)
      if (level?.keys != null && isKey(text, end)) {
        if (++fields > fieldsMax) throw refusal(levels.slice(0, -1), 'too_many_fields')
        level.key = keyText(text.slice(at, end + 1))
        if (level.key === '__proto__') complaint ??= refusal(levels, 'unknown_field')
        if (level.keys.has(level.key)) complaint ??= refusal(levels, 'duplicate_field')
        level.keys.add(level.key)
      }
      at = end
    } else if (char === '{' || char === '[') {
      if (levels.length >= depthMax) throw refusal(levels, 'too_deep')
      levels.push({ keys: char === '{' ? new Set() : null, index: 0, key: '' })
    } else if (char === '}' || char === ']') levels.pop()
    else if (char === ',' && level !== undefined) {
      level.index++
      if (level.keys === null && ++items >= itemsMax) {
        throw refusal(levels.slice(0, -1), 'too_big')
      }
    }
  }
  return complaint
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

/** A string is a key when a colon follows it. */
function isKey(text: string, end: number): boolean {
  for (let at = end + 1; at < text.length; at++) {
    const char = text[at]
    if (char === ':') return true
    if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') return false
  }
  return false
}

function keyText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}

const details = {
  unknown_field: 'Unknown field.',
  duplicate_field: 'The field occurs twice.',
  too_many_fields: `More than ${fieldsMax} fields.`,
  too_big: `More than ${itemsMax} items in lists.`,
  too_deep: `Nested more than ${depthMax} levels deep.`,
}

function refusal(levels: readonly Level[], reason: keyof typeof details): Problem {
  const path = levels.map(({ keys, key, index }) => (keys === null ? index : key))
  const detail = details[reason]
  return new Problem('validation_failed', {
    errors: [{ pointer: pointer(path), reason, detail }],
  })
}
