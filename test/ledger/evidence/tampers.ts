import { randomBytes } from 'node:crypto'
import { type Signer, signatureOver, signerOf } from '../../../src/service/ledger/signed-note.ts'
import { cosign, witnessText } from '../../../src/service/ledger/witnesses/cosignature.ts'
import { bundleWith, type Files } from './bundle-files.ts'
import { goldenFiles, goldenKeys } from './golden.ts'
import { strictTampers } from './strict-tampers.ts'

/*
 * What a person who wants to win a dispute could do to a bundle. Every file is altered in each of
 * the `anyFile` ways, and in ways of its own.
 */

const { ledgerSigner, witnessSigner } = goldenKeys()
const witnesses = [witnessText(witnessSigner)]

/** An evidence bundle about a shipment with personal data, and one about another shipment. */
export const whole = () => goldenFiles('decided')
const other = goldenFiles('issued')

const bytesOf = (files: Files, name: string) => files.get(name) ?? Buffer.alloc(0)
const textOf = (files: Files, name: string) => String(files.get(name))
const shipmentIdOf = (files: Files) =>
  /^shipment (.+)$/m.exec(textOf(files, 'manifest.txt'))?.[1] ?? ''

export type Tamper = {
  readonly files: Files
  /** The exit code of every verifier. */
  readonly exitCode: 0 | 1 | 2
}

const found = (files: Files): Tamper => ({ files, exitCode: 1 })

/** The whole bundle with different contents of some files, and its old manifest. */
function changed(contents: Readonly<Record<string, string | Buffer>>): Files {
  const files = whole()
  for (const [name, content] of Object.entries(contents)) files.set(name, Buffer.from(content))
  return files
}

function without(name: string): Files {
  const files = whole()
  files.delete(name)
  return files
}

function flipped(content: Buffer, at: number): Buffer {
  const copy = Buffer.from(content)
  copy[at] = (copy[at] ?? 0) ^ 0x01
  return copy
}

/** Ways in which any file can be altered. */
const anyFile: Readonly<Record<string, (name: string, content: Buffer) => Files>> = {
  'its first byte flipped': (name, content) => changed({ [name]: flipped(content, 0) }),
  'a byte in the middle flipped': (name, content) =>
    changed({ [name]: flipped(content, content.length >> 1) }),
  'its last byte flipped': (name, content) =>
    changed({ [name]: flipped(content, content.length - 1) }),
  'its last byte cut off': (name, content) => changed({ [name]: content.subarray(0, -1) }),
  'its second half cut off': (name, content) =>
    changed({ [name]: content.subarray(0, content.length >> 1) }),
  emptied: (name) => changed({ [name]: '' }),
  'a line feed added': (name, content) =>
    changed({ [name]: Buffer.concat([content, Buffer.from('\n')]) }),
  removed: (name) => without(name),
  renamed: (name, content) => without(name).set(`${name}.bak`, content),
}

/** The files that differ between two bundles of a ledger. */
const differing = [...whole().keys()].filter(
  (name) => !bytesOf(whole(), name).equals(bytesOf(other, name)),
)

type Line = {
  event?: { type: string; leaf: string; data: Record<string, unknown> }
  [member: string]: unknown
}
const linesOf = (files: Files): Line[] =>
  textOf(files, 'history.ndjson')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const historyOf = (lines: readonly Line[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Without the last events, with adjusted counts. */
function cutHistory(count: number): string {
  const lines = linesOf(whole())
  const events = lines.filter((line) => line.event !== undefined).slice(0, -count)
  const [header = {}] = lines
  const [streams = {}, footer = {}] = lines.slice(-2)
  return historyOf([
    header,
    ...events,
    { ...streams, last_revision: events.length - 1 },
    { ...footer, events: events.length },
  ])
}

function withStatementOf(from: Files): string {
  const lines = linesOf(whole())
  const statement = linesOf(from).at(-1)?.statement
  return historyOf([...lines.slice(0, -1), { ...lines.at(-1), statement }])
}

/** With the first event of a type changed; its leaf stays. */
function withEvent(type: string, change: (event: NonNullable<Line['event']>) => void): string {
  const lines = linesOf(whole())
  const line = lines.find(({ event }) => event?.type === type)
  if (line?.event === undefined) throw new Error(`there is no ${type}`)
  change(line.event)
  return historyOf(lines)
}

const cosignatureIn = (note: string) =>
  note.split('\n').find((line) => line.startsWith(`— ${witnessSigner.name} `)) ?? ''

function forgedCosignature(): string {
  const note = textOf(whole(), 'checkpoint.txt')
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  const impostor = { ...witnessSigner, privateKey: signerOf('x', randomBytes(32)).privateKey }
  return note.replace(`${cosignatureIn(note)}\n`, cosign(text, impostor, 1n))
}

const withoutCosignature = () => {
  const note = textOf(whole(), 'checkpoint.txt')
  return note.replace(`${cosignatureIn(note)}\n`, '')
}

type Personal = {
  rows: { reference: string; commitment_key: string; items: Item[] }[]
  [member: string]: unknown
}
type Item = { reference: string; kind: string; bytes: string; json?: object }
const personalOf = (files: Files): Personal => JSON.parse(textOf(files, 'personal.json'))

function withPersonal(change: (personal: Personal, items: Item[]) => void): string {
  const personal = personalOf(whole())
  change(
    personal,
    personal.rows.flatMap(({ items }) => items),
  )
  return JSON.stringify(personal)
}

const swapItems = () =>
  // The first one is the row's own, which is stored in another form.
  withPersonal((_, [, first, second]) => {
    if (first === undefined || second === undefined) throw new Error('there are no two items')
    const { bytes } = first
    first.bytes = second.bytes
    second.bytes = bytes
    delete first.json
    delete second.json
  })

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64')

/** Signed again, which only the owner of a key can do. */
function signedAgain(files: Files, signer: Signer = ledgerSigner, id = shipmentIdOf(files)): Files {
  return bundleWith(files, id, witnesses, (text) => signatureOver(text, signer))
}

/** A different key under the ledger's name. */
const stranger = signerOf(ledgerSigner.name, randomBytes(32))

/** Alterations of a single file, for each file of a bundle. */
export const ownTampers = {
  'README.md': { 'another text': found(changed({ 'README.md': '# All is well\n' })) },
  'report.pdf': { 'another report': found(changed({ 'report.pdf': '%PDF-1.7 paid\n' })) },
  'history.ndjson': {
    'its last event removed, and the counts made to fit': found(
      changed({ 'history.ndjson': cutHistory(1) }),
    ),
    'all events but the first removed, and the counts made to fit': found(
      changed({ 'history.ndjson': cutHistory(linesOf(whole()).length - 4) }),
    ),
    "another shipment's statement": found(changed({ 'history.ndjson': withStatementOf(other) })),
    'a decision changed': found(
      changed({
        'history.ndjson': withEvent('OperationResolved', ({ data }) => {
          data.decision = 'guide_exists'
        }),
      }),
    ),
  },
  'checkpoint.txt': {
    'its cosignature removed': found(changed({ 'checkpoint.txt': withoutCosignature() })),
    'its cosignature forged': found(changed({ 'checkpoint.txt': forgedCosignature() })),
  },
  'personal.json': {
    'two items swapped': found(changed({ 'personal.json': swapItems() })),
    'a row removed': found(
      changed({ 'personal.json': withPersonal(({ rows }) => void rows.pop()) }),
    ),
  },
  'verify.mjs': {
    'a script that always agrees': found(changed({ 'verify.mjs': 'process.exitCode = 0\n' })),
  },
  'manifest.txt': {
    "signed with a stranger's key": found(signedAgain(whole(), stranger)),
    'about another shipment, by a stranger': found(
      signedAgain(whole(), stranger, shipmentIdOf(other)),
    ),
    'a second signature': found(
      changed({
        'manifest.txt': `${textOf(whole(), 'manifest.txt')}${signatureOver('x\n', stranger)}`,
      }),
    ),
    'the checkpoint in its place': found(
      changed({ 'manifest.txt': textOf(whole(), 'checkpoint.txt') }),
    ),
    'its signature written in another way': found(
      changed({ 'manifest.txt': looseBase64(textOf(whole(), 'manifest.txt')) }),
    ),
  },
} satisfies Record<string, Record<string, Tamper>>

/** The same signature bytes, in base64 with unused bits that are not zero. */
function looseBase64(manifest: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return manifest.replace(
    /(.)=\n$/,
    (_, last: string) => `${letters[letters.indexOf(last) + 1]}=\n`,
  )
}

/** What the owner of the ledger's key, the service itself, could do. */
const byTheService: Readonly<Record<string, Tamper>> = {
  'another report': { files: signedAgain(changed({ 'report.pdf': '%PDF-1.7\n' })), exitCode: 0 },
  'no report': found(signedAgain(without('report.pdf'))),
  'no personal data': { files: signedAgain(without('personal.json')), exitCode: 0 },
  'its last event removed': found(signedAgain(changed({ 'history.ndjson': cutHistory(1) }))),
  'a decision changed': found(
    signedAgain(
      changed({
        'history.ndjson': withEvent('OperationResolved', ({ data }) => {
          data.decision = 'guide_exists'
        }),
      }),
    ),
  ),
  "another shipment's statement": found(
    signedAgain(changed({ 'history.ndjson': withStatementOf(other) })),
  ),
  "another shipment's history": found(
    signedAgain(
      changed({ 'history.ndjson': bytesOf(other, 'history.ndjson') }),
      ledgerSigner,
      shipmentIdOf(whole()),
    ),
  ),
  "another shipment's personal data": found(
    signedAgain(changed({ 'personal.json': bytesOf(other, 'personal.json') })),
  ),
  'the cosignature removed': {
    exitCode: 0,
    files: signedAgain(
      changed({
        'checkpoint.txt': withoutCosignature(),
        'history.ndjson': textOf(whole(), 'history.ndjson').replace(
          `${cosignatureIn(textOf(whole(), 'checkpoint.txt'))}\\n`,
          '',
        ),
      }),
    ),
  },
  'two items of personal data swapped': found(
    signedAgain(changed({ 'personal.json': swapItems() })),
  ),
  'an item of personal data twice': found(
    signedAgain(
      changed({
        'personal.json': withPersonal(({ rows }) => {
          const [row] = rows
          row?.items.push(...row.items.slice(0, 1))
        }),
      }),
    ),
  ),
  'an item that no event names': found(
    signedAgain(
      changed({
        'personal.json': withPersonal(({ rows }) => {
          const reference = '00000000-0000-4000-8000-000000000000'
          rows[0]?.items.push({ reference, kind: 'request', bytes: base64('\0{}') })
        }),
      }),
    ),
  ),
  'a readable form that is not that of the bytes': found(
    signedAgain(
      changed({
        'personal.json': withPersonal((_, items) => {
          const [item] = items.filter(({ kind }) => kind !== 'label_a4' && kind !== 'label_a6')
          if (item !== undefined) item.json = { note: 'The courier has agreed.' }
        }),
      }),
    ),
  ),
  'a readable form of bytes that cannot be read': found(
    signedAgain(
      changed({
        'personal.json': withPersonal((_, [item]) => {
          if (item !== undefined) Object.assign(item, { bytes: base64('{'), json: {} })
        }),
      }),
    ),
  ),
  'a readable form of bytes that are not UTF-8': found(
    signedAgain(
      changed({
        'personal.json': withPersonal((_, [item]) => {
          if (item === undefined) return
          Object.assign(item, { bytes: base64(Buffer.of(0xff)), text: '\u{fffd}' })
          delete item.json
        }),
      }),
    ),
  ),
  'personal data that is not UTF-8': found(
    signedAgain(
      changed({
        'personal.json': Buffer.from(
          withPersonal((_, [item]) => {
            if (item !== undefined) item.kind = '\u{ff}'
          }),
          'latin1',
        ),
      }),
    ),
  ),
  'a row of personal data removed': {
    files: signedAgain(changed({ 'personal.json': withPersonal(({ rows }) => void rows.pop()) })),
    exitCode: 2,
  },
}

let made: ReadonlyMap<string, Tamper> | null = null

/** By description, which begins with the file. Computed once: the trees take a second. */
export function allTampers(): ReadonlyMap<string, Tamper> {
  made ??= makeTampers()
  return made
}

function makeTampers(): ReadonlyMap<string, Tamper> {
  const all = new Map<string, Tamper>()
  for (const [name, content] of whole()) {
    for (const [what, tamper] of Object.entries(anyFile))
      all.set(`${name}: ${what}`, found(tamper(name, content)))
  }
  for (const name of differing)
    all.set(
      `${name}: swapped with that of another shipment`,
      found(changed({ [name]: bytesOf(other, name) })),
    )
  for (const [name, tampers] of Object.entries(ownTampers)) {
    for (const [what, tamper] of Object.entries(tampers)) all.set(`${name}: ${what}`, tamper)
  }
  all.set('a file added', found(changed({ 'invoice.pdf': '%PDF-1.7\n' })))
  for (const [what, tamper] of Object.entries(byTheService))
    all.set(`signed again by the service: ${what}`, tamper)
  for (const [what, tamper] of strictTampers()) all.set(what, tamper)
  return all
}
