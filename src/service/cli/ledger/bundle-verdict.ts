import { open, stat } from 'node:fs/promises'
import {
  type BundleFiles,
  type HeldFile,
  ledgerKey,
  type Problem,
  type Report,
  readBundle,
  readHeldFile,
  readKey,
  reportText,
  verifyBundle,
  witnessKey,
} from '../../../verifier/verify.mjs'
import { type Finding, findingsMax } from '../../ledger/findings.ts'
import { verifyFile } from '../../ledger/verify-file.ts'
import { type Call, type CommandResult, Undecided } from '../command.ts'
import { partNotice } from './export-messages.ts'
import { readConsistency, type TrustedFiles } from './trusted-files.ts'

/* `verify --file` for a bundle of evidence: the verdict of verify.mjs, which is also in the bundle. */

const zipSign = 'PK'
const zipEndSign = Buffer.from('PK\x05\x06')
/** The end record of a ZIP, with the longest comment that may follow it. */
const zipTailBytes = 22 + 65_535

/** Whether it is a folder, or begins or ends like a ZIP. The ZIP may be damaged. */
export async function isBundle(path: string): Promise<boolean> {
  if ((await stat(path)).isDirectory()) return true
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const partAt = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    return (
      (await partAt(0, zipSign.length)).toString('latin1') === zipSign ||
      (await partAt(Math.max(0, size - zipTailBytes), zipTailBytes)).includes(zipEndSign)
    )
  } finally {
    await file.close()
  }
}

/** Checks the bundle. Throws Undecided if it cannot be read. */
export async function bundleVerdict(
  call: Call,
  file: string,
  trusted: TrustedFiles,
): Promise<CommandResult> {
  const files = await readOrUndecided(file, () => readBundle(call.pathOf(file)))
  const report = await typesChecked(files, await verifyBundle(files, await optionsOf(call)))
  const exit = (['fine', 'found', 'undecided'] as const)[report.exitCode]
  return { json: jsonOf(report, trusted), text: reportText(report), exit }
}

async function readOrUndecided<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Undecided(`${name} cannot be read: ${why}.`, { cause: error })
  }
}

/** The flags, whose keys and files are known to be valid. */
async function optionsOf(call: Call) {
  const key = call.flags.get('key')
  const held: HeldFile[] = []
  for (const name of call.lists.get('checkpoint') ?? [])
    held.push(await readOrUndecided(name, () => readHeldFile(call.pathOf(name), name)))
  const witnesses = (call.lists.get('witness') ?? []).map((text) => readKey(text, witnessKey))
  const consistency = readConsistency(call).map(({ from, to, proof }) => ({
    from,
    to,
    proof: proof.map((hash) => hash.toString('hex')),
  }))
  return {
    key: key === undefined ? null : await readKey(key, ledgerKey),
    witnesses: (await Promise.all(witnesses)).filter((witness) => witness !== null),
    held,
    consistency,
  }
}

/**
 * Adds the events whose data does not have the members of its type, which only the service knows.
 * Only the owner of the ledger's key can have sealed them.
 */
async function typesChecked(files: BundleFiles, report: Report): Promise<Report> {
  if (report.problems.length > 0) return report
  const history = files.get('history.ndjson') ?? new Uint8Array()
  const { findings } = await verifyFile(Buffer.from(history), null)
  if (findings.length === 0) return report
  return { ...report, exitCode: 1, problems: findings.map(problemOf) }
}

function problemOf({ position, type, shipment_id, recorded_at, problem }: Finding): Problem {
  if (position === null || type === null || recorded_at === null) return { problem, event: null }
  const event = { position, type, shipment_id, recorded_at }
  return { problem: `the event at position ${position} (${type}): ${problem}`, event }
}

function jsonOf(report: Report, trusted: TrustedFiles) {
  const { history, manifest, checkpoint, compared, problems, exitCode } = report
  const scope = history === null ? null : { ...history.header.scope }
  const isComplete = history !== null && problems.length === 0
  // A witness that only the manifest names need not have cosigned.
  const witnesses = report.cosigned.filter(({ isGiven, result }) => isGiven || result !== 'missing')
  return {
    events: history?.events.length ?? 0,
    not_sealed: history?.footer.not_sealed ?? 0,
    scope,
    tree_size: checkpoint?.size ?? 0,
    signed_by: checkpoint?.signedBy ?? null,
    complete: isComplete,
    notice: scope !== null && isComplete ? partNotice(scope, true) : null,
    held: {
      checkpoints: trusted.checkpoints.length,
      ...compared,
      broken: trusted.broken,
    },
    ok: exitCode === 0,
    problems: problems.length,
    findings: problems.slice(0, findingsMax).map(({ problem, event }) => ({
      position: event?.position ?? null,
      type: event?.type ?? null,
      shipment_id: event?.shipment_id ?? null,
      recorded_at: event?.recorded_at ?? null,
      problem,
    })),
    bundle: {
      shipment_id: scope?.shipment_id ?? null,
      made_at: manifest?.time ?? null,
      files: manifest?.hashes.size ?? 0,
      personal: personalOf(report),
    },
    ...(witnesses.length === 0
      ? {}
      : {
          witnesses: witnesses.map(({ name, id, result, at }) => ({
            name,
            key_id: id,
            result,
            events: at === null ? 0 : (checkpoint?.size ?? 0),
            cosigned_at: at,
          })),
        }),
  }
}

function personalOf({ personal }: Report) {
  if (personal === null) return null
  const { matching, bodies, uncommitted, erased, missing } = personal
  return { matching, bodies, without_commitment: uncommitted, erased, missing: [...missing] }
}
