import { isIP } from 'node:net'
import { z } from 'zod'

/* Reads the texts of environment variables. config.ts declares the variables. */

/** Bytes of the keys before base64. */
export const keyBytes = 32
/** Earlier keys that may still open old rows. A rotation removes one at a time. */
export const previousKeysMax = 10

/** A variable whose text `parse` may accept or refuse; `rule` completes "it must be …". */
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

export function isUrl(value: string, protocol: RegExp): boolean {
  const url = URL.parse(value)
  return url !== null && protocol.test(url.protocol) && url.hostname !== ''
}
