import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Verifies an export with nothing but docs/guides/audit.md: no code of src, no database, no secret.
 * `node test/ledger/second-verifier.ts FILE`: exit code 0 when the file holds, else 1 and the reason.
 */

// biome-ignore lint/suspicious/noExplicitAny: what a file says is looked at piece by piece
type Any = any

const sha256 = (...parts: Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest()
const hex = (text: string) => Buffer.from(text, 'hex')

function demand(isRight: unknown, otherwise: string): void {
  if (!isRight) throw new Error(otherwise)
}

/** RFC 8785. */
function canonical(value: Any): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

/** RFC 9162, 2.1.1: the root over leaf hashes. */
function treeRoot(hashes: Buffer[]): Buffer {
  if (hashes.length === 1) return hashes[0] as Buffer
  let half = 1
  while (half * 2 < hashes.length) half *= 2
  return sha256(Buffer.of(1), treeRoot(hashes.slice(0, half)), treeRoot(hashes.slice(half)))
}

/** RFC 9162, 2.1.3.2: the root that a proof leads to. */
function provedRoot(leaf: Buffer, index: number, size: number, proof: Buffer[]): Buffer {
  if (size === 1) return leaf
  let half = 1
  while (half * 2 < size) half *= 2
  const beside = proof.at(-1) ?? Buffer.alloc(0)
  const rest = proof.slice(0, -1)
  if (index < half) return sha256(Buffer.of(1), provedRoot(leaf, index, half, rest), beside)
  return sha256(Buffer.of(1), beside, provedRoot(leaf, index - half, size - half, rest))
}

/** C2SP signed-note: the ids of the keys that signed. */
function signers(note: string, verifiers: string[]): string[] {
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  const origin = text.split('\n')[0]
  return verifiers.flatMap((verifier) => {
    const [name, id = '', encoded = ''] = verifier.split('+').map((part) => part)
    const key = Buffer.from(verifier.slice(verifier.indexOf(id) + id.length + 1), 'base64')
    demand(encoded !== '' && key.length === 33 && key[0] === 1, 'a key is no Ed25519 key')
    demand(
      sha256(Buffer.from(`${name}\n`), key)
        .subarray(0, 4)
        .equals(hex(id)),
      'a key id is wrong',
    )
    const der = Buffer.concat([hex('302a300506032b6570032100'), key.subarray(1)])
    const line = note.split('\n').find((one) => {
      const blob = Buffer.from(one.split(' ')[2] ?? '', 'base64')
      return one.startsWith(`— ${name} `) && blob.subarray(0, 4).equals(hex(id))
    })
    const signature = Buffer.from(line?.split(' ')[2] ?? '', 'base64').subarray(4)
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return name === origin && verify(null, Buffer.from(text), publicKey, signature) ? [id] : []
  })
}

export function verifyExport(path: string): { events: number; signedBy: string } {
  const lines: Any[] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one))
  const [header, ...events] = lines
  const footer = events.pop()
  demand(header.format === 'shipping-ledger-export/1', 'another format')
  demand(footer.events === events.length, 'the file was cut off')
  const keys: string[] = header.keys.map((key: Any) => key.verifier)
  for (const [at, key] of header.keys.entries()) {
    if (at > 0)
      demand(
        signers(key.introduced_by, keys.slice(at - 1, at + 1)).length === 2,
        'a key was slipped in',
      )
  }
  demand(header.checkpoint !== null, 'the file has no checkpoint')
  const [, sizeText, rootText] = header.checkpoint.split('\n')
  const [signedBy] = signers(header.checkpoint, keys)
  demand(signedBy, 'nobody has signed the checkpoint')
  const [size, root] = [Number(sizeText), Buffer.from(rootText, 'base64')]
  const isWhole = Object.values(header.scope).every((value) => value === null)
  const revisions = new Map<string, number>()
  let last = -1
  const hashes = events.map(
    ({ event, stream, organization_id: owner, leaf_index: index, proof }) => {
      const { position, leaf, ...hashed } = event
      demand(sha256(Buffer.from(canonical(hashed))).equals(hex(leaf)), `${position}: leaf`)
      if (event.shipment_id !== null)
        demand(stream === `shipment-${event.shipment_id.slice(4)}`, `${position}: stream`)
      const expected =
        revisions.has(stream) || header.scope.from === null
          ? (revisions.get(stream) ?? -1) + 1
          : event.revision
      demand(event.revision === expected, `${position}: revision`)
      if (event.revision === 0 && !(owner === 'platform' && event.shipment_id === null))
        demand(event.data.organization_id === owner, `${position}: organization`)
      revisions.set(stream, event.revision)
      demand(isWhole ? index === last + 1 : index > last, `${position}: order`)
      last = index
      const hash = sha256(Buffer.of(0), hex(leaf))
      if (!isWhole)
        demand(provedRoot(hash, index, size, proof.map(hex)).equals(root), `${position}: proof`)
      return hash
    },
  )
  if (isWhole)
    demand(hashes.length === size && treeRoot(hashes).equals(root), 'the tree is another')
  return { events: events.length, signedBy: signedBy as string }
}

if (import.meta.main) {
  const { events, signedBy } = verifyExport(process.argv[2] ?? '')
  process.stdout.write(`${events} events hold, signed by ${signedBy}\n`)
}
