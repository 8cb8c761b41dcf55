import { createHash, createHmac } from 'node:crypto'
import { inclusionRanges, leafHash } from '../../../src/service/domain/ledger/merkle.ts'
import { signatureOver } from '../../../src/service/ledger/signed-note.ts'
import { signStatement, streamsDigest } from '../../../src/service/ledger/stream-statement.ts'
import { cosign, witnessText } from '../../../src/service/ledger/witnesses/cosignature.ts'
import { proofIn, rootIn } from '../small-tree.ts'
import { bundleWith, type Files } from './bundle-files.ts'
import { type GoldenName, goldenFiles, goldenKeys } from './golden.ts'

/*
 * Forgeries that only the service could make: bundles whose content breaks one rule, in a tree and
 * with signatures that are valid.
 */

// biome-ignore lint/suspicious/noExplicitAny: tampering gives members any type.
export type Json = any

/** A bundle whose parts can be changed. */
export type Opened = {
  readonly files: Files
  readonly header: Json
  /** The lines of events. */
  readonly lines: Json[]
  readonly streams: Json[]
  readonly footer: Json
  readonly personal: Json
}

const { ledgerSigner, witnessSigner } = goldenKeys()
const witnessKey = witnessText(witnessSigner)
const signedAt = new Date('2026-11-24T23:01:05.000Z')

function opened(name: GoldenName): Opened {
  const files = goldenFiles(name)
  const [header, ...lines] = String(files.get('history.ndjson'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const footer = lines.pop()
  return {
    files,
    header,
    lines: lines.filter(({ event }) => event !== undefined),
    streams: lines.filter(({ event }) => event === undefined),
    footer,
    personal: JSON.parse(String(files.get('personal.json'))),
  }
}

/** With changed parts and a manifest that lists them; everything else is unchanged. */
export function resigned(
  name: GoldenName,
  change: (bundle: Opened) => void,
  witnesses: readonly string[] = [witnessKey],
): Files {
  const bundle = opened(name)
  change(bundle)
  return signed(bundle, witnesses)
}

/** The same, with a new tree of the old size over the changed events, and a new statement. */
export function resealed(name: GoldenName, change: (bundle: Opened) => void): Files {
  const bundle = opened(name)
  const [origin = '', size = ''] = String(bundle.header.checkpoint).split('\n')
  change(bundle)
  const tree = Array.from({ length: Number(size) }, (_, index) => leafHash(Buffer.of(index)))
  for (const { event, leaf_index: index } of bundle.lines) {
    event.leaf = leafOf(event)
    tree[index] = leafHash(Buffer.from(event.leaf, 'hex'))
  }
  for (const line of bundle.lines)
    line.proof = proofIn(tree, inclusionRanges(line.leaf_index, tree.length))
  const root = rootIn(tree, { from: 0, to: tree.length })
  const text = `${origin}\n${size}\n${root.toString('base64')}\ntime ${signedAt.toISOString()}\n`
  const seconds = BigInt(signedAt.getTime() / 1000)
  const note = `${text}\n${signatureOver(text, ledgerSigner)}${cosign(text, witnessSigner, seconds)}`
  bundle.header.checkpoint = note
  bundle.files.set('checkpoint.txt', Buffer.from(note))
  const digest = streamsDigest()
  for (const line of bundle.streams) digest.add(line)
  const head = { origin, size: Number(size), root }
  const stated = { scope: bundle.header.scope, head, ...digest.result() }
  bundle.footer.statement = signStatement(stated, ledgerSigner, signedAt)
  return signed(bundle, [witnessKey])
}

/** The leaf of an event as it is now. */
export function leafOf({ position: _position, leaf: _leaf, ...hashed }: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(hashed)))
    .digest('hex')
}

export const dataOf = ({ lines }: Opened, type: string): Json =>
  lines.find(({ event }) => event.type === type).event.data

export const itemOf = ({ personal }: Opened, reference: string): Json =>
  personal.rows
    .flatMap(({ items }: Json) => items)
    .find((item: Json) => item.reference === reference)

/** The HMAC under the key of the request's vault row. */
export function macOf({ personal }: Opened, prefix: string, content: string | Buffer): string {
  const key = Buffer.from(personal.rows[0].commitment_key, 'hex')
  return createHmac('sha256', key).update(prefix).update(content).digest('hex')
}

/** Gives an item different content, and commits its event to it. */
export function stored(one: Opened, reference: string, content: string | Buffer): void {
  const bytes = Buffer.from(content)
  Object.assign(itemOf(one, reference), { bytes: bytes.toString('base64') })
  const mac = macOf(one, `vault ${reference}\n`, bytes)
  for (const { event } of one.lines) {
    const { commitments = {} } = event.data
    if (commitments[reference] !== undefined) commitments[reference] = mac
  }
}

/** Changes the bodies of the creation, and commits its event to them. */
export const bodies = (change: (entry: Json, exchange: Json) => void) => (one: Opened) => {
  const { exchanges, exchanges_ref: reference } = dataOf(one, 'GuideIssued')
  const content = Buffer.from(itemOf(one, reference).bytes, 'base64').toString('utf8', 1)
  const kept = JSON.parse(content)
  change(kept.exchanges[0], exchanges[0])
  stored(one, reference, `\0${JSON.stringify(kept)}`)
}

/** Appends an event with the next revision as the last leaf of the tree. */
export function append({ lines, streams, footer }: Opened, type: string, data: Json): void {
  const last = structuredClone(lines.at(-1))
  const { event } = last
  const id = '911d1f89-dde4-4465-adb2-03fa14134710'
  const revision = event.revision + 1
  lines.push({ ...last, leaf_index: 44, event: { ...event, type, data, id, revision } })
  streams[0].last_revision = revision
  footer.events++
}

function signed(
  { files, header, lines, streams, footer, personal }: Opened,
  witnesses: readonly string[],
) {
  const json = [header, ...lines, ...streams, footer].map((line) => `${JSON.stringify(line)}\n`)
  const id = header.scope.shipment_id
  const own = new Map([
    ['history.ndjson', Buffer.from(json.join(''))],
    ['personal.json', Buffer.from(JSON.stringify(personal))],
    // Bytes set by a tamper stay.
    ...[...files].filter(([name]) => name !== 'history.ndjson' && name !== 'personal.json'),
  ])
  return bundleWith(own, id, witnesses, (text) => signatureOver(text, ledgerSigner))
}

/** Unlike canonicalize, accepts invalid JSON. */
function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}
