import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import {
  readNote,
  type Signer,
  signedNote,
  signerOf,
  verifierText,
} from '../../../src/service/ledger/signed-note.ts'
import { zipOf } from './bundle-files.ts'
import { goldenFile, goldenFiles, goldenKeys } from './golden.ts'
import {
  bodies,
  dataOf,
  itemOf,
  type Json,
  leafOf,
  macOf,
  type Opened,
  resealed,
  resigned,
  stored,
} from './resealed-bundle.ts'
import type { Asked } from './run-verifiers.ts'

/*
 * Inputs that only one check of a verifier refuses: the hashes, the tree and the signatures around
 * it are valid. A verifier without the check would accept it, and the questions would show that.
 */

/** A check of a verifier. */
export type SingleCheck = {
  /** A part of verify.mjs, and its replacement when the check is switched off. */
  readonly off: readonly [part: string, instead: string]
  /** Inputs that the check refuses, by name. */
  readonly refuses: Readonly<Record<string, Asked>>
  readonly exitCode: 1 | 2
  /** Similar inputs that are correct. */
  readonly accepts?: Readonly<Record<string, Asked>>
}

export type Write = (content: string | Buffer) => string

type Change = (bundle: Opened) => void
type Changes = Readonly<Record<string, Change>>
type Make = (change: Change) => ReturnType<typeof resealed>

const { ledgerSigner } = goldenKeys()
const otherHash = 'ab'.repeat(32)

function asked(write: Write, make: Make, changes: Changes): Readonly<Record<string, Asked>> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [name, { bundle: write(zipOf(make(change))) }]),
  )
}

const issuedAgain: Make = (change) => resigned('issued', change)
const issuedAnew: Make = (change) => resealed('issued', change)
const decidedAnew: Make = (change) => resealed('decided', change)

const inclusion: Changes = {
  'a proof with another hash': ({ lines }) => void lines[3].proof.splice(0, 1, otherHash),
  'a proof of another place': ({ lines }) => void lines.at(-1).leaf_index++,
  'an event that is not in the tree': (one) => {
    dataOf(one, 'GuideIssued').price.amount = 1
    for (const { event } of one.lines) event.leaf = leafOf(event)
  },
}

const order: Changes = {
  'an event that is earlier in the ledger than the one before it': ({ lines }) => {
    const [first, second] = lines.slice(-2)
    const { leaf_index: place } = first
    first.leaf_index = second.leaf_index
    second.leaf_index = place
  },
}

const revisions: Changes = {
  'a revision twice': ({ lines }) => void lines[4].event.revision--,
  'two revisions in the wrong order': ({ lines }) => {
    lines[4].event.revision++
    lines[5].event.revision--
  },
}

const correlation: Changes = {
  'a correlation_id that is not the id of the first event': ({ lines }) => {
    for (const { event } of lines) event.correlation_id = lines[1].event.id
  },
  'an event with another correlation_id': ({ lines }) => {
    lines[4].event.correlation_id = lines[1].event.id
  },
}

const names: Changes = {
  'a name __proto__ that a leaf covers': (one) => {
    const issued = one.lines.find(({ event }) => event.type === 'GuideIssued').event
    issued.data = JSON.parse(JSON.stringify(issued.data).replace('{', '{"__proto__":1,'))
  },
  'a readable form with the name __proto__': (one) => {
    const { pickup_code_ref: reference } = dataOf(one, 'GuideIssued')
    const content = '{"__proto__":1}'
    stored(one, reference, `\0${content}`)
    itemOf(one, reference).json = JSON.parse(content)
  },
}

const headOf = (note: string) => {
  const { head } = readNote(note) ?? {}
  if (head === undefined) throw new Error('the golden bundle has no checkpoint')
  return head
}

/** An old key, and the first checkpoint of the ledger's key, signed by these. */
const introduced =
  (signersOf: (old: Signer) => readonly Signer[] | null): Change =>
  ({ header }) => {
    const old = signerOf(ledgerSigner.name, randomBytes(32))
    const signers = signersOf(old)
    header.keys = [
      { verifier: verifierText(old), introduced_by: null },
      {
        verifier: verifierText(ledgerSigner),
        introduced_by: signers === null ? null : signedNote(headOf(header.checkpoint), signers),
      },
    ]
  }

const links: Changes = {
  'a new key for which the old one does not vouch': introduced(() => [ledgerSigner]),
  'a new key that only the old one signed': introduced((old) => [old]),
  'a new key for which a stranger vouches': introduced(() => [
    ledgerSigner,
    signerOf(ledgerSigner.name, randomBytes(32)),
  ]),
  'a new key that nothing introduces': introduced(() => null),
}
const rightLinks: Changes = {
  'a new key for which the old one vouches': introduced((old) => [ledgerSigner, old]),
}

type Earlier = { size: number; root: string; proof: string[] }

/** The history proves a tree that is a prefix of its own. */
const earlierTree =
  (change: (entry: Earlier) => void = () => undefined): Change =>
  ({ header }) => {
    const answer = JSON.parse(readFileSync(goldenFile('consistency.json'), 'utf8'))
    const { from_size: size, from_root_hash: root, hashes: proof } = answer
    const entry = { size, root, proof }
    change(entry)
    header.consistency = [entry]
  }

const earlier: Changes = {
  'an earlier tree with another hash in its proof': earlierTree(
    ({ proof }) => void proof.splice(1, 1, otherHash),
  ),
  'an earlier tree with another root': earlierTree(
    (entry) => void Object.assign(entry, { root: otherHash }),
  ),
  'an earlier tree of another size': earlierTree((entry) => void entry.size++),
}

/** A similar checkpoint that the ledger signed too, for a different history. */
function fork(note: string): string {
  return signedNote({ ...headOf(note), root: Buffer.from(otherHash, 'hex') }, [ledgerSigner])
}

function heldChecks(write: Write) {
  const heldNote: string = JSON.parse(readFileSync(goldenFile('held.json'), 'utf8')).note
  const withEarlier = write(zipOf(issuedAgain(earlierTree())))
  const bundle = goldenFile('issued.zip')
  const ownNote = String(goldenFiles('issued').get('checkpoint.txt'))
  const holding = (file: string, note: string) => ({
    bundle: file,
    options: { checkpoint: write(note) },
  })
  return {
    'the proofs of earlier trees': {
      off: ['await isBeginning(tree, checkpoint, proof)', 'true'],
      refuses: asked(write, issuedAgain, earlier),
      exitCode: 1,
      accepts: {
        'an earlier tree': { bundle: withEarlier },
        'a checkpoint of an earlier tree': holding(withEarlier, heldNote),
      },
    },
    'the roots of checkpoints that the user holds': {
      off: ['known !== undefined && isEqual(known.root, one.root)', 'known !== undefined'],
      refuses: {
        'a checkpoint of the same size and another root': holding(bundle, fork(ownNote)),
        'a checkpoint of the size of an earlier tree and another root': holding(
          withEarlier,
          fork(heldNote),
        ),
      },
      exitCode: 1,
    },
  } satisfies Checks
}

const labelOf = (one: Opened) => itemOf(one, dataOf(one, 'LabelReady').label_ref)
const contentOf = ({ bytes }: Json) => Buffer.from(bytes, 'base64')

const commitments: Changes = {
  'another label': (one) => {
    labelOf(one).bytes = Buffer.from('\x01%PDF-1.7 paid').toString('base64')
  },
  'two labels swapped': (one) => {
    const label = labelOf(one)
    const large = itemOf(one, dataOf(one, 'LabelReady').a4_ref)
    const { bytes } = label
    label.bytes = large.bytes
    large.bytes = bytes
  },
  'another request of the shop': (one) => {
    const item = itemOf(one, dataOf(one, 'ShipmentRequested').vault_ref)
    item.bytes = Buffer.from('{"declared_content":"Gold"}').toString('base64')
  },
}

const rows: Changes = {
  'a row without items that is named after an item': (one) => {
    const { reference } = labelOf(one)
    one.personal.rows.push({ reference, commitment_key: otherHash, items: [] })
  },
}

const places: Changes = {
  'a row that is named after an item of the request': (one) => {
    const { vault_ref: request } = dataOf(one, 'ShipmentRequested')
    const { pickup_code_ref: code } = dataOf(one, 'GuideIssued')
    stored(one, code, contentOf(itemOf(one, code)).subarray(1))
    stored(one, request, `\0${contentOf(itemOf(one, request))}`)
    one.personal.rows[0].reference = code
  },
}
const notePlaces: Changes = {
  'a note in the row of the request': (one) => {
    const { resolution_ref: reference } = dataOf(one, 'OperationResolved')
    const [request, note] = one.personal.rows
    request.items.push(...note.items)
    one.personal.rows = [request]
    stored(one, reference, `\0${contentOf(itemOf(one, reference))}`)
  },
}

const requests: Changes = {
  'a request that is not the one on record': (one) => {
    dataOf(one, 'GuideRequested').request_digest = otherHash
  },
  'another request that was sent': (one) =>
    bodies((entry, exchange) => {
      entry.request = '{}'
      exchange.request_digest = macOf(one, 'body\n', entry.request)
    })(one),
}

type Checks = Readonly<Record<string, SingleCheck>>

function eventChecks(write: Write) {
  const exitCode = 1
  return {
    'the inclusion proofs': {
      off: ['!(await isIncluded(event.leaf, index, proof, checkpoint))', 'false'],
      refuses: asked(write, issuedAgain, inclusion),
      exitCode,
    },
    'the order in the ledger': {
      off: ['index <= lastIndex', 'false'],
      refuses: asked(write, issuedAnew, order),
      exitCode,
    },
    'the revisions': {
      off: ['event.revision !== place', 'false'],
      refuses: asked(write, issuedAnew, revisions),
      exitCode,
    },
    'the correlation of the events': {
      off: ['event.correlation_id !== first.event.id', 'false'],
      refuses: asked(write, issuedAnew, correlation),
      exitCode,
    },
    'the name __proto__': {
      off: ["name === '__proto__' && !allowsProto", 'false'],
      refuses: asked(write, issuedAnew, names),
      exitCode,
    },
    'the link between two keys': {
      off: [
        "(await signersOfText(entries[later].introduced_by ?? '', pair)).length === 2",
        'pair.length === 2',
      ],
      refuses: asked(write, issuedAgain, links),
      exitCode,
      accepts: asked(write, issuedAgain, rightLinks),
    },
  } satisfies Checks
}

function personalChecks(write: Write) {
  const exitCode = 1
  return {
    'the commitments': {
      off: ['item.content)) === commitment', 'item.content)) !== null'],
      refuses: asked(write, issuedAgain, commitments),
      exitCode,
    },
    'the names of rows': {
      off: ['(rowOf.get(reference) ?? row) !== row', 'false'],
      refuses: asked(write, issuedAgain, rows),
      exitCode,
    },
    'the rows of what events refer to': {
      off: ['item.row !== (isRow ? reference : requestRow)', 'false'],
      refuses: {
        ...asked(write, issuedAnew, places),
        ...asked(write, decidedAnew, notePlaces),
      },
      exitCode,
    },
    'the requests on record': {
      off: ['!isAsAnnounced(event.data, announced)', 'false'],
      refuses: asked(write, issuedAnew, requests),
      exitCode,
    },
  } satisfies Checks
}

function zipChecks(write: Write) {
  const followed = (bytes: Buffer) => Buffer.concat([deflateRawSync(bytes), Buffer.from('paid')])
  const bundle = write(zipOf(goldenFiles('issued'), followed))
  return {
    'the end of what is compressed': {
      off: ['engine.bytesWritten !== packed.length', 'false'],
      refuses: { 'a ZIP with bytes after what is compressed': { bundle } },
      exitCode: 2,
    },
  } satisfies Checks
}

/** By the names of the checks. */
export function singleChecks(write: Write): ReadonlyMap<string, SingleCheck> {
  return new Map<string, SingleCheck>(
    Object.entries({
      ...eventChecks(write),
      ...heldChecks(write),
      ...personalChecks(write),
      ...zipChecks(write),
    }),
  )
}
