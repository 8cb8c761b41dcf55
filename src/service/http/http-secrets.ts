import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Pause } from '../couriers/slices.ts'
import type { Peppers } from '../security/api-keys.ts'

/** Keys derived from the peppers, the current one first. They sign cursors and fingerprints. */
export type HttpSecrets = {
  readonly cursorKeys: readonly Buffer[]
  readonly fingerprintKeys: readonly Buffer[]
}

export function httpSecrets(pepper: Peppers): HttpSecrets {
  const all = [pepper.current, ...pepper.previous]
  const derive = (purpose: string) =>
    all.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)))
  return {
    cursorKeys: derive('shipping-ledger list cursors v1'),
    fingerprintKeys: derive('shipping-ledger request fingerprints v1'),
  }
}

/** A tag over these parts. Another list of parts has another tag. */
export function tagOf(key: Buffer, ...parts: readonly string[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`)
  return mac.digest()
}

/** Equals `tagOf(key, name, parts.join(''))`, with a pause after each part. */
export async function tagOfParts(
  key: Buffer,
  name: string,
  parts: readonly string[],
  pause: Pause,
): Promise<Buffer> {
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const mac = createHmac('sha256', key)
  mac.update(`${Buffer.byteLength(name)}:${name}${bytes}:`)
  for (const [index, part] of parts.entries()) {
    if (index > 0) await pause()
    mac.update(part)
  }
  return mac.digest()
}

export function sameTag(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
