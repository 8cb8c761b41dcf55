import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

export type Sealing = ReturnType<typeof sealing>

/** AES-256-GCM bound to the guide number, and a keyed digest under a separate key. */
export function sealing(key: Buffer) {
  const digestKey = Buffer.from(hkdfSync('sha256', key, '', 'simulator digest', 32))
  const boxKey = Buffer.from(hkdfSync('sha256', key, '', 'simulator box', 32))
  const cipher = 'aes-256-gcm'
  return {
    digest: (...parts: readonly string[]): string =>
      createHmac('sha256', digestKey).update(JSON.stringify(parts)).digest('base64url'),
    seal(text: string, boundTo: string): Uint8Array {
      const nonce = randomBytes(nonceBytes)
      const closing = createCipheriv(cipher, boxKey, nonce, { authTagLength: tagBytes })
      closing.setAAD(Buffer.from(boundTo))
      const box = Buffer.concat([closing.update(text, 'utf8'), closing.final()])
      return Buffer.concat([nonce, box, closing.getAuthTag()])
    },
    open(sealed: Uint8Array, boundTo: string): string {
      const bytes = Buffer.from(sealed)
      const opening = createDecipheriv(cipher, boxKey, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      opening.setAAD(Buffer.from(boundTo))
      opening.setAuthTag(bytes.subarray(bytes.length - tagBytes))
      const box = bytes.subarray(nonceBytes, bytes.length - tagBytes)
      return Buffer.concat([opening.update(box), opening.final()]).toString('utf8')
    },
  }
}
