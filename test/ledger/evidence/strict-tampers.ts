import { randomBytes } from 'node:crypto'
import { signatureOver, signerOf } from '../../../src/service/ledger/signed-note.ts'
import { cosign, witnessText } from '../../../src/service/ledger/witnesses/cosignature.ts'
import { bundleWith, type Files } from './bundle-files.ts'
import { goldenFiles, goldenKeys } from './golden.ts'
import {
  append,
  bodies,
  dataOf,
  itemOf,
  type Json,
  type Opened,
  resealed,
  resigned,
  stored,
} from './resealed-bundle.ts'
import type { Tamper } from './tampers.ts'

/*
 * Cases in which a verifier written from the guide alone first disagreed with ours. All of these
 * are signed by the service: each breaks one rule of the format, or shows what it allows.
 */

const { ledgerSigner, witnessSigner } = goldenKeys()
const witnessKey = witnessText(witnessSigner)
const stranger = signerOf('other.example/w2', randomBytes(32))

type Changes = Readonly<Record<string, readonly [0 | 1 | 2, (bundle: Opened) => void]>>
type Tampers = Readonly<Record<string, Tamper>>

function tampersOf(changes: Changes, make: (change: (bundle: Opened) => void) => Files): Tampers {
  return Object.fromEntries(
    Object.entries(changes).map(([what, [exitCode, change]]) => [
      what,
      { files: make(change), exitCode },
    ]),
  )
}

const lineOf = (note: string, name: string) =>
  note.split('\n').find((line) => line.startsWith(`— ${name} `)) ?? ''
/** The same line with another signature. */
const forged = (line: string) =>
  line.replace(/.{6}=*$/, (end) => end.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')))
const checkpointIn = ({ files }: Opened) => String(files.get('checkpoint.txt'))
const textIn = (note: string) => note.slice(0, note.indexOf('\n\n') + 1)

function withLine(bundle: Opened, line: (note: string) => string): void {
  const note = checkpointIn(bundle)
  bundle.files.set('checkpoint.txt', Buffer.from(`${note}${line(note)}\n`))
}

const notes: Changes = {
  'an unknown signature is added': [
    0,
    (bundle) => withLine(bundle, () => '— other.example AAAAAAAA'),
  ],
  'a signature of four bytes is added': [
    1,
    (bundle) => withLine(bundle, () => '— other.example AAAAAA=='),
  ],
  'a line that is no signature is added': [1, (bundle) => withLine(bundle, () => 'paid')],
  'a bad cosignature stands beside a good one': [
    1,
    (bundle) => withLine(bundle, (note) => forged(lineOf(note, witnessSigner.name))),
  ],
  'a bad signature of the ledger stands beside a good one': [
    1,
    (bundle) => withLine(bundle, (note) => forged(lineOf(note, ledgerSigner.name))),
  ],
  'a cosignature is bad in the history only': [
    1,
    ({ header }) => {
      const line = lineOf(header.checkpoint, witnessSigner.name)
      header.checkpoint = header.checkpoint.replace(line, forged(line))
    },
  ],
  'a cosignature has no time that exists': [
    1,
    (bundle) => withLine(bundle, (note) => cosign(textIn(note), witnessSigner, 2n ** 63n).trim()),
  ],
  "the first key's note is lost": [
    0,
    ({ header }) => void Object.assign(header.keys[0], { introduced_by: null }),
  ],
  "the first key's note is no note": [
    1,
    ({ header }) => void Object.assign(header.keys[0], { introduced_by: 'x' }),
  ],
  "the first key's note is another key's": [
    1,
    ({ header }) => void Object.assign(header.keys[0], { introduced_by: header.checkpoint }),
  ],
}

function byManifest(): Tampers {
  const text = (change: (text: string) => string): Tamper => {
    const files = goldenFiles('issued')
    const before = textIn(String(files.get('manifest.txt')))
    const after = change(before)
    const note = `${after}\n${signatureOver(after, ledgerSigner)}`
    return { files: files.set('manifest.txt', Buffer.from(note)), exitCode: 1 }
  }
  const named = (name: string): Tamper => {
    const files = goldenFiles('issued').set(name, Buffer.from('x'))
    const id = /^shipment (.+)$/m.exec(String(files.get('manifest.txt')))?.[1] ?? ''
    const signed = bundleWith(files, id, [witnessKey], (one) => signatureOver(one, ledgerSigner))
    return { files: signed, exitCode: 1 }
  }
  return {
    'a file is named ..': named('..'),
    'a file is named like an option': named('-rf'),
    'a hidden file': named('.hidden'),
    'it was made on a day that does not exist': text((one) =>
      one.replace(/\ntime \S+/, '\ntime 2026-11-31T23:01:05.000Z'),
    ),
    'the key id of a witness is wrong': text((one) => one.replace('+b876d804+', '+b876d805+')),
    'a second witness is silent': {
      files: resigned('issued', () => undefined, [witnessKey, witnessText(stranger)].sort()),
      exitCode: 0,
    },
  }
}

function byText(): Tampers {
  const changed = (change: (text: string) => string, exitCode: 0 | 1): Tamper => {
    const files = goldenFiles('issued')
    const history = change(String(files.get('history.ndjson')))
    const id = /^shipment (.+)$/m.exec(String(files.get('manifest.txt')))?.[1] ?? ''
    files.set('history.ndjson', Buffer.from(history))
    const sign = (text: string) => signatureOver(text, ledgerSigner)
    return { files: bundleWith(files, id, [witnessKey], sign), exitCode }
  }
  return {
    'lines end as in Windows': changed((text) => text.replaceAll('\n', '\r\n'), 1),
    'it begins with a byte order mark': changed((text) => `\u{feff}${text}`, 1),
    'its last line does not end': changed((text) => text.slice(0, -1), 1),
    'it is no JSON': changed(() => 'paid\n', 1),
    'a name __proto__ that no leaf covers': changed(
      (text) => text.replace('"data":{', '"data":{"__proto__":1,'),
      1,
    ),
    'spaces around the JSON': changed((text) => text.replaceAll('\n', ' \n'), 0),
    'numbers written in another way': changed(
      (text) => text.replaceAll('"schema":1,', '"schema":1.0,'),
      0,
    ),
  }
}

const eventOf = ({ lines }: Opened, place = 4) => lines[place].event
const events: Changes = {
  'nothing is changed': [0, () => undefined],
  'created_at differs': [
    1,
    (one) => void Object.assign(eventOf(one), { created_at: '2026-11-25T00:00:42.946Z' }),
  ],
  'a day that does not exist': [
    1,
    (one) => {
      const at = '2026-02-30T00:00:42.945Z'
      Object.assign(eventOf(one), { recorded_at: at, created_at: at })
    },
  ],
  'an event without request_id': [1, (one) => void delete eventOf(one).request_id],
  'an event with another member': [
    1,
    (one) => void Object.assign(eventOf(one), { remark: 'paid' }),
  ],
  'an event that is another object': [
    1,
    (one) => void Object.assign(eventOf(one), { object: 'event' }),
  ],
  'a version that is a text': [1, (one) => void Object.assign(eventOf(one), { schema: '1' })],
  'a mode that is a text': [1, (one) => void Object.assign(eventOf(one), { livemode: 'no' })],
  'an event without an actor': [1, (one) => void Object.assign(eventOf(one), { actor: null })],
  'half of a character': [
    1,
    (one) => void Object.assign(eventOf(one), { correlation_id: '\ud800' }),
  ],
}

const issuedItem = (one: Opened) => itemOf(one, dataOf(one, 'GuideIssued').pickup_code_ref)

const personal: Changes = {
  'an item has a JSON and a text': [
    1,
    (one) => {
      const text = Buffer.from(issuedItem(one).bytes, 'base64').toString('utf8', 1)
      Object.assign(issuedItem(one), { json: JSON.parse(text), text })
    },
  ],
  'an item is also erased': [1, (one) => void one.personal.erased.push(issuedItem(one).reference)],
  'an item is also missing': [
    1,
    (one) => void one.personal.missing.push(issuedItem(one).reference),
  ],
  'something is missing that no event names': [
    1,
    ({ personal: { missing } }) => void missing.push('00000000-0000-4000-8000-000000000000'),
  ],
}

const label = (content: string | Buffer) => (one: Opened) =>
  stored(one, dataOf(one, 'LabelReady').label_ref, content)
const request = (content: string) => (one: Opened) =>
  stored(one, dataOf(one, 'ShipmentRequested').vault_ref, content)

const committed: Changes = {
  'an event commits to all but one': [
    1,
    (one) => {
      const { commitments, pickup_code_ref: reference } = dataOf(one, 'GuideIssued')
      delete commitments[reference]
    },
  ],
  'an event is from before there were commitments': [
    0,
    (one) => void delete dataOf(one, 'LabelReady').commitments,
  ],
  'a label begins with a byte 2': [1, label('\x02abc')],
  'a label is empty': [1, label('')],
  'a label that should be JSON is not': [1, label('\0abc')],
  'a list is stored': [1, label('\0[1]')],
  'a stored name occurs twice': [1, label('\0{"a":1,"a":2}')],
  'the request is not JSON': [1, request('abc')],
  'the request begins with a byte 0': [1, request('\0{}')],
  'exchanges are left out': [1, (one) => void delete dataOf(one, 'GuideIssued').exchanges],
  'the reference to bodies is left out': [
    1,
    (one) => {
      const data = dataOf(one, 'GuideIssued')
      const { exchanges_ref: reference } = data
      delete data.commitments[reference]
      delete data.exchanges_ref
      const [row] = one.personal.rows
      row.items = row.items.filter((item: Json) => item.reference !== reference)
    },
  ],
  'an answer is a text and bytes': [
    1,
    bodies(({ response }) => void Object.assign(response, { base64: 'AAAA' })),
  ],
  'neither a digest nor a request': [
    0,
    bodies((entry, exchange) => {
      entry.request = null
      exchange.request_digest = null
    }),
  ],
  'a request without its digest': [
    1,
    bodies((_, one) => void Object.assign(one, { request_digest: null })),
  ],
  'a digest without its answer': [
    1,
    bodies((entry) => void Object.assign(entry, { response: null })),
  ],
}

const erase = (one: Opened, more: object = {}) =>
  append(one, 'PersonalDataErased', {
    vault_ref: dataOf(one, 'ShipmentRequested').vault_ref,
    ...more,
  })

const erased: Changes = {
  'all is still there': [1, (one) => erase(one)],
  'the note is kept': [
    0,
    (one) => {
      erase(one)
      one.personal.rows.shift()
    },
  ],
  'the note is gone too': [
    2,
    (one) => {
      erase(one)
      one.personal.rows = []
    },
  ],
  'the note is gone as it should be': [
    0,
    (one) => {
      erase(one, { includes_notes: true })
      one.personal.rows = []
    },
  ],
  'the note is still there': [
    1,
    (one) => {
      erase(one, { includes_notes: true })
      one.personal.rows.shift()
    },
  ],
}

/** An event recorded just after an erasure can name what was stored before it. */
function named(one: Opened): void {
  const observed = dataOf(one, 'TrackingObserved')
  const last = one.lines.at(-1)
  last.leaf_index = 43
  append(one, 'TrackingObserved', structuredClone(observed))
}

/** By description, which begins with the subject. */
export function strictTampers(): ReadonlyMap<string, Tamper> {
  const all = {
    'a note': tampersOf(notes, (change) => resigned('issued', change)),
    'a manifest': byManifest(),
    'a history': byText(),
    'an event': tampersOf(events, (change) => resealed('issued', change)),
    'personal data': {
      ...tampersOf(personal, (change) => resigned('issued', change)),
      ...tampersOf(committed, (change) => resealed('issued', change)),
    },
    'an erasure': {
      ...tampersOf(erased, (change) => resealed('decided', change)),
      'an event names what it destroyed': { files: resealed('erased', named), exitCode: 0 },
    },
  } satisfies Record<string, Tampers>
  return new Map(
    Object.entries(all).flatMap(([subject, tampers]) =>
      Object.entries<Tamper>(tampers).map(([what, tamper]) => [`${subject}: ${what}`, tamper]),
    ),
  )
}
