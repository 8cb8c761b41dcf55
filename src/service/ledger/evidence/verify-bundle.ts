import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type EventLine, eventLineSchema, exportFormat, headerSchema } from '../export-format.ts'
import { parsedLine } from '../export-lines.ts'
import { type Findings, findings } from '../findings.ts'
import { readNote, signersOf, type Verifier } from '../signed-note.ts'
import {
  trustedKeys,
  type VerifiedFile,
  type VerifyFileOptions,
  verifyFile,
} from '../verify-file.ts'
import { checkCosigned, type WitnessCheck } from '../witnesses/check-witnesses.ts'
import { witnessText } from '../witnesses/cosignature.ts'
import type { BundleFiles } from './bundle-files.ts'
import { checkPersonal, type VerifiedPersonal } from './check-personal.ts'
import { type Manifest, readManifest } from './read-manifest.ts'

/** What a bundle of evidence proves: its history, and what is around it. */
export type VerifiedBundle = VerifiedFile & {
  readonly shipmentId: string | null
  /** RFC 3339, as the manifest says. */
  readonly madeAt: string | null
  readonly files: number
  /** Those of the user. */
  readonly witnesses: readonly WitnessCheck[]
  /** The others that the manifest names: the service asks them, and their keys come only from it. */
  readonly namedWitnesses: readonly WitnessCheck[]
  /** Null: the bundle has no personal data. */
  readonly personal: VerifiedPersonal | null
}

type VerifyBundleOptions = Pick<VerifyFileOptions, 'held' | 'consistency'> & {
  /** Those that must have cosigned. */
  readonly witnesses?: readonly Verifier[]
}

const requiredFiles = ['README.md', 'checkpoint.txt', 'history.ndjson', 'report.pdf', 'verify.mjs']

/** Checks a bundle by itself, as `verifyFile` checks an exported file. */
export async function verifyBundle(
  files: BundleFiles,
  known: Verifier | null,
  { witnesses = [], ...options }: VerifyBundleOptions = {},
): Promise<VerifiedBundle> {
  const found = findings()
  const history = files.get('history.ndjson') ?? Buffer.alloc(0)
  const verified = await verifyFile(history, known, options)
  const { header, events } = readHistory(history)
  const keys = header === null ? [] : trustedKeys(header, known, findings())
  const manifest = checkManifest(files, keys, found)
  const shipmentId = header?.scope.shipment_id ?? null
  const isWhole = header?.scope.from === null && header.scope.to === null
  if (header?.format !== exportFormat || shipmentId === null || !isWhole)
    found.add(null, 'history.ndjson is not the whole history of a shipment, with a statement')
  if (manifest !== null && manifest.shipmentId !== shipmentId)
    found.add(null, 'manifest.txt is about another shipment than the history')
  const note = checkCheckpoint({ header, manifest, keys, found }, files.get('checkpoint.txt'))
  const personalFile = files.get('personal.json')
  const personal =
    personalFile === undefined
      ? null
      : checkPersonal(personalFile ?? Buffer.alloc(0), shipmentId ?? '', events, found)
  const given = new Set(witnesses.map(witnessText))
  const named = (manifest?.witnesses ?? []).filter((one) => !given.has(witnessText(one)))
  const problems = found.count + verified.problems
  return {
    ...verified,
    shipmentId,
    madeAt: manifest?.madeAt ?? null,
    files: manifest?.files.size ?? 0,
    witnesses: checkCosigned(note, witnesses),
    namedWitnesses: checkCosigned(note, named),
    personal,
    isComplete: verified.isComplete && problems === 0,
    findings: [...found.list, ...verified.findings],
    problems,
  }
}

type History = {
  readonly header: ReturnType<typeof headerSchema.parse> | null
  readonly events: readonly EventLine['event'][]
}

function readHistory(content: Buffer): History {
  const [first = '', ...lines] = content.toString('utf8').split('\n')
  const events = lines.flatMap((line) => parsedLine(eventLineSchema, line)?.event ?? [])
  return { header: parsedLine(headerSchema, first), events }
}

/** The files are those of the manifest, and a trusted key signed it; null if it is not one. */
function checkManifest(
  files: BundleFiles,
  keys: readonly Verifier[],
  found: Findings,
): Manifest | null {
  const content = files.get('manifest.txt')
  const manifest = content == null ? null : readManifest(content)
  if (manifest === null) {
    const problem = content === undefined ? 'is missing' : 'is not a manifest'
    found.add(null, `manifest.txt ${problem}`)
    return null
  }
  if (!manifest.isSigned(keys))
    found.add(null, 'manifest.txt is not signed with a key that can be trusted')
  for (const name of requiredFiles) {
    if (!manifest.files.has(name)) found.add(null, `manifest.txt does not list ${name}`)
  }
  for (const [name, hash] of manifest.files) {
    const file = files.get(name)
    if (file === undefined) found.add(null, `${name} is missing`)
    else if (file === null || createHash('sha256').update(file).digest('base64') !== hash)
      found.add(null, `${name} is not the file that manifest.txt lists: it was changed`)
  }
  for (const name of files.keys()) {
    if (name !== 'manifest.txt' && !manifest.files.has(name))
      found.add(null, `${name} does not belong to the bundle: manifest.txt does not list it`)
  }
  return manifest
}

type Around = {
  readonly header: History['header']
  readonly manifest: Manifest | null
  readonly keys: readonly Verifier[]
  readonly found: Findings
}

/** The checkpoint's note with the signatures of both copies; null if there is none. */
function checkCheckpoint(
  { header, manifest, keys, found }: Around,
  file: Buffer | null | undefined,
): string | null {
  const own = readNote(header?.checkpoint ?? '')
  if (own === null) {
    if (header !== null) found.add(null, 'history.ndjson has no checkpoint')
    return null
  }
  const apart = file == null || !isUtf8(file) ? null : readNote(file.toString('utf8'))
  const isSame = apart !== null && apart.text === own.text && signersOf(apart, keys).length > 0
  if (!isSame) found.add(null, 'checkpoint.txt is not the signed checkpoint of the history')
  const { origin, size, root } = own.head
  if (manifest !== null && manifest.origin !== origin)
    found.add(null, 'manifest.txt is of another ledger')
  else if (manifest !== null && manifest.checkpoint !== `${size} ${root.toString('base64')}`)
    found.add(null, 'manifest.txt is for another checkpoint than that of the history')
  const more = isSame ? (file?.toString('utf8').slice(own.text.length + 1) ?? '') : ''
  return `${header?.checkpoint}${more}`
}
