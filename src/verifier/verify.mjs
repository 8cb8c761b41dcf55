#!/usr/bin/env node
/*
 * Checks a bundle of evidence about one shipment. Works offline and needs only Node 18 or later.
 *
 *   node verify.mjs [FOLDER or BUNDLE.zip] [options]
 *
 * Without a name it checks the folder that it is in. Options:
 *
 *   --key KEY            the ledger's public key, from another source than this bundle
 *   --witness KEY        a witness that you trust and that must have cosigned; repeatable
 *   --checkpoint FILE    signed checkpoints of the ledger that you hold; repeatable
 *   --consistency FILE   an answer of GET /v1/ledger/consistency, for a checkpoint that you hold; repeatable
 *
 * Exit code 0: nothing is wrong. 1: something is wrong. 2: undecided, because something could not be
 * read or a proof is missing. 64: wrong usage.
 *
 * This file is meant to be read. It is one long file, so that nothing else is needed. Its sections are:
 * bytes and hashes, trees, JSON, signed notes, the parts of a bundle, the whole bundle, files, the
 * command. All before "Files" also runs in a browser: the service's console imports it. The format is
 * described in docs/guides/ledger-format.md of the ledger's software.
 */

// ---- Bytes and hashes ----------------------------------------------------------------------------

const utf8 = (text) => new TextEncoder().encode(text)

/** Decodes UTF-8. Throws if the bytes are not UTF-8. */
function textOf(bytes) {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** Decodes UTF-8; null if the bytes are not UTF-8. */
function textOrNull(bytes) {
  try {
    return textOf(bytes)
  } catch {
    return null
  }
}

/** Bytes and texts, one after another. */
function joined(parts) {
  const all = parts.map((part) => (typeof part === 'string' ? utf8(part) : part))
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of all) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const isEqual = (one, other) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

export const toHex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Decodes the hexadecimal form of a hash. */
const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Decodes base64; null if the text is not in canonical form. */
function fromBase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return toBase64(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

function toBase64(bytes) {
  let characters = ''
  // An engine limits the number of arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    characters += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(characters)
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joined(parts)))
}

async function hmacKey(bytes) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
}

/** The HMAC-SHA-256, in hexadecimal. */
async function hmac(key, ...parts) {
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, joined(parts))))
}

/** Whether these bytes are the Ed25519 signature of the key over the text. */
async function isSignature(bytes, text, { publicKey }) {
  if (bytes.length !== 64) return false
  const algorithm = { name: 'Ed25519' }
  const key = await crypto.subtle.importKey('raw', publicKey, algorithm, false, ['verify'])
  return await crypto.subtle.verify(algorithm, key, bytes, utf8(text))
}

// ---- Trees (RFC 9162, section 2.1) ---------------------------------------------------------------
// A tree is { size, root }. Proofs are lists of hashes.

const nodeHash = (left, right) => sha256(Uint8Array.of(1), left, right)

/** The number of leaves on the left side of a tree with more than one leaf. */
function leftSize(size) {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/** The root to which an inclusion proof leads from the leaf's hash; null if its length is wrong. */
async function rootFromInclusion(hash, index, size, proof) {
  if (size === 1) return proof.length === 0 ? hash : null
  if (proof.length === 0) return null
  const half = leftSize(size)
  const [rest, beside] = [proof.slice(0, -1), proof[proof.length - 1]]
  const isLeft = index < half
  const inner = isLeft
    ? await rootFromInclusion(hash, index, half, rest)
    : await rootFromInclusion(hash, index - half, size - half, rest)
  if (inner === null) return null
  return isLeft ? await nodeHash(inner, beside) : await nodeHash(beside, inner)
}

/** Whether a leaf is at this place of the tree. The leaf and the proof are in hexadecimal. */
export async function isIncluded(leaf, index, proof, { size, root }) {
  if (![index, size].every(isCount) || index >= size || ![leaf, ...proof].every(isHash))
    return false
  const hash = await sha256(Uint8Array.of(0), fromHex(leaf))
  const own = await rootFromInclusion(hash, index, size, proof.map(fromHex))
  return own !== null && isEqual(own, root)
}

/**
 * The two roots to which a consistency proof leads: of the first `from` leaves and of all `to`
 * leaves; null if its length is wrong. `oldRoot` is null inside the tree, where the proof itself
 * has the hash.
 */
async function rootsFromConsistency(from, to, proof, oldRoot) {
  if (from === to) {
    const path = oldRoot === null ? proof : [oldRoot, ...proof]
    return path.length === 1 ? [path[0], path[0]] : null
  }
  if (proof.length === 0) return null
  const half = leftSize(to)
  const [rest, beside] = [proof.slice(0, -1), proof[proof.length - 1]]
  if (from <= half) {
    const roots = await rootsFromConsistency(from, half, rest, oldRoot)
    return roots === null ? null : [roots[0], await nodeHash(roots[1], beside)]
  }
  const roots = await rootsFromConsistency(from - half, to - half, rest, null)
  if (roots === null) return null
  return [await nodeHash(beside, roots[0]), await nodeHash(beside, roots[1])]
}

/** Whether the tree `old` is the beginning of the tree `later`. The proof is in hexadecimal. */
async function isBeginning(old, later, proof) {
  if (old.size < 1 || old.size > later.size) return false
  const roots = await rootsFromConsistency(old.size, later.size, proof.map(fromHex), old.root)
  return roots !== null && isEqual(roots[0], old.root) && isEqual(roots[1], later.root)
}

// ---- JSON ----------------------------------------------------------------------------------------

const loneSurrogate = /\p{Surrogate}/u

/**
 * Throws if the text is not JSON, or if readers could understand it differently: an object has a
 * name twice, half of a surrogate pair stands alone, or a number is too large.
 */
function parseJson(text, { allowsProto = false } = {}) {
  let members = 0
  const value = JSON.parse(text, function count(name, member) {
    if (name === '__proto__' && !allowsProto) throw new Error('it has the name __proto__')
    if (loneSurrogate.test(name) || (typeof member === 'string' && loneSurrogate.test(member)))
      throw new Error('it has half of a surrogate pair')
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
  if (names !== members - 1) throw new Error('an object has the same name twice')
  return value
}

/** Canonical JSON (RFC 8785), which prescribes JavaScript's form of strings and numbers. */
export function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

/** The leaf of a ledger event object, in hexadecimal. */
export async function leafOf({ position, leaf, ...hashed }) {
  return toHex(await sha256(canonical(hashed)))
}

// The types of object members.
const isText = (value) => typeof value === 'string'
const isCount = (value) => Number.isSafeInteger(value) && value >= 0
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
const isHash = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value)
/** Must be a real date: `Date` reads 31 November as 1 December. */
const isTime = (value) =>
  isText(value) &&
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString() === value
const orNull = (fits) => (value) => value === null || fits(value)
const optional = (fits) => (value) => value === undefined || fits(value)
const listOf = (fits) => (value) => Array.isArray(value) && value.every(fits)
/** An object with exactly these members. */
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

/** The kinds of keys. */
export const ledgerKey = 0x01
export const witnessKey = 0x04

/** Reads a public key `<name>+<id>+<base64>`; null if it is not a key of this kind. */
export async function readKey(text, kind) {
  const [, name, id, encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const bytes = fromBase64(encoded)
  if (bytes === null || bytes.length !== 33 || bytes[0] !== kind) return null
  const digest = await sha256(`${name}\n`, bytes)
  if (toHex(digest.subarray(0, 4)) !== id) return null
  return { text, name, id, publicKey: bytes.subarray(1) }
}

/**
 * Reads a text with its signatures, which follow after an empty line; null if it is not a signed
 * note.
 */
function readNote(note) {
  const end = note.indexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) return null
  const signatures = []
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? []
    const bytes = fromBase64(encoded)
    if (bytes === null || bytes.length <= 4) return null
    signatures.push({ name, id: toHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) })
  }
  return { text: note.slice(0, end + 1), signatures }
}

const linesOf = (note, key) =>
  note.signatures.filter(({ name, id }) => name === key.name && id === key.id)

/** The keys that have signed a note; empty if a line in the name of one of them is invalid. */
async function signersOf(note, keys) {
  const signers = []
  for (const key of keys) {
    const lines = linesOf(note, key)
    for (const { bytes } of lines) {
      if (!(await isSignature(bytes, note.text, key))) return []
    }
    if (lines.length > 0) signers.push(key)
  }
  return signers
}

/**
 * The time in a witness's cosignature; null = it has not cosigned, 'invalid' = a line in its name
 * is invalid.
 */
async function cosignedAt(note, witness) {
  let at = null
  for (const { bytes } of linesOf(note, witness)) {
    if (bytes.length !== 8 + 64) return 'invalid'
    const seconds = BigInt(`0x${toHex(bytes.subarray(0, 8))}`)
    const text = `cosignature/v1\ntime ${seconds}\n${note.text}`
    // JavaScript cannot represent a later time.
    if (seconds > 8_640_000_000_000n) return 'invalid'
    if (!(await isSignature(bytes.subarray(8), text, witness))) return 'invalid'
    at ??= new Date(Number(seconds) * 1000).toISOString()
  }
  return at
}

/** Reads a checkpoint of a ledger; null if the text is not a checkpoint. */
export function readCheckpoint(text) {
  const note = readNote(text)
  const form = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\ntime (\S+)\n$/
  const [, origin, size, root = '', time] = form.exec(note?.text ?? '') ?? []
  const bytes = fromBase64(root)
  if (origin === undefined || bytes === null || !isTime(time)) return null
  return { ...note, origin, size: Number(size), root: bytes, time }
}

/** The keys that have signed a checkpoint and have the name of its ledger. */
export async function checkpointSigners(checkpoint, keys) {
  return await signersOf(
    checkpoint,
    keys.filter(({ name }) => name === checkpoint.origin),
  )
}

// ---- The parts of a bundle -----------------------------------------------------------------------
// Each function adds its problems to the report and continues with what can still be checked.

/** `event` is the event with the problem, or null. */
function addProblem(report, problem, event = null) {
  report.problems.push({ problem, event })
}

/** Reads the lines of history.ndjson; null if they are not a history. */
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
      else throw new Error('does not have the required form')
    }
    if (history.footer === null) throw new Error('is not the last line of a history')
    return history
  } catch (error) {
    addProblem(
      report,
      `history.ndjson cannot be read as a history: line ${number}: ${error.message}`,
    )
    return null
  }
}

async function signersOfText(text, keys) {
  const checkpoint = readCheckpoint(text)
  return checkpoint === null ? [] : await checkpointSigners(checkpoint, keys)
}

/**
 * The keys that can be trusted. The key given by the user, or else the last one, is trusted. The
 * first checkpoint of each key is also signed by the key before it, so trust extends from a key to
 * the keys just before and after it, and from those further on.
 */
async function trustedKeys(entries, known, report) {
  const keys = []
  for (const { verifier } of entries) keys.push(await readKey(verifier, ledgerKey))
  if (keys.includes(null)) {
    addProblem(report, 'a key in history.ndjson is malformed, or its id is not its own')
    return []
  }
  const at = known === null ? keys.length - 1 : keys.findIndex(({ text }) => text === known.text)
  if (at === -1) {
    addProblem(report, 'the history was not signed with the key that you trust')
    return []
  }
  const firstNote = entries[0].introduced_by
  if (firstNote !== null && (await signersOfText(firstNote, keys.slice(0, 1))).length === 0)
    addProblem(
      report,
      `the key ${keys[0].id} in history.ndjson is introduced by something that is not a checkpoint signed with it`,
    )
  const isLinked = async (later) => {
    const pair = [keys[later - 1], keys[later]]
    const isVouchedFor =
      (await signersOfText(entries[later].introduced_by ?? '', pair)).length === 2
    if (!isVouchedFor)
      addProblem(
        report,
        `the key ${keys[later].id} in history.ndjson was not introduced by the key before it`,
      )
    return isVouchedFor
  }
  let [first, last] = [at, at]
  while (first > 0 && (await isLinked(first))) first--
  while (last < keys.length - 1 && (await isLinked(last + 1))) last++
  return keys.slice(first, last + 1)
}

/** Reads the signed list of the bundle's files; null if it is not a manifest. */
export async function readManifest(bytes) {
  const note = readNote(textOrNull(bytes) ?? '')
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
  const names = files.map(([, , name]) => name)
  const witnessTexts = all(/^witness (\S+)$/).map(([, text]) => text)
  const witnesses = []
  for (const text of witnessTexts) witnesses.push(await readKey(text, witnessKey))
  const [, time] = /^time (\S+)$/.exec(lines.shift() ?? '') ?? []
  const ascends = (texts) => texts.every((text, index) => index === 0 || texts[index - 1] < text)
  const isWhole =
    [origin, shipmentId, root].every(isText) &&
    isTime(time) &&
    ascends(names) &&
    !names.includes('manifest.txt') &&
    ascends(witnessTexts) &&
    !witnesses.includes(null) &&
    lines.join() === ''
  if (!isWhole) return null
  const hashes = new Map(files.map(([, hash, name]) => [name, hash]))
  return { note, origin, shipmentId, checkpoint: `${size} ${root}`, hashes, witnesses, time }
}

/** The key that signed the manifest; null if none of these did, or if it has other signatures. */
export async function manifestSigner({ note, origin }, keys) {
  if (note.signatures.length !== 1) return null
  const own = keys.filter(({ name }) => name === origin)
  const [signer = null] = await signersOf(note, own)
  return signer
}

/**
 * Members that refer to notes and comments, which have had their own rows since commitments exist.
 */
const noteMembers = ['resolution_ref', 'comment_ref']
const requiredFiles = ['README.md', 'checkpoint.txt', 'history.ndjson', 'report.pdf', 'verify.mjs']

/** Checks that the files match the manifest and that the manifest is signed; null if it cannot be read. */
async function checkManifest(files, keys, report) {
  const content = files.get('manifest.txt')
  const manifest = content == null ? null : await readManifest(content)
  if (manifest === null) {
    addProblem(
      report,
      content == null
        ? 'manifest.txt is missing: this is not a bundle of evidence, or only a part of one'
        : 'manifest.txt is not a manifest',
    )
    return null
  }
  const before = report.problems.length
  const signer = await manifestSigner(manifest, keys)
  if (signer === null)
    addProblem(report, 'manifest.txt is not signed with a key that can be trusted')
  for (const name of requiredFiles) {
    if (!manifest.hashes.has(name)) addProblem(report, `manifest.txt does not list ${name}`)
  }
  for (const [name, hash] of manifest.hashes) {
    const bytes = files.get(name)
    if (bytes === undefined) addProblem(report, `${name} is missing`)
    else if (bytes === null || toBase64(await sha256(bytes)) !== hash)
      addProblem(report, `${name} is not the file that manifest.txt lists: it was changed`)
  }
  for (const name of files.keys()) {
    if (name !== 'manifest.txt' && !manifest.hashes.has(name))
      addProblem(report, `${name} does not belong to the bundle: manifest.txt does not list it`)
  }
  if (report.problems.length === before)
    report.proved.push(
      `The bundle was made at ${manifest.time} and has exactly the ${manifest.hashes.size} files that its manifest lists. The manifest is signed with the ledger's key ${signer.id}.`,
    )
  return manifest
}

/** The checkpoint to which all proofs lead; null if it is not signed with a trusted key. */
async function checkCheckpoint(header, manifest, bytes, { keys, report }) {
  const checkpoint = readCheckpoint(header.checkpoint)
  const [signer] = checkpoint === null ? [] : await checkpointSigners(checkpoint, keys)
  if (signer === undefined) {
    addProblem(report, 'the checkpoint of the history is not signed with a key that can be trusted')
    return null
  }
  const apart = readCheckpoint(textOrNull(bytes) ?? '')
  const isSame = apart !== null && apart.text === checkpoint.text
  if (!isSame || (await checkpointSigners(apart, keys)).length === 0)
    addProblem(report, 'checkpoint.txt is not the signed checkpoint of the history')
  if (manifest !== null) {
    const { origin, size, root } = checkpoint
    if (manifest.origin !== origin) addProblem(report, 'manifest.txt is of another ledger')
    else if (manifest.checkpoint !== `${size} ${toBase64(root)}`)
      addProblem(report, 'manifest.txt is for another checkpoint than that of the history')
    if (manifest.shipmentId !== header.scope.shipment_id)
      addProblem(report, 'manifest.txt is about another shipment than the history')
  }
  // Either copy may have cosignatures.
  const signatures = [...checkpoint.signatures, ...(isSame ? apart.signatures : [])]
  return { ...checkpoint, signatures, signedBy: signer.id }
}

/**
 * Checks that each event is unchanged, at its place in the tree, and in order in the shipment's
 * stream.
 */
async function checkEvents({ header, events }, checkpoint, report) {
  const before = report.problems.length
  const { organization_id: organizationId, shipment_id: shipmentId } = header.scope
  const first = events[0]
  let lastIndex = -1
  for (const [
    place,
    { stream, organization_id: owner, leaf_index: index, proof, event },
  ] of events.entries()) {
    const wrong = (what) => addProblem(report, `event ${place} (${event.type}): ${what}`, event)
    if ((await leafOf(event)) !== event.leaf)
      wrong('it was changed after it was recorded: it does not match its digest (leaf)')
    if (!(await isIncluded(event.leaf, index, proof, checkpoint)))
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
    addProblem(
      report,
      'the first event belongs to another organization than the history says',
      first.event,
    )
  if (report.problems.length > before || first === undefined) return
  report.proved.push(
    `The ${events.length} events of the shipment are recorded in the ledger ${checkpoint.origin}, among the first ${checkpoint.size} events, in this order. None was changed, and none is missing before the last one.`,
  )
}

/** Checks the service's signed statement that the shipment had no later event. */
async function checkStatement({ header, events, streams, footer }, checkpoint, keys, report) {
  const before = report.problems.length
  if (footer.events !== events.length)
    addProblem(
      report,
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
    addProblem(report, 'the events are not those of the list at the end: some are missing')
  const digest = toBase64(await sha256(...streams.map((line) => `${canonical(line)}\n`)))
  const expected = [
    `${checkpoint.origin}/streams`,
    `scope ${canonical(header.scope)}`,
    `checkpoint ${checkpoint.size} ${toBase64(checkpoint.root)}`,
    `streams ${streams.length} ${digest}`,
  ]
  const note = readNote(footer.statement)
  const [, time] = /\ntime (\S+)\n$/.exec(note?.text ?? '') ?? []
  const isStated =
    note !== null && isTime(time) && note.text === [...expected, `time ${time}\n`].join('\n')
  const own = keys.filter(({ name }) => name === checkpoint.origin)
  if (!isStated || note.signatures.length !== 1 || (await signersOf(note, own)).length === 0)
    addProblem(report, 'the signed statement in the last line is not about these events')
  if (report.problems.length > before) return
  report.proved.push(
    `The service has signed that the shipment had no later event when the checkpoint was made, at ${checkpoint.time}.`,
  )
  if (footer.not_sealed > 0)
    report.notProved.push(
      `What happened in the ${footer.not_sealed} latest events: they were not sealed yet and are not in the bundle.`,
    )
}

/**
 * The user's witnesses must have cosigned. Those in the manifest need not have. Returns what each
 * has done.
 */
async function checkWitnesses(checkpoint, manifest, given, report) {
  const isGiven = (witness) => given.some(({ text }) => text === witness.text)
  const named = (manifest?.witnesses ?? []).filter((witness) => !isGiven(witness))
  const checked = []
  for (const witness of [...given, ...named]) {
    const { name, id } = witness
    const at = await cosignedAt(checkpoint, witness)
    if (at === 'invalid')
      addProblem(report, `the cosignature in the name of the witness ${name} is not valid`)
    else if (at !== null)
      report.proved.push(
        `The witness ${name} has cosigned the checkpoint at ${at}: it had not seen another history of this ledger.`,
      )
    else if (isGiven(witness))
      report.undecided.push(`The witness ${name} has not cosigned the checkpoint.`)
    else
      report.notProved.push(
        `That the witness ${name} has seen this history: the manifest names it, but it has not cosigned.`,
      )
    const result = at === null ? 'missing' : at === 'invalid' ? 'invalid' : 'valid'
    checked.push({
      name,
      id,
      isGiven: isGiven(witness),
      result,
      at: result === 'valid' ? at : null,
    })
  }
  if (checked.length === 0)
    report.notProved.push(
      'That anyone but the service has seen this history: no witness has cosigned it.',
    )
  else if (given.length === 0)
    report.notProved.push(
      'That these witnesses are independent: their keys come only from the service. Pass those that you trust with --witness.',
    )
  return checked
}

/** The trees that, as the history proves, its own continues, and its own. */
async function knownTrees(header, checkpoint, report) {
  const trees = [checkpoint]
  for (const { size, root, proof } of header.consistency ?? []) {
    const tree = { size, root: fromHex(root) }
    if (await isBeginning(tree, checkpoint, proof)) trees.push(tree)
    else addProblem(report, `the proof in the history about its first ${size} events does not hold`)
  }
  return trees
}

/**
 * Checks that the checkpoints that the user holds belong to this history. Returns how many do, and
 * how many cannot be decided.
 */
async function checkHeld({ header, checkpoint, keys }, held, consistency, report) {
  const trees = await knownTrees(header, checkpoint, report)
  let [confirmed, undecided] = [0, 0]
  for (const one of held) {
    const name = `the checkpoint that you hold in ${one.file} (${one.size} events, signed ${one.time})`
    const known = trees.find(({ size }) => size === one.size)
    const [old, later] = one.size < checkpoint.size ? [one, checkpoint] : [checkpoint, one]
    const proofs = consistency.filter(({ from, to }) => from === old.size && to === later.size)
    if (one.origin !== checkpoint.origin) addProblem(report, `${name} is of another ledger`)
    else if ((await checkpointSigners(one, keys)).length === 0)
      addProblem(report, `${name} is not signed with a key of this ledger`)
    else if (known !== undefined && isEqual(known.root, one.root)) confirmed++
    else if (known !== undefined)
      addProblem(
        report,
        `${name} belongs to another history: history was rewritten, or there are two`,
      )
    else if (await areBeginnings(old, later, proofs)) confirmed++
    else if (proofs.length > 0)
      addProblem(
        report,
        `the proof that you gave does not lead from or to ${name}: there are two histories, or the proof is for other checkpoints`,
      )
    else {
      undecided++
      report.undecided.push(
        `It cannot be decided whether ${name} belongs to this history: get GET /v1/ledger/consistency?from=${old.size}&to=${later.size} and pass the answer with --consistency.`,
      )
    }
  }
  if (confirmed > 0)
    report.proved.push(
      `Of ${held.length} ${held.length === 1 ? 'checkpoint' : 'checkpoints'} that you hold, ${confirmed} ${confirmed === 1 ? 'is' : 'are'} part of this history.`,
    )
  if (held.length === 0)
    report.notProved.push(
      'That the service shows everyone this history: no checkpoint of yours was compared. Pass those that you hold with --checkpoint.',
    )
  return { confirmed, undecided }
}

/** Whether one of the proofs holds. */
async function areBeginnings(old, later, proofs) {
  for (const { proof } of proofs) if (await isBeginning(old, later, proof)) return true
  return false
}

/** Every reference to the vault in an event's data, with the name of its member. */
function referencesIn(data) {
  return Object.entries(data).flatMap(([name, value]) => {
    if (isText(value)) return name.endsWith('_ref') ? [{ name, reference: value }] : []
    return isObject(value) ? referencesIn(value) : []
  })
}

/**
 * Checks that the vault's content for the shipment matches the commitments in the events. Returns
 * how many entries do; null if the file cannot be read.
 */
async function checkPersonal(bytes, { header, events }, report) {
  const before = report.problems.length
  const personal = readPersonal(bytes, report)
  if (personal === null) return null
  const wrong = (what, event) => addProblem(report, `personal.json: ${what}`, event)
  if (personal.shipment_id !== header.scope.shipment_id) wrong('it is about another shipment')
  const kept = await keptItems(personal, wrong)
  const erasures = erasuresIn(events)
  const counts = { matching: 0, bodies: 0, uncommitted: 0, erased: 0, missing: [] }
  const named = new Set()
  const requestRow = events[0]?.event.data.vault_ref
  /** The digest of each operation's request, recorded before it was sent. */
  const announced = new Map()
  for (const [place, { event }] of events.entries()) {
    // An erasure names the entries that it destroyed.
    if (event.type === 'PersonalDataErased') continue
    const where = `event ${place} (${event.type})`
    const { commitments } = event.data
    if (commitments !== undefined && !isObject(commitments)) {
      wrong(`the commitments of ${where} are not an object`, event)
      continue
    }
    for (const { name, reference } of referencesIn(event.data)) {
      const item = kept.get(reference)
      const commitment = commitments?.[reference]
      const isErased = isErasedBy(erasures, place, { name, isCommitted: commitment !== undefined })
      const isRow = name === 'vault_ref' || noteMembers.includes(name)
      named.add(reference)
      if (commitments !== undefined && commitment === undefined)
        wrong(`${where} commits to other entries, but not to ${reference}`, event)
      else if (item === undefined && isErased && !personal.missing.includes(reference))
        counts.erased++
      else if (item === undefined) {
        counts.missing.push(reference)
        report.undecided.push(`personal.json does not have ${reference} of ${where}.`)
      } else if (isErased) wrong(`${reference} of ${where} is still there after its erasure`, event)
      else if (commitment === undefined) counts.uncommitted++
      else if (item.row !== (isRow ? reference : requestRow))
        wrong(`${reference} of ${where} lies in another row`, event)
      else if ((await hmac(item.key, `vault ${reference}\n`, item.content)) === commitment)
        counts.matching++
      else wrong(`${reference} is not what ${where} committed to`, event)
    }
    const bodies = await bodiesIn(event.data, kept.get(event.data.exchanges_ref))
    if (bodies === null) wrong(`the bodies are not those of ${where}`, event)
    else if (!isAsAnnounced(event.data, announced))
      wrong(`a request of ${where} is not the one that was recorded before it was sent`, event)
    else counts.bodies += bodies
    const { operation_id: operationId, request_digest: digest } = event.data
    if (event.type === 'GuideRequested' && isText(operationId) && digest !== undefined)
      announced.set(operationId, digest)
  }
  for (const reference of referencesOf(personal, kept)) {
    if (!named.has(reference)) wrong(`no event names ${reference}`)
  }
  sayPersonal(counts, report.problems.length === before, report)
  return counts
}

/** Every reference in the file, each once. */
function referencesOf({ rows, erased, missing }, kept) {
  const ofRows = rows.map(({ reference }) => reference)
  return new Set([...ofRows, ...kept.keys(), ...erased, ...missing])
}

function readPersonal(bytes, report) {
  try {
    const personal = parseJson(textOf(bytes))
    if (isPersonal(personal)) return personal
  } catch {
    // Reported below like any other malformed content.
  }
  addProblem(report, 'personal.json is malformed')
  return null
}

/**
 * Whether the person was erased, and the place of the last erasure that included notes; -1 if none
 * did.
 */
function erasuresIn(events) {
  const isErasure = ({ event }) => event.type === 'PersonalDataErased'
  const withNotes = events.map((one) => isErasure(one) && one.event.data.includes_notes === true)
  return { person: events.some(isErasure), notesAt: withNotes.lastIndexOf(true) }
}

/**
 * Whether an erasure explains that an entry is missing. Erasing the person destroys the key, so it
 * also explains an entry that was stored before it and named by an event just after. Notes and
 * comments have their own keys: they are destroyed only by a later erasure that included them.
 */
function isErasedBy({ person, notesAt }, place, { name, isCommitted }) {
  return isCommitted && noteMembers.includes(name) ? notesAt > place : person
}

/** The entries in the file by reference, each with the key of its row. */
async function keptItems({ rows, erased, missing }, wrong) {
  const kept = new Map()
  const items = rows.flatMap((row) => row.items.map(({ reference }) => reference))
  for (const reference of repeatedIn([...items, ...erased, ...missing])) {
    wrong(`${reference} occurs twice`)
  }
  const rowOf = new Map(rows.map((row) => [row.reference, row]))
  if (rowOf.size < rows.length) wrong('a row occurs twice')
  for (const row of rows) {
    const key = await hmacKey(fromHex(row.commitment_key))
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
 * Whether content has the form in which it is stored: JSON in a row; in an item, 0x00 and JSON, or
 * 0x01 and bytes. The readable JSON beside it must be the same.
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
    report.notProved.push(`The content of the ${erased} entries that an erasure has destroyed.`)
  if (uncommitted > 0)
    report.notProved.push(
      `That ${uncommitted} entries of personal.json are unchanged: their events are from before commitments existed.`,
    )
  if (!isRight) return
  report.proved.push(
    `In personal.json, ${matching} entries and ${bodies} bodies of courier requests and answers match what the events committed to when they were recorded.`,
  )
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

/** How many stored bodies match the digests in the event; null if one of them differs. */
async function bodiesIn({ exchanges, exchanges_ref: reference }, item) {
  if (exchanges === undefined && reference === undefined) return 0
  if (!listOf(isDigests)(exchanges) || !orNull(isText)(reference)) return null
  if (item === undefined) return 0
  // It has the form of stored content, which need not be JSON.
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
      if (digest !== (body === null ? null : await hmac(item.key, 'body\n', body))) return null
      if (body !== null) matching++
    }
  }
  return matching
}

/** Whether each request to create a guide is the one that was recorded before anything was sent. */
function isAsAnnounced({ operation_id: operationId, exchanges = [] }, announced) {
  if (!announced.has(operationId)) return true
  // The digest is null if the person was erased before the answer came.
  const isSame = ({ request_digest: sent }) => sent === null || sent === announced.get(operationId)
  return exchanges.filter(({ call }) => call === 'create').every(isSame)
}

// ---- The whole bundle ----------------------------------------------------------------------------

/**
 * Checks the files of a bundle, given by name; null instead of the bytes for an entry that is not a
 * file. `key` and `witnesses` are from `readKey`, `held` from `readHeldFile` and `consistency` from
 * `readConsistencyFile`. The types in verify.d.mts describe the result.
 */
export async function verifyBundle(
  files,
  { key = null, witnesses = [], held = [], consistency = [] } = {},
) {
  const report = { problems: [], undecided: [], proved: [], notProved: [] }
  const bytesOf = (name) => files.get(name) ?? new Uint8Array()
  const history = readHistory(files.get('history.ndjson') ?? undefined, report)
  const keys = history === null ? [] : await trustedKeys(history.header.keys, key, report)
  const manifest = await checkManifest(files, keys, report)
  const checkpoint =
    history === null
      ? null
      : await checkCheckpoint(history.header, manifest, bytesOf('checkpoint.txt'), { keys, report })
  const checkpoints = held.flatMap((file) => file.checkpoints)
  let [cosigned, personal] = [[], null]
  let compared = { confirmed: 0, undecided: checkpoints.length }
  if (checkpoint !== null) {
    await checkEvents(history, checkpoint, report)
    await checkStatement(history, checkpoint, keys, report)
    cosigned = await checkWitnesses(checkpoint, manifest, witnesses, report)
    const own = { header: history.header, checkpoint, keys }
    compared = await checkHeld(own, checkpoints, consistency, report)
    if (history.events.length === 0)
      report.undecided.push('The history has no events: it proves nothing.')
  }
  if (history !== null && files.has('personal.json'))
    personal = await checkPersonal(bytesOf('personal.json'), history, report)
  for (const { file } of held.filter(({ isDamaged }) => isDamaged))
    report.undecided.push(
      `${file} was cut off or damaged, so its other checkpoints cannot be checked.`,
    )
  if (key === null && keys.length > 0)
    report.notProved.push(
      `That the key is the ledger's. Compare it with the one that you know, or pass yours with --key: ${keys[keys.length - 1].text}`,
    )
  report.notProved.push(
    "The text of README.md and report.pdf, which is the service's own account. Rely on the events.",
  )
  const exitCode = report.problems.length > 0 ? 1 : report.undecided.length > 0 ? 2 : 0
  return { ...report, exitCode, history, manifest, checkpoint, cosigned, compared, personal }
}

/** The result of `verifyBundle` as text: the verdict, and what led to it. */
export function reportText({ manifest, exitCode, problems, undecided, proved, notProved }) {
  const about = manifest === null ? 'the bundle' : `the evidence about ${manifest.shipmentId}`
  const verdict = [
    `Nothing is wrong with ${about}.`,
    `${problems.length === 1 ? '1 problem was' : `${problems.length} problems were`} found in ${about}.`,
    `No problem was found in what could be checked of ${about}, but not everything could.`,
  ]
  const section = (title, lines) => {
    const shown = lines.slice(0, linesMax).map((line) => `- ${printed(line)}`)
    const more = lines.length > linesMax ? [`- … and ${lines.length - linesMax} more`] : []
    return lines.length === 0 ? [] : ['', title, ...shown, ...more]
  }
  return [
    verdict[exitCode],
    ...section(
      'Problems:',
      problems.map(({ problem }) => problem),
    ),
    ...section('Could not be decided:', undecided),
    ...section('Proved:', proved),
    ...section('Not proved:', notProved),
  ].join('\n')
}

/** A rewritten history has a problem for each event, and a file of checkpoints has thousands. */
const linesMax = 50

/** One line of text without characters that control a terminal. */
const printed = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '?')

// ---- Files ---------------------------------------------------------------------------------------
// From here on, only for Node. Its modules are imported when they are used, which a browser never does.

const nodeModule = (name) => import(/* @vite-ignore */ `node:${name}`)

const fileBytesMax = 256 * 1024 * 1024

async function readBytes(path) {
  const { readFileSync, statSync } = await nodeModule('fs')
  if (statSync(path).size > fileBytesMax) throw new Error('it is too large')
  return readFileSync(path)
}

const zipIsBroken =
  'the ZIP file is damaged or was not written by the service; unpack it and check the folder'
const [localSign, directorySign, endSign] = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06'].map(utf8)
const [localBytes, directoryBytes, endBytes] = [30, 46, 22]
/** The compression level, and that names are in UTF-8. */
const harmlessFlags = 0x0806

/** The files of a folder or ZIP, by name. Throws if it cannot be read. */
export async function readBundle(path) {
  const { readdirSync, statSync } = await nodeModule('fs')
  const { join } = await nodeModule('path')
  if (!statSync(path).isDirectory()) return await readZip(await readBytes(path))
  const files = new Map()
  let total = 0
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const bytes = entry.isFile() ? await readBytes(join(path, entry.name)) : null
    total += bytes?.length ?? 0
    if (total > fileBytesMax) throw new Error('its files are too large')
    files.set(entry.name, bytes)
  }
  return files
}

/**
 * The files of a ZIP, by name. Accepts only entries that follow each other from the first byte,
 * then the directory, then its end record, and throws for any other layout, in which other programs
 * could find different files.
 */
export async function readZip(zip) {
  const { inflateRawSync } = await nodeModule('zlib')
  const files = new Map()
  try {
    const demand = (isRight) => {
      if (!isRight) throw new Error('it does not have the required form')
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
      // The lengths of optional fields, and the number of the disk.
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
      const bytes = unpacked(packed, zip.readUInt16LE(at + 10), size, inflateRawSync)
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

function unpacked(packed, method, size, inflateRawSync) {
  if (method === 0) return packed
  if (method !== 8) throw new Error('it is compressed with another method')
  const { buffer, engine } = inflateRawSync(packed, { maxOutputLength: size + 1, info: true })
  if (engine.bytesWritten !== packed.length)
    throw new Error('something follows the compressed data')
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
 * The checkpoints in a file that the user holds: one note, many with an empty line between them, or
 * the answer of GET /v1/ledger/checkpoint. `isDamaged`: a part is not a complete checkpoint. The
 * beginning of a note between others does not count, because a crash of the service leaves it in
 * its own files. `name` is how the user calls the file.
 */
export async function readHeldFile(path, name = path) {
  const plain = (await readBytes(path))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n/g, '\n')
    .trim()
  const text = plain.startsWith('{') ? String(JSON.parse(plain).note).trim() : plain
  const checkpoints = []
  let [isDamaged, isCut, head] = [false, false, null]
  for (const part of text.split(/\n{2,}/)) {
    isCut = !part.startsWith('— ') || !part.split('\n').every(isWholeSignature)
    if (!part.startsWith('— ')) {
      head = part
      continue
    }
    const checkpoint = head === null || isCut ? null : readCheckpoint(`${head}\n\n${part}\n`)
    if (checkpoint !== null && checkpoint.size > 0) checkpoints.push({ ...checkpoint, file: name })
    else if (head === null || !isCut) isDamaged = true
    head = null
  }
  if (checkpoints.length === 0) throw new Error(`${name} has no signed checkpoint`)
  return { file: name, checkpoints, isDamaged: isDamaged || isCut }
}

/** Whether a line has the length of a signature line, and so was not cut off. */
const isWholeSignature = (line) => Buffer.from(line.split(' ')[2] ?? '', 'base64').length >= 4 + 64

const isConsistency = (value) =>
  isObject(value) &&
  [value.from_size, value.to_size].every((size) => isCount(size) && size > 0) &&
  listOf(isHash)(value.hashes)

/** An answer of GET /v1/ledger/consistency in a file. `name` is how the user calls the file. */
export async function readConsistencyFile(path, name = path) {
  const answer = parseJson(textOf(await readBytes(path)).replace(/^\uFEFF/, ''))
  if (!isConsistency(answer))
    throw new Error(`${name} is not an answer of GET /v1/ledger/consistency`)
  return { from: answer.from_size, to: answer.to_size, proof: answer.hashes }
}

// ---- The command ---------------------------------------------------------------------------------

const usage =
  'Usage: node verify.mjs [FOLDER or BUNDLE.zip] [--key KEY] [--witness KEY]... [--checkpoint FILE]... [--consistency FILE]...'

/** Reads names and options. Throws if they do not match the usage. */
async function readArguments(given) {
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
  if (paths.length > 1 || options.key.length > 1) throw new Error('too many names or keys')
  if (options.consistency.length > 0 && options.checkpoint.length === 0)
    throw new Error('--consistency needs --checkpoint')
  const [key = null] = await readKeys(
    options.key,
    ledgerKey,
    '--key must be a key as shown by GET /v1/ledger/keys: name+id+base64',
  )
  const witnesses = await readKeys(
    options.witness,
    witnessKey,
    '--witness must be a key as shown by the witness: name+id+base64',
  )
  return { ...options, path: paths[0], key, witnesses }
}

/** The keys with these texts. Throws with this message if one is not a key. */
async function readKeys(texts, kind, message) {
  const keys = []
  for (const text of texts) keys.push(await readKey(text, kind))
  if (keys.includes(null)) throw new Error(message)
  return keys
}

/** Runs the command with these arguments and returns its exit code. */
export async function main(given) {
  // Node 18 has WebCrypto only in a module.
  globalThis.crypto ??= (await nodeModule('crypto')).webcrypto
  let options
  try {
    options = await readArguments(given)
  } catch (error) {
    process.stderr.write(`${printed(error.message)}\n${usage}\n`)
    return 64
  }
  try {
    const { key, witnesses } = options
    const { dirname } = await nodeModule('path')
    const { fileURLToPath } = await nodeModule('url')
    const files = await readBundle(options.path ?? dirname(fileURLToPath(import.meta.url)))
    const [held, consistency] = [[], []]
    for (const path of options.checkpoint) held.push(await readHeldFile(path))
    for (const path of options.consistency) consistency.push(await readConsistencyFile(path))
    const report = await verifyBundle(files, { key, witnesses, held, consistency })
    process.stdout.write(`${reportText(report)}\n`)
    return report.exitCode
  } catch (error) {
    process.stderr.write(`It could not be checked: ${printed(error.message)}\n`)
    return 2
  }
}

/** Runs the command if Node was started with this file. */
async function runIfStarted(startedWith) {
  const { existsSync, realpathSync } = await nodeModule('fs')
  const { fileURLToPath } = await nodeModule('url')
  const isThis =
    existsSync(startedWith) && realpathSync(startedWith) === fileURLToPath(import.meta.url)
  if (!isThis) return
  // Node 18 warns that Ed25519 is new to its WebCrypto.
  process.removeAllListeners('warning')
  // Stays if the process ends before there is a verdict.
  process.exitCode = 2
  process.exitCode = await main(process.argv.slice(2))
}

const startedWith = globalThis.process?.argv?.[1]
if (startedWith !== undefined) runIfStarted(startedWith)
