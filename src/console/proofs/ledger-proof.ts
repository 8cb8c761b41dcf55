import type { Schemas } from '../../client/methods.ts'

/**
 * The checks from the guide for auditors, done in the browser with WebCrypto and without any code
 * of the service. The operator trusts the arithmetic, not the service's own verdict.
 */

type LedgerEvent = Schemas['LedgerEvent']
type Bytes = Uint8Array<ArrayBuffer>

/**
 * A key's text is its name, its id in hexadecimal and its base64 content, separated by this sign.
 */
const keySign = '+'
/** The only kind of key that signs checkpoints: Ed25519 in C2SP signed-note. */
const ed25519 = 1
const digestBytes = 32
const keyIdBytes = 4

async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
}

function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error('The value is not hexadecimal.')
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** RFC 8785: names sorted by UTF-16 units, numbers and strings in JavaScript's notation. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, of]) => `${JSON.stringify(name)}:${canonical(of)}`).join(',')}}`
}

/** The leaf of an event as shown, in hexadecimal. */
export async function leafOf({ position: _, leaf: __, ...hashed }: LedgerEvent): Promise<string> {
  return toHex(await sha256(utf8(canonical(hashed))))
}

type Inclusion = {
  readonly leaf: string
  readonly index: number
  readonly size: number
  readonly hashes: readonly string[]
}

/** RFC 9162, 2.1.3.2: the root that a proof leads to, in hexadecimal; null if it leads nowhere. */
export async function provedRoot({ leaf, index, size, hashes }: Inclusion): Promise<string | null> {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return null
  if (index < 0 || index >= size) return null
  let hash = await sha256(Uint8Array.of(0), fromHex(leaf))
  let [at, last] = [index, size - 1]
  for (const one of hashes) {
    const beside = fromHex(one)
    if (last === 0 || beside.length !== digestBytes) return null
    if (at % 2 === 1 || at === last) {
      hash = await sha256(Uint8Array.of(1), beside, hash)
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2)
        last = Math.floor(last / 2)
      }
    } else {
      hash = await sha256(Uint8Array.of(1), hash, beside)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? toHex(hash) : null
}

export type SignedTree = {
  /** The ledger's name, which is also the key's. */
  readonly origin: string
  readonly size: number
  readonly rootHash: string
}

/** Parses a checkpoint's text. Only these lines are signed, none of the fields beside them. */
export function treeOf(note: string): SignedTree {
  const [origin = '', size = '', root = ''] = textOf(note).split('\n')
  if (origin === '' || !/^[1-9]\d{0,15}$/.test(size))
    throw new Error('The checkpoint is malformed.')
  const bytes = fromBase64(root)
  if (bytes.length !== digestBytes) throw new Error('The root of the checkpoint is malformed.')
  return { origin, size: Number(size), rootHash: toHex(bytes) }
}

function textOf(note: string): string {
  return note.slice(0, note.indexOf('\n\n') + 1)
}

/** Whether this key, given as text, signed the note. Throws in a browser without Ed25519. */
export async function isSignedBy(note: string, verifier: string): Promise<boolean> {
  const [name = '', id = ''] = verifier.split(keySign)
  const key = fromBase64(verifier.slice(name.length + id.length + 2 * keySign.length))
  if (key.length !== 1 + digestBytes || key[0] !== ed25519) return false
  const digest = await sha256(utf8(`${name}\n`), key)
  if (toHex(digest.slice(0, keyIdBytes)) !== id || name !== treeOf(note).origin) return false
  const signature = signatureOf(note, name, id)
  if (signature === null) return false
  const algorithm = { name: 'Ed25519' }
  const raw = key.slice(1)
  const publicKey = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  return await crypto.subtle.verify(algorithm, publicKey, signature, utf8(textOf(note)))
}

function signatureOf(note: string, name: string, id: string): Bytes | null {
  for (const line of note.split('\n')) {
    if (!line.startsWith(`— ${name} `)) continue
    const bytes = fromBase64(line.slice(name.length + 3))
    if (toHex(bytes.slice(0, keyIdBytes)) === id) return bytes.slice(keyIdBytes)
  }
  return null
}
