import { isIP } from 'node:net'
import { z } from 'zod'
import { type NoteKey, readKey } from './domain/ledger/note-key.ts'
import { isUrl } from './is-url.ts'

/** Length of the keys before base64. */
export const keyBytes = 32
/** Earlier keys that may still decrypt old rows. A rotation removes one at a time. */
export const previousKeysMax = 10
/** Each witness gets every checkpoint, and more of them would add no trust. */
export const witnessesMax = 16

/** A witness's key and the prefix of its submission URL, without a trailing slash. */
export type ConfiguredWitness = NoteKey & { readonly url: string }

/** A variable whose text `parse` accepts or refuses. `rule` completes the sentence "it must be …". */
export function text<T>(rule: string, parse: (value: string) => T | undefined) {
  return z.string().transform((value, context): T => {
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: rule })
    return z.NEVER
  })
}

export function oneOf<const T extends string>(allowed: readonly T[]) {
  return text(`one of ${allowed.join(', ')}`, (value) => allowed.find((one) => one === value))
}

export function proxiesOrUndefined(value: string): readonly string[] | undefined {
  const proxies = value.split(',').map((one) => one.trim())
  const isNetwork = (one: string) => {
    const [address = '', bits, ...rest] = one.split('/')
    const version = isIP(address)
    if (version === 0 || rest.length > 0) return false
    return (
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
    )
  }
  const known = (one: string) => ['loopback', 'linklocal', 'uniquelocal'].includes(one)
  return proxies.every((one) => known(one) || isNetwork(one)) ? proxies : undefined
}

const loopbackNames = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * An address that people sign in at: https, or http on this machine. Without a user, query and
 * fragment.
 */
export function signInAddress(value: string): string | undefined {
  if (!isUrl(value, /^https?:$/)) return undefined
  const url = new URL(value)
  const isSafe = url.protocol === 'https:' || loopbackNames.has(url.hostname)
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isSafe && isBare ? value : undefined
}

/** Accepts a text of at most so many characters. */
export function upTo(max: number): (value: string) => string | undefined {
  return (value) => (value.length <= max ? value : undefined)
}

export function keyOrUndefined(value: string): string | undefined {
  const bytes = Buffer.from(value, 'base64')
  // Node skips characters that are not base64. A key that lost a character must not pass as
  // another.
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '')
  return isWhole && bytes.length === keyBytes ? bytes.toString('base64') : undefined
}

export function keysOrUndefined(value: string): readonly string[] | undefined {
  const keys = value.split(',').map((one) => keyOrUndefined(one.trim()))
  if (keys.length > previousKeysMax) return undefined
  return keys.every((one) => one !== undefined) ? keys : undefined
}

export function witnessesOrUndefined(value: string): readonly ConfiguredWitness[] | undefined {
  const entries = value.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length > witnessesMax) return undefined
  const found: ConfiguredWitness[] = []
  for (const entry of entries) {
    // Neither the id nor the base64 of a key has an equals sign.
    const [, key = '', address = ''] =
      /^([^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44})=(.+)$/.exec(entry) ?? []
    const witness = readKey('cosignature', key)
    const url = URL.parse(address)
    if (witness === null || url === null || !/^https?:$/.test(url.protocol)) return undefined
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      return undefined
    if (found.some(({ name }) => name === witness.name)) return undefined
    found.push({ ...witness, url: url.href.replace(/\/+$/, '') })
  }
  return found
}

/** The address without a slash at the end; undefined if it has a path. */
export function originOrUndefined(value: string): string | undefined {
  const url = URL.parse(signInAddress(value) ?? '')
  return url?.pathname === '/' ? url.origin : undefined
}

/** Whole seconds up to this many, like 10s or 10; in milliseconds. */
export function wholeSeconds(max: number) {
  return text(`whole seconds from 0 to ${max}, like 10s or 10`, (value) => {
    const seconds = Number(/^(\d{1,3})s?$/.exec(value)?.[1])
    return seconds <= max ? seconds * 1_000 : undefined
  })
}
