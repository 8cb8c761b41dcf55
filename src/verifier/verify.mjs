#!/usr/bin/env node
/*
 * Checks a bundle of evidence about one shipment. Works offline and needs nothing but Node 18 or later.
 *
 *   node verify.mjs [FOLDER or BUNDLE.zip] [options]
 *
 * Without a name it checks the folder in which it lies. Options:
 *
 *   --key KEY            the ledger's public key, as you got it another way than in this bundle
 *   --witness KEY        a witness that you trust and that must have cosigned; any number
 *   --checkpoint FILE    signed checkpoints of the ledger that you hold; any number
 *   --consistency FILE   an answer of GET /v1/ledger/consistency, for a checkpoint that you hold; any number
 *
 * Exit code 0: nothing is wrong. 1: something is wrong. 2: it could not be decided, because something
 * could not be read or a proof is missing. 64: wrong usage.
 *
 * This file is meant to be read. It is one file, longer than we like, so that nothing else is needed. The
 * order is: hashes and trees, JSON, signed notes, the parts of a bundle, the whole bundle, files, the
 * command. The format is described in docs/guides/ledger-format.md of the ledger's software.
 */
import { createHash, createHmac, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'

// ---- Hashes and trees (RFC 9162, section 2.1) ----------------------------------------------------

function sha256(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const leafHash = (entry) => sha256(Buffer.of(0), entry)
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right)

/** The number of leaves on the left side of a tree with more than one leaf. */
function leftSize(size) {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/** The root to which an inclusion proof leads from the leaf's hash; null if its length is wrong. */
function rootFromInclusion(hash, index, size, proof) {
  if (size === 1) return proof.length === 0 ? hash : null
  if (proof.length === 0) return null
  const half = leftSize(size)
  const [rest, beside] = [proof.slice(0, -1), proof[proof.length - 1]]
  const isLeft = index < half
  const inner = isLeft
    ? rootFromInclusion(hash, index, half, rest)
    : rootFromInclusion(hash, index - half, size - half, rest)
  if (inner === null) return null
  return isLeft ? nodeHash(inner, beside) : nodeHash(beside, inner)
}

/**
 * The roots of the first `from` leaves and of all `to` leaves to which a consistency proof leads; null if
 * its length is wrong. `oldRoot` is null inside the tree, where the proof itself contains the hash.
 */
function rootsFromConsistency(from, to, proof, oldRoot) {
  if (from === to) {
    const path = oldRoot === null ? proof : [oldRoot, ...proof]
    return path.length === 1 ? [path[0], path[0]] : null
  }
  if (proof.length === 0) return null
  const half = leftSize(to)
  const [rest, beside] = [proof.slice(0, -1), proof[proof.length - 1]]
  if (from <= half) {
    const roots = rootsFromConsistency(from, half, rest, oldRoot)
    return roots === null ? null : [roots[0], nodeHash(roots[1], beside)]
  }
  const roots = rootsFromConsistency(from - half, to - half, rest, null)
  return roots === null ? null : roots.map((root) => nodeHash(beside, root))
}

/** Whether the tree `old` ({ size, root }) is the beginning of the tree `later`. */
function isBeginning(old, later, proof) {
  if (old.size < 1 || old.size > later.size) return false
  const roots = rootsFromConsistency(old.size, later.size, proof, old.root)
  return roots?.[0].equals(old.root) && roots[1].equals(later.root)
}

// ---- JSON ----------------------------------------------------------------------------------------

const isUtf8 = (bytes) => Buffer.from(bytes.toString('utf8')).equals(bytes)

/** The text of bytes in UTF-8. Throws if they are anything else. */
function textOf(bytes) {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

const loneSurrogate = /\p{Surrogate}/u

/**
 * Throws if the text is not JSON, or if readers would take it for different things: an object has a name
 * twice, half of a character stands alone, or a number is too large.
 */
function parseJson(text, { allowsProto = false } = {}) {
  let members = 0
  const value = JSON.parse(text, function count(name, member) {
    if (name === '__proto__' && !allowsProto) throw new Error('it has the name __proto__')
    if (loneSurrogate.test(name) || (typeof member === 'string' && loneSurrogate.test(member)))
      throw new Error('it has half of a character')
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new Error('it has a number that is too large')
    if (!Array.isArray(this)) members++
    return member
  })
  let names = 0
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) {
    if (colon !== undefined) names++
  }
  // The reviver is also called once for the value as a whole.
  if (names !== members - 1) throw new Error('it has a name twice')
  return value
}

/** RFC 8785. JavaScript's own form of texts and numbers is the one that it prescribes. */
function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

// What a member of an object may be.
const isText = (value) => typeof value === 'string'
const isCount = (value) => Number.isSafeInteger(value) && value >= 0
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
const isHash = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value)
/** In the calendar too: `Date` takes 31 November for 1 December. */
const isTime = (value) =>
  isText(value) &&
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString() === value
const orNull = (fits) => (value) => value === null || fits(value)
const optional = (fits) => (value) => value === undefined || fits(value)
const listOf = (fits) => (value) => Array.isArray(value) && value.every(fits)
/** Exactly these members. */
const shaped = (members) => (value) =>
  isObject(value) &&
  Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
  Object.entries(members).every(([name, fits]) => fits(value[name]))

const isHeader = shaped({
  format: (value) => value === 'shipping-ledger-export/2',
  exported_at: isTime,
  scope: shaped({
    organization_id: orNull(isText),
    shipment_id: isText,
    from: (value) => value === null,
    to: (value) => value === null,
  }),
  checkpoint: isText,
  keys: listOf(shaped({ verifier: isText, introduced_by: orNull(isText) })),
  consistency: optional(listOf(shaped({ size: isCount, root: isHash, proof: listOf(isHash) }))),
})
const isUuid = (value) =>
  isText(value) && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)
const actors = ['api_key', 'operator', 'cli', 'reconciliation', 'poller', 'system']
const isEvent = shaped({
  id: isUuid,
  object: (value) => value === 'ledger_event',
  type: isText,
  schema: (value) => isCount(value) && value > 0,
  livemode: (value) => typeof value === 'boolean',
  shipment_id: orNull(isText),
  revision: isCount,
  recorded_at: isTime,
  occurred_at: isTime,
  created_at: isTime,
  workspace_id: orNull(isText),
  request_id: orNull(isText),
  causation_id: orNull(isText),
  correlation_id: isText,
  actor: shaped({
    type: (value) => actors.includes(value),
    key_id: orNull(isText),
    operator_id: optional(isText),
    system_user: optional(isText),
  }),
  data: isObject,
  position: isText,
  leaf: isHash,
})
const isEventLine = shaped({
  stream: isText,
  organization_id: isText,
  leaf_index: isCount,
  proof: listOf(isHash),
  event: (event) => isEvent(event) && event.created_at === event.recorded_at,
})
const isStreamLine = shaped({ stream: isText, first_revision: isCount, last_revision: isCount })
const isFooter = shaped({ events: isCount, not_sealed: isCount, statement: isText })
const isItem = shaped({
  reference: isText,
  kind: isText,
  bytes: isText,
  json: optional(isObject),
  text: optional(isText),
})
const isPersonalItem = (item) =>
  isItem(item) && (item.json === undefined || item.text === undefined)
const isPersonal = shaped({
  shipment_id: isText,
  rows: listOf(
    shaped({ reference: isText, commitment_key: isHash, items: listOf(isPersonalItem) }),
  ),
  erased: listOf(isText),
  missing: listOf(isText),
})

// ---- Signed notes (C2SP signed-note, tlog-checkpoint, tlog-cosignature) ---------------------------

const ledgerKey = 0x01
const witnessKey = 0x04

/** The bytes of a text in base64; null unless it is written in the one right way. */
function fromBase64(text) {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** A public key from its text `<name>+<id>+<base64>`; null if it is not one of this kind. */
function readKey(text, kind) {
  const [, name, id, encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const bytes = fromBase64(encoded)
  if (bytes === null || bytes.length !== 33 || bytes[0] !== kind) return null
  if (sha256(`${name}\n`, bytes).toString('hex', 0, 4) !== id) return null
  // The prefix of an Ed25519 public key in DER.
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)])
  return { text, name, id, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** A text with its signatures, which follow after an empty line; null if it is not a signed note. */
function readNote(note) {
  const end = note.indexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) return null
  const signatures = []
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? []
    const bytes = fromBase64(encoded)
    if (bytes === null || bytes.length <= 4) return null
    signatures.push({ name, id: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4) })
  }
  return { text: note.slice(0, end + 1), signatures }
}

const linesOf = (note, key) =>
  note.signatures.filter(({ name, id }) => name === key.name && id === key.id)

/** Those of the keys that have signed a note: none if a line in the name of one of them is not its own. */
function signersOf(note, keys) {
  const signers = []
  for (const key of keys) {
    const lines = linesOf(note, key)
    const isOwn = ({ bytes }) =>
      bytes.length === 64 && verifySignature(null, Buffer.from(note.text), key.publicKey, bytes)
    if (!lines.every(isOwn)) return []
    if (lines.length > 0) signers.push(key)
  }
  return signers
}

/** When a witness says that it has cosigned: `null` = it has not, 'invalid' = a line is not its own. */
function cosignedAt(note, witness) {
  let at = null
  for (const { bytes } of linesOf(note, witness)) {
    if (bytes.length !== 8 + 64) return 'invalid'
    const seconds = bytes.readBigUInt64BE(0)
    const text = Buffer.from(`cosignature/v1\ntime ${seconds}\n${note.text}`)
    const isOwn = verifySignature(null, text, witness.publicKey, bytes.subarray(8))
    // A larger number is no time that JavaScript can represent.
    if (!isOwn || seconds > 8_640_000_000_000n) return 'invalid'
    at ??= new Date(Number(seconds) * 1000).toISOString()
  }
  return at
}

/** A note that is a checkpoint of a ledger; null if it is not one. */
function readCheckpoint(text) {
  const note = readNote(text)
  const form = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\ntime (\S+)\n$/
  const [, origin, size, root = '', time] = form.exec(note?.text ?? '') ?? []
  if (origin === undefined || fromBase64(root) === null || !isTime(time)) return null
  return { ...note, origin, size: Number(size), root: fromBase64(root), time }
}

/** The keys that have signed a checkpoint and bear the name of its ledger. */
function checkpointSigners(checkpoint, keys) {
  return signersOf(
    checkpoint,
    keys.filter(({ name }) => name === checkpoint.origin),
  )
}

// ---- The parts of a bundle -----------------------------------------------------------------------
// Each of these says in the report what is wrong, and goes on with what can still be checked.

/** The lines of history.ndjson; null if they are not a history. */
function readHistory(bytes, report) {
  if (bytes === undefined) return null
  const history = { header: null, events: [], streams: [], footer: null }
  let number = 0
  try {
    const lines = textOf(bytes).split('\n')
    if (lines.pop() !== '') throw new Error('does not end with a line feed')
    for (const text of lines) {
      number++
      if (text.includes('\r')) throw new Error('has a carriage return')
      const line = parseJson(text)
      if (number === 1 && isHeader(line)) history.header = line
      else if (number === 1 || history.footer !== null) throw new Error('is out of place')
      else if (isEventLine(line) && history.streams.length === 0) history.events.push(line)
      else if (isStreamLine(line)) history.streams.push(line)
      else if (isFooter(line)) history.footer = line
      else throw new Error('is not what it should be')
    }
    if (history.footer === null) throw new Error('is not the last line of a history')
    return history
  } catch (error) {
    report.problems.push(
      `history.ndjson cannot be read as a history: line ${number}: ${error.message}`,
    )
    return null
  }
}

function signersOfText(text, keys) {
  const checkpoint = readCheckpoint(text)
  return checkpoint === null ? [] : checkpointSigners(checkpoint, keys)
}

/**
 * The keys that vouch for the history. One is trusted: the one that the user gave, else the last. It
 * vouches for its neighbours, and they for theirs: the first checkpoint under each key is also signed
 * by the key before it.
 */
function trustedKeys(entries, known, report) {
  const keys = entries.map(({ verifier }) => readKey(verifier, ledgerKey))
  if (keys.includes(null)) {
    report.problems.push('a key in history.ndjson is malformed, or its id is not its own')
    return []
  }
  const at = known === null ? keys.length - 1 : keys.findIndex(({ text }) => text === known.text)
  if (at === -1) {
    report.problems.push('the history was not signed with the key that you trust')
    return []
  }
  const firstNote = entries[0].introduced_by
  if (firstNote !== null && signersOfText(firstNote, keys.slice(0, 1)).length === 0)
    report.problems.push(
      `what introduces the key ${keys[0].id} in history.ndjson is not a checkpoint that it signed`,
    )
  const isLinked = (later) => {
    const pair = [keys[later - 1], keys[later]]
    const isVouchedFor = signersOfText(entries[later].introduced_by ?? '', pair).length === 2
    if (!isVouchedFor)
      report.problems.push(`no earlier key vouches for the key ${keys[later].id} in history.ndjson`)
    return isVouchedFor
  }
  let [first, last] = [at, at]
  while (first > 0 && isLinked(first)) first--
  while (last < keys.length - 1 && isLinked(last + 1)) last++
  return keys.slice(first, last + 1)
}

/** The signed list of what is in the bundle; null if it cannot be read. */
function readManifest(bytes, report) {
  const note = bytes === undefined ? null : readNote(bytes.toString('utf8'))
  const lines = (note?.text ?? '').split('\n')
  const [, origin] = /^(\S+)\/evidence$/.exec(lines.shift()) ?? []
  const [, shipmentId] = /^shipment (shp_\w+)$/.exec(lines.shift() ?? '') ?? []
  const [, size, root] = /^checkpoint ([1-9]\d{0,15}) (\S{44})$/.exec(lines.shift() ?? '') ?? []
  const all = (form) => {
    const found = []
    for (let match = form.exec(lines[0]); match !== null; match = form.exec(lines[0] ?? '')) {
      found.push(match)
      lines.shift()
    }
    return found
  }
  const files = all(/^file ([A-Za-z0-9+/]{43}=) ([A-Za-z0-9][\w.-]*)$/)
  const witnesses = all(/^witness (\S+)$/)
  const [, time] = /^time (\S+)$/.exec(lines.shift() ?? '') ?? []
  const names = files.map(([, , name]) => name)
  const keys = witnesses.map(([, text]) => readKey(text, witnessKey))
  const ascends = (texts) => texts.every((text, index) => index === 0 || texts[index - 1] < text)
  const isWhole =
    [origin, shipmentId, root].every(isText) &&
    isTime(time) &&
    ascends(names) &&
    !names.includes('manifest.txt') &&
    ascends(witnesses.map(([, text]) => text)) &&
    !keys.includes(null) &&
    lines.join() === '' &&
    isUtf8(bytes)
  if (!isWhole) {
    report.problems.push(
      bytes === undefined
        ? 'manifest.txt is missing: this is not a bundle of evidence, or a part of one'
        : 'manifest.txt is not a manifest',
    )
    return null
  }
  const hashes = new Map(files.map(([, hash, name]) => [name, hash]))
  return { note, origin, shipmentId, checkpoint: `${size} ${root}`, hashes, witnesses: keys, time }
}

/** What refers to a note or comment, which has a row of its own since events commit to it. */
const noteMembers = ['resolution_ref', 'comment_ref']
const requiredFiles = ['README.md', 'checkpoint.txt', 'history.ndjson', 'report.pdf', 'verify.mjs']

/** The files are those of the manifest, and the manifest is signed. */
function checkManifest(manifest, files, keys, report) {
  const before = report.problems.length
  const own = keys.filter(({ name }) => name === manifest.origin)
  const [signer] = manifest.note.signatures.length === 1 ? signersOf(manifest.note, own) : []
  if (signer === undefined)
    report.problems.push('manifest.txt is not signed with a key that can be trusted')
  for (const name of requiredFiles) {
    if (!manifest.hashes.has(name)) report.problems.push(`manifest.txt does not list ${name}`)
  }
  for (const [name, hash] of manifest.hashes) {
    const bytes = files.get(name)
    if (bytes === undefined) report.problems.push(`${name} is missing`)
    else if (bytes === null || sha256(bytes).toString('base64') !== hash)
      report.problems.push(`${name} is not the file that manifest.txt lists: it was changed`)
  }
  for (const name of files.keys()) {
    if (name !== 'manifest.txt' && !manifest.hashes.has(name))
      report.problems.push(`${name} does not belong to the bundle: manifest.txt does not list it`)
  }
  if (report.problems.length > before) return
  report.proved.push(
    `The bundle was made at ${manifest.time} and has exactly the ${manifest.hashes.size} files that its manifest lists. The manifest is signed with the ledger's key ${signer.id}.`,
  )
}

/** The checkpoint to which all proofs lead; null if there is none that a trusted key has signed. */
function checkCheckpoint(header, manifest, bytes, { keys, report }) {
  const checkpoint = readCheckpoint(header.checkpoint)
  if (checkpoint === null || checkpointSigners(checkpoint, keys).length === 0) {
    report.problems.push(
      'the checkpoint of the history is not signed with a key that can be trusted',
    )
    return null
  }
  const apart =
    bytes === undefined || !isUtf8(bytes) ? null : readCheckpoint(bytes.toString('utf8'))
  const isSame = apart !== null && apart.text === checkpoint.text
  if (!isSame || checkpointSigners(apart, keys).length === 0)
    report.problems.push('checkpoint.txt is not the signed checkpoint of the history')
  if (manifest !== null) {
    const { origin, size, root } = checkpoint
    if (manifest.origin !== origin) report.problems.push('manifest.txt is of another ledger')
    else if (manifest.checkpoint !== `${size} ${root.toString('base64')}`)
      report.problems.push('manifest.txt is for another checkpoint than that of the history')
    if (manifest.shipmentId !== header.scope.shipment_id)
      report.problems.push('manifest.txt is about another shipment than the history')
  }
  // Cosignatures may have come for either copy.
  const signatures = [...checkpoint.signatures, ...(isSame ? apart.signatures : [])]
  return { ...checkpoint, signatures }
}

/** Each event is unchanged, at its place in the tree, and in its order in the shipment's stream. */
function checkEvents({ header, events }, checkpoint, report) {
  const before = report.problems.length
  const { organization_id: organizationId, shipment_id: shipmentId } = header.scope
  const first = events[0]
  let lastIndex = -1
  for (const [
    place,
    { stream, organization_id: owner, leaf_index: index, proof, event },
  ] of events.entries()) {
    const wrong = (what) => report.problems.push(`event ${place} (${event.type}): ${what}`)
    const { position, leaf, ...hashed } = event
    if (sha256(canonical(hashed)).toString('hex') !== leaf)
      wrong('it was changed after it was recorded: it does not match its digest (leaf)')
    const hashes = proof.map((hash) => Buffer.from(hash, 'hex'))
    const root =
      index < checkpoint.size
        ? rootFromInclusion(leafHash(Buffer.from(leaf, 'hex')), index, checkpoint.size, hashes)
        : null
    if (root === null || !root.equals(checkpoint.root))
      wrong('its proof does not lead to the checkpoint')
    if (index <= lastIndex) wrong('it comes after an event that is later in the ledger')
    lastIndex = index
    if (event.revision !== place) wrong(`its revision is ${event.revision}: an event is missing`)
    if (event.shipment_id !== shipmentId || stream !== shipmentId.replace(/^shp_/, 'shipment-'))
      wrong('it belongs to another shipment')
    if (event.correlation_id !== first.event.id) wrong('its correlation_id is not the first event')
    if (owner !== first.organization_id || (organizationId !== null && owner !== organizationId))
      wrong('it belongs to another organization')
  }
  if (first !== undefined && first.event.data.organization_id !== first.organization_id)
    report.problems.push('the first event belongs to another organization than the history says')
  if (report.problems.length > before || first === undefined) return
  report.proved.push(
    `The ${events.length} events of the shipment are recorded in the ledger ${checkpoint.origin}, among the first ${checkpoint.size} events, in this order. None was changed, and none is missing before the last one.`,
  )
}

/** The signed word of the service that the shipment had no later event. */
function checkStatement({ header, events, streams, footer }, checkpoint, keys, report) {
  const before = report.problems.length
  if (footer.events !== events.length)
    report.problems.push(
      `the history has ${events.length} events, and its last line says ${footer.events}`,
    )
  const shown =
    events.length === 0 ? [] : [{ stream: events[0].stream, first: 0, last: events.length - 1 }]
  const isListed =
    streams.length === shown.length &&
    shown.every(
      ({ stream, first, last }, index) =>
        streams[index].stream === stream &&
        streams[index].first_revision === first &&
        streams[index].last_revision === last,
    )
  if (!isListed)
    report.problems.push('the events are not those of the list at the end: some are missing')
  const digest = sha256(...streams.map((line) => `${canonical(line)}\n`)).toString('base64')
  const expected = [
    `${checkpoint.origin}/streams`,
    `scope ${canonical(header.scope)}`,
    `checkpoint ${checkpoint.size} ${checkpoint.root.toString('base64')}`,
    `streams ${streams.length} ${digest}`,
  ]
  const note = readNote(footer.statement)
  const [, time] = /\ntime (\S+)\n$/.exec(note?.text ?? '') ?? []
  const isStated =
    note !== null && isTime(time) && note.text === [...expected, `time ${time}\n`].join('\n')
  const own = keys.filter(({ name }) => name === checkpoint.origin)
  if (!isStated || note.signatures.length !== 1 || signersOf(note, own).length === 0)
    report.problems.push('the signed statement in the last line is not about these events')
  if (report.problems.length > before) return
  report.proved.push(
    `The service has signed that the shipment had no later event when the checkpoint was made, at ${checkpoint.time}.`,
  )
  if (footer.not_sealed > 0)
    report.notProved.push(
      `What happened in the ${footer.not_sealed} latest events: they were not sealed yet and are not in the bundle.`,
    )
}

/** The witnesses of the user must have cosigned; those that the manifest names may have. */
function checkWitnesses(checkpoint, manifest, given, report) {
  const isGiven = (witness) => given.some(({ text }) => text === witness.text)
  const named = (manifest?.witnesses ?? []).filter((witness) => !isGiven(witness))
  const witnesses = [...given, ...named]
  for (const witness of witnesses) {
    const at = cosignedAt(checkpoint, witness)
    if (at === 'invalid')
      report.problems.push(
        `the cosignature in the name of the witness ${witness.name} is not valid`,
      )
    else if (at !== null)
      report.proved.push(
        `The witness ${witness.name} has cosigned the checkpoint at ${at}: it saw no other history of this ledger before.`,
      )
    else if (isGiven(witness))
      report.undecided.push(`The witness ${witness.name} has not cosigned the checkpoint.`)
    else
      report.notProved.push(
        `That the witness ${witness.name} has seen this history: the service names it, and it has not cosigned.`,
      )
  }
  if (witnesses.length === 0)
    report.notProved.push(
      'That anyone but the service has seen this history: no witness has cosigned it.',
    )
  else if (given.length === 0)
    report.notProved.push(
      'That these witnesses are independent: their keys come only from the service. Pass those that you trust with --witness.',
    )
}

/** Checkpoints that the user holds are of the same history. */
function checkHeld({ header, checkpoint, keys }, held, consistency, report) {
  const trees = [checkpoint]
  for (const { size, root, proof } of header.consistency ?? []) {
    const tree = { size, root: Buffer.from(root, 'hex') }
    if (
      isBeginning(
        tree,
        checkpoint,
        proof.map((hash) => Buffer.from(hash, 'hex')),
      )
    )
      trees.push(tree)
    else
      report.problems.push(`the proof in the history about its first ${size} events does not hold`)
  }
  let confirmed = 0
  for (const one of held) {
    const name = `the checkpoint that you hold in ${one.file} (${one.size} events, signed ${one.time})`
    const known = trees.find(({ size }) => size === one.size)
    const [old, later] = one.size < checkpoint.size ? [one, checkpoint] : [checkpoint, one]
    const proofs = consistency.filter(({ from, to }) => from === old.size && to === later.size)
    if (one.origin !== checkpoint.origin) report.problems.push(`${name} is of another ledger`)
    else if (checkpointSigners(one, keys).length === 0)
      report.problems.push(`${name} is not signed with a key of this ledger`)
    else if (known?.root.equals(one.root)) confirmed++
    else if (known !== undefined)
      report.problems.push(`${name} is of another history: history was rewritten, or there are two`)
    else if (proofs.some(({ proof }) => isBeginning(old, later, proof))) confirmed++
    else if (proofs.length > 0)
      report.problems.push(
        `the proof that you gave does not lead from or to ${name}: there are two histories, or it is not the right proof`,
      )
    else
      report.undecided.push(
        `It cannot be decided whether ${name} is of the same history: get GET /v1/ledger/consistency?from=${old.size}&to=${later.size} and pass the answer with --consistency.`,
      )
  }
  if (confirmed > 0)
    report.proved.push(
      `Of ${held.length} ${held.length === 1 ? 'checkpoint' : 'checkpoints'} that you hold, ${confirmed} ${confirmed === 1 ? 'is' : 'are'} of this history.`,
    )
  if (held.length === 0)
    report.notProved.push(
      'That the service shows everyone this history: no checkpoint of yours was compared. Pass those that you hold with --checkpoint.',
    )
}

/** Every reference to the vault in an event's data, with the name of its member. */
function referencesIn(data) {
  return Object.entries(data).flatMap(([name, value]) => {
    if (isText(value)) return name.endsWith('_ref') ? [{ name, reference: value }] : []
    return isObject(value) ? referencesIn(value) : []
  })
}

/** What the vault kept about the shipment is what the events committed to. */
function checkPersonal(bytes, { header, events }, report) {
  const before = report.problems.length
  const personal = readPersonal(bytes, report)
  if (personal === null) return
  const wrong = (what) => report.problems.push(`personal.json: ${what}`)
  if (personal.shipment_id !== header.scope.shipment_id) wrong('it is about another shipment')
  const kept = keptItems(personal, wrong)
  const erasures = erasuresIn(events)
  const counts = { matching: 0, bodies: 0, uncommitted: 0, erased: 0 }
  const named = new Set()
  const requestRow = events[0]?.event.data.vault_ref
  /** The digest of the body that each operation was to send, recorded before it was sent. */
  const announced = new Map()
  for (const [place, { event }] of events.entries()) {
    // An erasure names what it destroyed.
    if (event.type === 'PersonalDataErased') continue
    const where = `event ${place} (${event.type})`
    const { commitments } = event.data
    if (commitments !== undefined && !isObject(commitments)) {
      wrong(`the commitments of ${where} are not an object`)
      continue
    }
    for (const { name, reference } of referencesIn(event.data)) {
      const item = kept.get(reference)
      const commitment = commitments?.[reference]
      const isErased = isErasedBy(erasures, place, { name, isCommitted: commitment !== undefined })
      const isRow = name === 'vault_ref' || noteMembers.includes(name)
      named.add(reference)
      if (commitments !== undefined && commitment === undefined)
        wrong(`${where} commits to other entries, but not to ${reference}`)
      else if (item === undefined && isErased && !personal.missing.includes(reference))
        counts.erased++
      else if (item === undefined)
        report.undecided.push(`personal.json does not have ${reference} of ${where}.`)
      else if (isErased) wrong(`${reference} of ${where} is still there after its erasure`)
      else if (commitment === undefined) counts.uncommitted++
      else if (item.row !== (isRow ? reference : requestRow))
        wrong(`${reference} of ${where} lies in another row`)
      else if (hmac(item.key, `vault ${reference}\n`, item.content) === commitment)
        counts.matching++
      else wrong(`${reference} is not what ${where} committed to`)
    }
    const bodies = bodiesIn(event.data, kept.get(event.data.exchanges_ref))
    if (bodies === null) wrong(`the bodies are not those of ${where}`)
    else if (!isAsAnnounced(event.data, announced))
      wrong(`a request of ${where} is not the one that was recorded before it was sent`)
    else counts.bodies += bodies
    const { operation_id: operationId, request_digest: digest } = event.data
    if (event.type === 'GuideRequested' && isText(operationId) && digest !== undefined)
      announced.set(operationId, digest)
  }
  const rows = personal.rows.map(({ reference }) => reference)
  for (const reference of new Set([
    ...rows,
    ...kept.keys(),
    ...personal.erased,
    ...personal.missing,
  ])) {
    if (!named.has(reference)) wrong(`no event names ${reference}`)
  }
  sayPersonal(counts, report.problems.length === before, report)
}

function readPersonal(bytes, report) {
  try {
    const personal = parseJson(textOf(bytes))
    if (isPersonal(personal)) return personal
  } catch {
    // It is reported as any other content that is wrong.
  }
  report.problems.push('personal.json is malformed')
  return null
}

/** Whether the person was erased, and the place of the last erasure that included notes; -1 = none did. */
function erasuresIn(events) {
  const isErasure = ({ event }) => event.type === 'PersonalDataErased'
  const withNotes = events.map((one) => isErasure(one) && one.event.data.includes_notes === true)
  return { person: events.some(isErasure), notesAt: withNotes.lastIndexOf(true) }
}

/**
 * Whether an erasure explains that an entry is gone. One of the person destroys the key for good, so it
 * also explains what was stored before it and named by an event just after. Notes and comments have
 * keys of their own: they go only if a later erasure included them.
 */
function isErasedBy({ person, notesAt }, place, { name, isCommitted }) {
  return isCommitted && noteMembers.includes(name) ? notesAt > place : person
}

/** What was kept, by reference, each with the key of its row. */
function keptItems({ rows, erased, missing }, wrong) {
  const kept = new Map()
  const items = rows.flatMap((row) => row.items.map(({ reference }) => reference))
  for (const reference of repeatedIn([...items, ...erased, ...missing])) {
    wrong(`${reference} occurs twice`)
  }
  const rowOf = new Map(rows.map((row) => [row.reference, row]))
  if (rowOf.size < rows.length) wrong('a row occurs twice')
  for (const row of rows) {
    const key = Buffer.from(row.commitment_key, 'hex')
    for (const item of row.items) {
      const { reference } = item
      const content = fromBase64(item.bytes)
      if (kept.has(reference)) continue
      if ((rowOf.get(reference) ?? row) !== row) wrong(`${reference} lies in another row`)
      else if (content === null || !isStored(item, content, reference === row.reference))
        wrong(`${reference} is not in the form of stored content, or shows something else`)
      else kept.set(reference, { key, content, row: row.reference })
    }
  }
  return kept
}

function repeatedIn(references) {
  const seen = new Set()
  const repeated = new Set()
  for (const one of references) (seen.has(one) ? repeated : seen).add(one)
  return repeated
}

/**
 * Whether content has the form in which it is stored: JSON in a row; otherwise a byte 0x00 and JSON, or
 * 0x01 and bytes. What the item shows must be the same JSON.
 */
function isStored({ json, text }, content, isRow) {
  const isShown = json !== undefined || text !== undefined
  if (!isRow && content[0] === 1) return !isShown
  if (!isRow && content[0] !== 0) return false
  try {
    const own = textOf(content.subarray(isRow ? 0 : 1))
    const value = parseJson(own, { allowsProto: true })
    if (!isObject(value)) return false
    if (text !== undefined) return text === own
    return json === undefined || canonical(json) === canonical(value)
  } catch {
    return false
  }
}

function sayPersonal({ matching, bodies, uncommitted, erased }, isRight, report) {
  if (erased > 0)
    report.notProved.push(`What the ${erased} entries were that an erasure has destroyed.`)
  if (uncommitted > 0)
    report.notProved.push(
      `That ${uncommitted} entries of personal.json are as they were: their events are from before there were commitments.`,
    )
  if (!isRight) return
  report.proved.push(
    `In personal.json, ${matching} entries are exactly what the events committed to when they were recorded, and so are ${bodies} bodies of requests to the courier and of its answers.`,
  )
}

function hmac(key, ...parts) {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest('hex')
}

const isDigest = orNull(isHash)
const isDigests = (exchange) =>
  isObject(exchange) && [exchange.request_digest, exchange.response_digest].every(isDigest)
const isBodies = ({ exchanges }) =>
  listOf(
    (one) =>
      isObject(one) &&
      orNull(isText)(one.request) &&
      [orNull(shaped({ text: isText })), shaped({ base64: isText })].some((fits) =>
        fits(one.response),
      ),
  )(exchanges)

/** How many bodies that were kept have the digests in the event; null if one of them differs. */
function bodiesIn({ exchanges, exchanges_ref: reference }, item) {
  if (exchanges === undefined && reference === undefined) return 0
  if (!listOf(isDigests)(exchanges) || !orNull(isText)(reference)) return null
  if (item === undefined) return 0
  // It has the form of stored content, but may not be JSON.
  const kept = item.content[0] === 0 ? JSON.parse(textOf(item.content.subarray(1))) : {}
  if (!isBodies(kept) || kept.exchanges.length !== exchanges.length) return null
  let matching = 0
  for (const [index, { request, response }] of kept.exchanges.entries()) {
    const { request_digest: sent, response_digest: received } = exchanges[index]
    const answer = response?.base64 === undefined ? response?.text : fromBase64(response.base64)
    if (answer === null) return null
    for (const [digest, body] of [
      [sent, request],
      [received, answer ?? null],
    ]) {
      if (digest !== (body === null ? null : hmac(item.key, 'body\n', body))) return null
      if (body !== null) matching++
    }
  }
  return matching
}

/** Whether each request to make a guide is the one that was recorded before anything was sent. */
function isAsAnnounced({ operation_id: operationId, exchanges = [] }, announced) {
  if (!announced.has(operationId)) return true
  // Null: the person was erased before the answer came.
  const isSame = ({ request_digest: sent }) => sent === null || sent === announced.get(operationId)
  return exchanges.filter(({ call }) => call === 'create').every(isSame)
}

// ---- The whole bundle ----------------------------------------------------------------------------

/**
 * Checks the files of a bundle, by name; null instead of the bytes = there is something of that name that
 * is not a file. Answers `{ exitCode, about, problems, undecided, proved, notProved }`.
 */
export function verifyBundle(
  files,
  { key = null, witnesses = [], held = [], damaged = [], consistency = [] } = {},
) {
  const report = { about: null, problems: [], undecided: [], proved: [], notProved: [] }
  const bytesOf = (name) => files.get(name) ?? undefined
  const history = readHistory(bytesOf('history.ndjson'), report)
  const keys = history === null ? [] : trustedKeys(history.header.keys, key, report)
  const manifest = readManifest(bytesOf('manifest.txt'), report)
  if (manifest !== null) {
    report.about = manifest.shipmentId
    checkManifest(manifest, files, keys, report)
  }
  const checkpoint =
    history === null
      ? null
      : checkCheckpoint(history.header, manifest, bytesOf('checkpoint.txt'), { keys, report })
  if (checkpoint !== null) {
    checkEvents(history, checkpoint, report)
    checkStatement(history, checkpoint, keys, report)
    checkWitnesses(checkpoint, manifest, witnesses, report)
    checkHeld({ header: history.header, checkpoint, keys }, held, consistency, report)
    if (history.events.length === 0)
      report.undecided.push('The history has no events: it proves nothing.')
  }
  if (history !== null && files.has('personal.json'))
    checkPersonal(bytesOf('personal.json') ?? Buffer.alloc(0), history, report)
  for (const file of damaged)
    report.undecided.push(`${file} was cut off or damaged: it cannot be said what it would show.`)
  if (key === null && keys.length > 0)
    report.notProved.push(
      `That the key is the ledger's. Compare it with the one that you know, or pass yours with --key: ${keys[keys.length - 1].text}`,
    )
  report.notProved.push(
    'What README.md and report.pdf say in words: that is the account of the service. What counts are the events.',
  )
  const exitCode = report.problems.length > 0 ? 1 : report.undecided.length > 0 ? 2 : 0
  return { ...report, exitCode }
}

// ---- Files ---------------------------------------------------------------------------------------

const fileBytesMax = 256 * 1024 * 1024

function readBytes(path) {
  if (statSync(path).size > fileBytesMax) throw new Error(`${path} is too large`)
  return readFileSync(path)
}

const zipIsBroken =
  'the ZIP file is broken or not as the service writes it; unpack it and check the folder'
const [localSign, directorySign, endSign] = ['\x03\x04', '\x01\x02', '\x05\x06'].map((kind) =>
  Buffer.from(`PK${kind}`),
)
const [localBytes, directoryBytes, endBytes] = [30, 46, 22]
/** How hard it was packed, and that names are in UTF-8. */
const harmlessFlags = 0x0806

/** The files of a folder or of a ZIP, by name. Throws if it cannot be read. */
export function readBundle(path) {
  if (!statSync(path).isDirectory()) return readZip(readBytes(path))
  const files = new Map()
  for (const entry of readdirSync(path, { withFileTypes: true }))
    files.set(entry.name, entry.isFile() ? readBytes(join(path, entry.name)) : null)
  return files
}

/**
 * The files of a ZIP, by name. Throws for one that is not as the service writes it: other programs could
 * find other files in it. The entries follow each other from the first byte, then comes the directory,
 * then its end record, and nothing else.
 */
function readZip(zip) {
  const files = new Map()
  try {
    const demand = (isRight) => {
      if (!isRight) throw new Error('it is not as it should be')
    }
    const end = zip.length - endBytes
    const [count, directoryLength, directory] = [
      zip.readUInt16LE(end + 10),
      zip.readUInt32LE(end + 12),
      zip.readUInt32LE(end + 16),
    ]
    demand(zip.subarray(end, end + 4).equals(endSign) && zip.readUInt16LE(end + 20) === 0)
    demand(zip.readUInt32LE(end + 4) === 0 && zip.readUInt16LE(end + 8) === count)
    demand(directory + directoryLength === end)
    let [at, next, total] = [directory, 0, 0]
    for (let entry = 0; entry < count; entry++) {
      const nameLength = zip.readUInt16LE(at + 28)
      // The lengths of what else may follow, the number of the disk, and where the entry is.
      demand(zip.subarray(at, at + 4).equals(directorySign) && zip.readUInt32LE(at + 30) === 0)
      demand(zip.readUInt16LE(at + 34) === 0 && zip.readUInt32LE(at + 42) === next)
      // Flags, method, time, CRC, sizes and lengths are the same in both places.
      const shared = zip.subarray(at + 6, at + 32)
      demand(zip.subarray(next, next + 4).equals(localSign))
      demand(zip.subarray(next + 4, next + localBytes).equals(shared))
      const name = zip.subarray(at + directoryBytes, at + directoryBytes + nameLength)
      const content = next + localBytes + nameLength
      demand(zip.subarray(next + localBytes, content).equals(name))
      const size = zip.readUInt32LE(at + 24)
      total += size
      demand(total <= fileBytesMax && !files.has(name.toString('latin1')))
      const packed = zip.subarray(content, content + zip.readUInt32LE(at + 20))
      demand((zip.readUInt16LE(at + 8) & ~harmlessFlags) === 0)
      const bytes = unpacked(packed, zip.readUInt16LE(at + 10), size)
      demand(bytes.length === size && crc32(bytes) === zip.readUInt32LE(at + 16))
      files.set(name.toString('latin1'), bytes)
      next = content + packed.length
      at += directoryBytes + nameLength
    }
    demand(at === end && next === directory)
    return files
  } catch {
    throw new Error(zipIsBroken)
  }
}

function unpacked(packed, method, size) {
  if (method === 0) return packed
  if (method !== 8) throw new Error('it is packed in another way')
  const { buffer, engine } = inflateRawSync(packed, { maxOutputLength: size + 1, info: true })
  if (engine.bytesWritten !== packed.length) throw new Error('something follows what is packed')
  return buffer
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

function crc32(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/**
 * The checkpoints in a file that the user holds: one note, many with an empty line between them, or the
 * answer of GET /v1/ledger/checkpoint. `isDamaged`: a part of it is no whole checkpoint. The beginning of
 * a note between others is none: a crash of the service leaves it in its own files.
 */
export function readHeldFile(path) {
  const plain = readBytes(path)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n/g, '\n')
    .trim()
  const text = plain.startsWith('{') ? String(JSON.parse(plain).note).trim() : plain
  const held = []
  let [isDamaged, isCut, head] = [false, false, null]
  for (const part of text.split(/\n{2,}/)) {
    isCut = !part.startsWith('— ') || !part.split('\n').every(isWholeSignature)
    if (!part.startsWith('— ')) {
      head = part
      continue
    }
    const checkpoint = head === null || isCut ? null : readCheckpoint(`${head}\n\n${part}\n`)
    if (checkpoint !== null && checkpoint.size > 0) held.push({ ...checkpoint, file: path })
    else if (head === null || !isCut) isDamaged = true
    head = null
  }
  if (held.length === 0) throw new Error(`${path} holds no signed checkpoint`)
  return { held, isDamaged: isDamaged || isCut }
}

/** Whether a line is as long as a signature line: one that was cut off is not. */
const isWholeSignature = (line) => Buffer.from(line.split(' ')[2] ?? '', 'base64').length >= 4 + 64

const isConsistency = (value) =>
  isObject(value) &&
  [value.from_size, value.to_size].every((size) => isCount(size) && size > 0) &&
  listOf(isHash)(value.hashes)

function readConsistencyFile(path) {
  const answer = parseJson(textOf(readBytes(path)).replace(/^\uFEFF/, ''))
  if (!isConsistency(answer))
    throw new Error(`${path} is not an answer of GET /v1/ledger/consistency`)
  const { from_size: from, to_size: to, hashes } = answer
  return { from, to, proof: hashes.map((hash) => Buffer.from(hash, 'hex')) }
}

// ---- The command ---------------------------------------------------------------------------------

const usage =
  'Usage: node verify.mjs [FOLDER or BUNDLE.zip] [--key KEY] [--witness KEY]... [--checkpoint FILE]... [--consistency FILE]...'

/** The given names and options; throws if they are not as the usage says. */
function readArguments(given) {
  const options = { key: [], witness: [], checkpoint: [], consistency: [] }
  const paths = []
  for (let at = 0; at < given.length; at++) {
    const [, name, equals, value] = /^--(\w+)(=?)(.*)$/s.exec(given[at]) ?? []
    if (name === undefined && !given[at].startsWith('-')) paths.push(given[at])
    else if (name === undefined || !Object.hasOwn(options, name))
      throw new Error(`unknown option ${given[at]}`)
    else options[name].push(equals === '=' ? value : (given[++at] ?? ''))
  }
  if (Object.values(options).flat().includes('')) throw new Error('an option has no value')
  const [key = null, ...moreKeys] = options.key.map((text) => readKey(text, ledgerKey) ?? 'wrong')
  const witnesses = options.witness.map((text) => readKey(text, witnessKey) ?? 'wrong')
  if (paths.length > 1 || moreKeys.length > 0) throw new Error('too many names or keys')
  if (options.consistency.length > 0 && options.checkpoint.length === 0)
    throw new Error('--consistency is for use with --checkpoint')
  if (key === 'wrong')
    throw new Error('--key must be a key as shown by GET /v1/ledger/keys: name+id+base64')
  if (witnesses.includes('wrong'))
    throw new Error('--witness must be a key as the witness shows it: name+id+base64')
  return { ...options, path: paths[0] ?? dirname(fileURLToPath(import.meta.url)), key, witnesses }
}

/** One line of text without characters that a terminal would obey. */
const printed = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '?')

function textOfReport({ about, exitCode, problems, undecided, proved, notProved }) {
  const shipment = about === null ? 'the bundle' : `the evidence about ${about}`
  const verdict = [
    `Nothing is wrong with ${shipment}.`,
    `${problems.length === 1 ? '1 problem was' : `${problems.length} problems were`} found in ${shipment}.`,
    `No problem was found in what could be checked of ${shipment}, but not everything could.`,
  ]
  const section = (title, lines) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `- ${printed(line)}`)]
  return [
    verdict[exitCode],
    ...section('Problems:', problems),
    ...section('Could not be decided:', undecided),
    ...section('Proved:', proved),
    ...section('Not proved:', notProved),
    '',
  ].join('\n')
}

/** Runs the command with these words, and answers its exit code. */
export function main(given) {
  let options
  try {
    options = readArguments(given)
  } catch (error) {
    process.stderr.write(`${printed(error.message)}\n${usage}\n`)
    return 64
  }
  try {
    const files = readBundle(options.path)
    const heldFiles = options.checkpoint.map((path) => ({ path, ...readHeldFile(path) }))
    const report = verifyBundle(files, {
      key: options.key,
      witnesses: options.witnesses,
      held: heldFiles.flatMap(({ held }) => held),
      damaged: heldFiles.filter(({ isDamaged }) => isDamaged).map(({ path }) => path),
      consistency: options.consistency.map(readConsistencyFile),
    })
    process.stdout.write(textOfReport(report))
    return report.exitCode
  } catch (error) {
    process.stderr.write(`It could not be checked: ${printed(error.message)}\n`)
    return 2
  }
}

const isCommand =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
if (isCommand) process.exitCode = main(process.argv.slice(2))
