import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Verifies an export with nothing but docs/guides/ledger-format.md: no code of src, no database, no
 * secret. `node test/ledger/second-verifier.ts FILE [CHECKPOINT…]`: exit code 0 if the file is
 * valid, otherwise 1 and the reason. Each CHECKPOINT is a file with a note that the caller saved.
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

/** RFC 9162, 2.1.4: the roots of the old and of the new tree that a proof leads to. */
function grownRoots(from: number, to: number, proof: Buffer[], old: Buffer | null): Buffer[] {
  if (from === to) {
    demand(proof.length === (old === null ? 1 : 0), 'a consistency proof has another length')
    return [old ?? (proof[0] as Buffer), old ?? (proof[0] as Buffer)]
  }
  let half = 1
  while (half * 2 < to) half *= 2
  const beside = proof.at(-1) ?? Buffer.alloc(0)
  const rest = proof.slice(0, -1)
  if (from <= half) {
    const [before, after] = grownRoots(from, half, rest, old) as [Buffer, Buffer]
    return [before, sha256(Buffer.of(1), after, beside)]
  }
  const roots = grownRoots(from - half, to - half, rest, null)
  return roots.map((root) => sha256(Buffer.of(1), beside, root))
}

/** C2SP signed-note: the ids of the keys, named after `origin`, that signed. */
function signers(note: string, verifiers: string[], origin = note.split('\n')[0]): string[] {
  const text = note.slice(0, note.indexOf('\n\n') + 1)
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

function verifiedKeys(header: Any): string[] {
  const keys: string[] = header.keys.map((key: Any) => key.verifier)
  for (const [at, key] of header.keys.entries()) {
    if (at > 0)
      demand(
        signers(key.introduced_by, keys.slice(at - 1, at + 1)).length === 2,
        'a key was slipped in',
      )
  }
  return keys
}

/** The list of streams of a partial export, and the signed statement about it. */
function verifyStreams(header: Any, list: Any[], footer: Any, events: Any[]): void {
  const [origin, size, root] = header.checkpoint.split('\n')
  demand(typeof footer.statement === 'string', 'no statement about the streams')
  demand(signers(footer.statement, verifiedKeys(header), origin).length > 0, 'statement: signature')
  const digest = sha256(...list.map((line) => Buffer.from(`${canonical(line)}\n`)))
  const lines = [
    `${origin}/streams`,
    `scope ${canonical(header.scope)}`,
    `checkpoint ${size} ${root}`,
    `streams ${list.length} ${digest.toString('base64')}`,
  ]
  const stated = footer.statement.split('\n')
  for (const [at, line] of lines.entries()) demand(stated[at] === line, `statement: ${line}`)
  demand(/^time \S+$/.test(stated[4]) && stated[5] === '', 'statement: time')
  const names = list.map(({ stream }) => stream)
  demand(
    names.every((name, at) => at === 0 || names[at - 1] < name),
    'the streams are out of order',
  )
  const seen = new Map<string, { first: number; last: number }>()
  for (const { stream, event } of events) {
    const first = seen.get(stream)?.first ?? event.revision
    seen.set(stream, { first, last: event.revision })
  }
  demand(seen.size === list.length, 'a stream is missing, or one too many')
  for (const { stream, first_revision: first, last_revision: last } of list) {
    const { first: from, last: to } = seen.get(stream) ?? {}
    demand(from === first && to === last, `${stream}: an event is missing, or one too many`)
  }
}

/** Each saved checkpoint belongs to the file's history. */
function verifyHeld(header: Any, held: string[], hashes: Buffer[] | null): void {
  const [origin, ownSize, ownRoot] = header.checkpoint.split('\n')
  const known = new Map<number, Buffer>([[Number(ownSize), Buffer.from(ownRoot, 'base64')]])
  for (const { size, root, proof } of header.consistency ?? []) {
    const roots = grownRoots(size, Number(ownSize), proof.map(hex), hex(root))
    demand(roots[0]?.equals(hex(root)), 'consistency: the old root')
    demand(roots[1]?.equals(Buffer.from(ownRoot, 'base64')), 'consistency: the new root')
    known.set(size, hex(root))
  }
  for (const note of held) {
    const [name, sizeText, root = ''] = note.split('\n')
    const size = Number(sizeText)
    demand(name === origin, 'a held checkpoint is of another ledger')
    demand(signers(note, verifiedKeys(header)).length > 0, 'a held checkpoint is not signed')
    const own = hashes === null ? known.get(size) : treeRoot(hashes.slice(0, size))
    demand(own !== undefined && size <= Number(ownSize), `no proof for the held size ${size}`)
    demand(own?.equals(Buffer.from(root, 'base64')), `the held root of ${size} is another`)
  }
}

export function verifyExport(
  path: string,
  held: string[] = [],
): { events: number; signedBy: string } {
  const lines: Any[] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one))
  const header = lines[0]
  const footer = lines.at(-1)
  const events = lines.slice(1, -1).filter((line) => 'event' in line)
  const list = lines.slice(1 + events.length, -1)
  demand(/^shipping-ledger-export\/[12]$/.test(header.format), 'another format')
  demand(
    list.every((line) => 'last_revision' in line),
    'a line that is none',
  )
  demand(footer.events === events.length, 'the file was cut off')
  const keys = verifiedKeys(header)
  demand(header.checkpoint !== null, 'the file has no checkpoint')
  const [, sizeText, rootText] = header.checkpoint.split('\n')
  const [signedBy] = signers(header.checkpoint, keys)
  demand(signedBy, 'nobody has signed the checkpoint')
  const [size, root] = [Number(sizeText), Buffer.from(rootText, 'base64')]
  const isWhole = Object.values(header.scope).every((value) => value === null)
  const isStated = !isWhole && header.format.endsWith('/2')
  if (isStated) verifyStreams(header, list, footer, events)
  else demand(list.length === 0 && footer.statement === undefined, 'a statement out of place')
  const { organization_id: org, shipment_id: shipment, from, to } = header.scope
  const revisions = new Map<string, number>()
  let last = -1
  const hashes = events.map(
    ({ event, stream, organization_id: owner, leaf_index: index, proof }) => {
      const { position, leaf, ...hashed } = event
      demand(sha256(Buffer.from(canonical(hashed))).equals(hex(leaf)), `${position}: leaf`)
      demand(org === null || owner === org, `${position}: organization of the scope`)
      demand(shipment === null || event.shipment_id === shipment, `${position}: shipment of it`)
      demand(from === null || event.recorded_at >= from, `${position}: before the period`)
      demand(to === null || event.recorded_at < to, `${position}: after the period`)
      const own = (event.shipment_id ?? owner).replace(/^(shp|org)_/, '')
      const prefix = event.shipment_id === null ? 'audit' : 'shipment'
      demand(stream === `${prefix}-${own}`, `${position}: stream`)
      const expected =
        revisions.has(stream) || from === null ? (revisions.get(stream) ?? -1) + 1 : event.revision
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
  verifyHeld(header, held, isWhole ? hashes : null)
  return { events: events.length, signedBy: signedBy as string }
}

if (import.meta.main) {
  const [file = '', ...held] = process.argv.slice(2)
  const notes = held.map((name) => readFileSync(name, 'utf8'))
  const { events, signedBy } = verifyExport(file, notes)
  process.stdout.write(`${events} events hold, signed by ${signedBy}\n`)
}
