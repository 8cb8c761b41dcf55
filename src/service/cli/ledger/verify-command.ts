import { accessSync, constants, statSync } from 'node:fs'
import { rfc3339 } from '../../domain/decider.ts'
import type { HeldOfLost } from '../../ledger/check/check-gaps.ts'
import { verifyBundle } from '../../ledger/evidence/verify-bundle.ts'
import type { Finding } from '../../ledger/findings.ts'
import type { HeldCheckpoint } from '../../ledger/held-checkpoints.ts'
import { readVerifier, type Verifier } from '../../ledger/signed-note.ts'
import { type Verified, verifyLedger } from '../../ledger/verify.ts'
import { type VerifiedFile, verifyFile } from '../../ledger/verify-file.ts'
import { type VerifiedVault, verifyVault } from '../../ledger/verify-vault.ts'
import { checkStored } from '../../ledger/witnesses/check-witnesses.ts'
import type { Gap } from '../../processes/recovery/damages.ts'
import {
  type Call,
  type Command,
  counted,
  printed,
  type Said,
  Undecided,
  UsageError,
} from '../command.ts'
import { fileProgress, progress, progressFlag, progressWriter } from '../progress.ts'
import { bundleAt, withBundle } from './bundle-words.ts'
import { isPart, notSealedNotice, partNotice } from './export-words.ts'
import { checkpointFlag, type Held, heldNotices, readConsistency, readHeld } from './held-files.ts'
import { vaultJson, vaultLines } from './vault-words.ts'
import { checkFileWitnesses, readWitnesses, withWitnesses, witnessFlag } from './witness-flag.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Checks the whole ledger, or an exported file alone, against the signed checkpoints.',
  flags: {
    file: {
      value: 'FILE',
      description:
        'An exported file, or a bundle of evidence: its ZIP, or the folder where it was unpacked. Needs no database and none of our keys.',
    },
    checkpoint: checkpointFlag,
    consistency: {
      value: 'FILE',
      isList: true,
      description:
        'With --file and --checkpoint: an answer of `GET /v1/ledger/consistency` between the two.',
    },
    key: {
      value: 'KEY',
      description:
        'With --file or --checkpoint: the public key that you trust, as shown by `GET /v1/ledger/keys`.',
    },
    vault: {
      description:
        'Also checks that the vault holds what the events left there, unchanged. Not with --file.',
    },
    ...witnessFlag,
    ...progressFlag,
  },
  examples: [
    'verify',
    'verify --json',
    'verify --vault',
    'verify --checkpoint held.txt',
    'verify --file audit.ndjson --checkpoint held.txt',
    'verify --file audit.ndjson --witness KEY',
    'verify --file evidence.zip --key KEY',
  ],
  run: async (call) => {
    const file = call.flags.get('file')
    const key = keyOf(call.flags.get('key'))
    if (file === undefined && key !== null && !call.lists.has('checkpoint')) {
      throw new UsageError('--key is for --file or --checkpoint.')
    }
    if (call.lists.has('consistency') && (file === undefined || !call.lists.has('checkpoint'))) {
      throw new UsageError('--consistency is for --file with --checkpoint.')
    }
    if (call.flags.has('vault') && file !== undefined) {
      throw new UsageError('--vault is for the ledger itself, not for --file.')
    }
    const held = readHeld(call)
    const witnesses = readWitnesses(call)
    if (file === undefined) {
      const said = await ofLedger(call, held, key)
      return withWitnesses(said, await checkStored((await call.open()).readModels, witnesses))
    }
    return await ofFile({ call, file, held, known: key, witnesses })
  },
}

function keyOf(text: string | undefined): Verifier | null {
  if (text === undefined) return null
  const key = readVerifier(text)
  if (key !== null) return key
  throw new UsageError('--key must be a key as shown by GET /v1/ledger/keys: name+id+base64.')
}

async function ofLedger(call: Call, held: Held, heldKey: Verifier | null): Promise<Said> {
  const { readModels, store, seal, vault } = await call.open()
  const write = progressWriter(call)
  const head = await store.head()
  const told = progress({ what: 'verify', head, write })
  const deps = { db: readModels, store, ...seal, held: held.checkpoints, heldKey }
  const ledger = await verifyLedger(deps, told)
  const kept = call.flags.has('vault')
    ? await verifyVault(
        { store, vault, db: readModels },
        progress({ what: 'verify --vault', head, write }),
      )
    : null
  const verified = withVault(ledger, kept)
  const { outside, events, unsealed, checkpoints } = verified
  const hasFolder = seal.checkpointDir !== null
  const isCompared = verified.heldOfLost.every(({ isContinued }) => isContinued !== null)
  const vouches = outside.checkpoints > 0 && outside.unreadable === null
  const exit = exitFor(verified, vouches && isCompared && held.damaged.length === 0)
  return {
    json: {
      events,
      unsealed,
      checkpoints,
      checkpoint_dir_checked: hasFolder,
      outside: {
        checkpoints: outside.checkpoints,
        events: outside.events,
        signed_at: outside.signedAt === null ? null : rfc3339(outside.signedAt),
        unreadable: outside.unreadable,
      },
      held: {
        checkpoints: held.checkpoints.length,
        confirmed: verified.held.length,
        of_lost_events: verified.heldOfLost.length,
        broken: held.broken,
      },
      gaps: verified.gaps.map(({ damageId, provenSize, lostSize, recoveredAt }) => ({
        damage_id: damageId,
        proven_size: provenSize,
        lost_size: lostSize,
        recovered_at: rfc3339(recoveredAt),
      })),
      vault: vaultJson(kept),
      ...problemsOf(verified, exit),
    },
    text: [
      `${counted(events, 'event')}. Valid checkpoints: ${checkpoints - outside.checkpoints} in the database, ${outside.checkpoints} from outside it.`,
      ...(outside.signedAt === null ? [] : [reachOf(verified, outside.signedAt)]),
      ...verified.gaps.map(gapLine),
      ...heldLines(held, verified.held.length, 'this ledger'),
      ...verified.heldOfLost.map(lostLine),
      ...(unsealed === 0
        ? []
        : [`No valid checkpoint covers the last ${counted(unsealed, 'event')} yet.`]),
      ...vaultLines(kept),
      ...(vouches ? [] : [cannotVouch(verified, hasFolder)]),
      verdict(verified, exit),
    ].join('\n'),
    exit,
  }
}

function gapLine({ provenSize, lostSize, recoveredAt }: Gap): string {
  const lost =
    lostSize === null
      ? 'what was recorded after them was lost'
      : `those after them, up to ${lostSize}, were lost`
  return `Gap: the ledger was recovered on ${rfc3339(recoveredAt)} with ${counted(provenSize, 'event')} that a checkpoint proved; ${lost}.`
}

function lostLine({ checkpoint, provenSize, isContinued }: HeldOfLost): string {
  const { file, head } = checkpoint
  const named = `The checkpoint that you hold in ${file} (${counted(head.size, 'event')}) covers events that were lost.`
  if (isContinued === null) {
    return `${named} Their seals were lost too, so it cannot be compared.`
  }
  return isContinued ? `${named} The first ${provenSize} of them are unchanged.` : named
}

/** The problems of both. */
function withVault(ledger: Verified, vault: VerifiedVault | null): Verified {
  if (vault === null) return ledger
  return {
    ...ledger,
    findings: [...ledger.findings, ...vault.findings],
    problems: ledger.problems + vault.problems,
  }
}

function heldLines(held: Held, confirmed: number, what: string): readonly string[] {
  const count = held.checkpoints.length
  if (count === 0) return []
  const are = confirmed === 1 ? 'is' : 'are'
  return [
    `Of ${counted(count, 'checkpoint')} that you hold, ${confirmed} ${are} of the history of ${what}.`,
    ...heldNotices(held),
  ]
}

function reachOf({ outside, events }: Verified, signedAt: number): string {
  const rest = events - outside.events
  const are = rest === 1 ? 'is' : 'are'
  const after = rest > 0 ? `; the last ${counted(rest, 'event')} ${are} not covered by them` : ''
  return `The checkpoints from outside cover the first ${counted(outside.events, 'event')} (signed ${rfc3339(signedAt)})${after}.`
}

function cannotVouch({ outside, checkpoints }: Verified, hasFolder: boolean): string {
  const { unreadable } = outside
  const why =
    unreadable !== null
      ? `not all checkpoints in CHECKPOINT_DIR could be read (${unreadable})`
      : checkpoints === 0
        ? 'there is no valid checkpoint, neither in the database nor outside it (the first is signed a second or two after the first event)'
        : hasFolder
          ? 'CHECKPOINT_DIR holds no valid checkpoint of this ledger'
          : 'CHECKPOINT_DIR is not set to the folder where the service keeps its checkpoints'
  return `This cannot vouch for the end of the ledger: ${why}. Without one from outside, the last events could have been removed from the database together with their seals and checkpoints.`
}

type FileCheck = {
  readonly call: Call
  readonly file: string
  readonly held: Held
  readonly known: Verifier | null
  readonly witnesses: readonly Verifier[]
}

/** Of an exported file, or of a bundle of evidence. */
async function ofFile({ call, file, held, known, witnesses }: FileCheck): Promise<Said> {
  const path = call.pathOf(file)
  const bytes = readableBytes(path, file)
  const given = { held: held.checkpoints, consistency: readConsistency(call) }
  const bundle = await bundleAt(path, file)
  if (bundle !== null) {
    const verified = await verifyBundle(bundle, known, { ...given, witnesses })
    const said = withBundle(saidOf(verified, held, known), verified)
    const { witnesses: asked, namedWitnesses } = verified
    // One that only the service names need not have cosigned.
    const named = namedWitnesses.filter(({ result }) => result !== 'missing')
    return withWitnesses(said, [...asked, ...named])
  }
  const told = fileProgress({ what: 'verify', bytes, write: progressWriter(call) })
  const verified = await verifyFile(path, known, { ...given, progress: told })
  const checks = await checkFileWitnesses(path, witnesses)
  return withWitnesses(saidOf(verified, held, known), checks)
}

function saidOf(verified: VerifiedFile, held: Held, known: Verifier | null): Said {
  const { events, notSealed, scope, treeSize, signedBy, isStated, isComplete } = verified
  const { confirmed, undecided } = verified.held
  // The header is not signed, so anyone can turn a file with a statement into one without.
  const isProved = isStated || scope === null || !isPart(scope)
  const exit = exitFor(
    verified,
    isProved && signedBy !== null && undecided.length === 0 && held.damaged.length === 0,
  )
  const notice = noticeOf(verified)
  return {
    json: {
      events,
      not_sealed: notSealed,
      scope,
      tree_size: treeSize,
      signed_by: signedBy,
      complete: isComplete,
      notice,
      held: {
        checkpoints: held.checkpoints.length,
        confirmed: confirmed.length,
        undecided: undecided.length,
        broken: held.broken,
      },
      ...problemsOf(verified, exit),
    },
    text: [
      `${counted(events, 'event')} of a ledger of ${treeSize}.`,
      ...(notSealed === 0 ? [] : [notSealedNotice(notSealed)]),
      ...(notice === null ? [] : [notice]),
      ...heldLines(held, confirmed.length, 'this file'),
      ...(signedBy === null && verified.problems === 0 ? [withoutCheckpoint] : []),
      ...(signedBy === null ? [] : undecidedLines(undecided, treeSize)),
      verdict(verified, exit),
      ...(known === null && signedBy !== null
        ? [`Signed with the key ${signedBy}. Compare it with the one you know.`]
        : []),
    ].join('\n'),
    exit,
  }
}

function noticeOf({ scope, isStated, isComplete }: VerifiedFile): string | null {
  if (scope === null || !isPart(scope)) return null
  return isStated && !isComplete ? null : partNotice(scope, isStated)
}

/** Held checkpoints that are named when a proof is missing; one of them is mostly enough. */
const undecidedMax = 3

function undecidedLines(undecided: readonly HeldCheckpoint[], treeSize: number): readonly string[] {
  const lines = undecided.slice(-undecidedMax).map(({ file, head }) => {
    const [from, to] = head.size < treeSize ? [head.size, treeSize] : [treeSize, head.size]
    const otherwise =
      head.size < treeSize ? ', or ask for a file made with "export --checkpoint"' : ''
    return `It cannot be decided whether the file continues the checkpoint you hold in ${file} (${counted(head.size, 'event')}, signed ${rfc3339(head.signedAt)}): get GET /v1/ledger/consistency?from=${from}&to=${to} and pass its answer with --consistency${otherwise}.`
  })
  const rest = undecided.length - lines.length
  return rest > 0 ? [...lines, `The same holds for ${rest} more.`] : lines
}

const withoutCheckpoint =
  'The file has no checkpoint, because nothing was sealed yet when it was written. It proves nothing.'

function readableBytes(path: string, name: string): number {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).size
  } catch (error) {
    throw new Undecided(`${name} cannot be read.`, { cause: error })
  }
}

type Result = Verified | VerifiedFile
type Ended = 'fine' | 'found' | 'undecided'

function exitFor({ problems }: Result, vouches: boolean): Ended {
  if (problems > 0) return 'found'
  return vouches ? 'fine' : 'undecided'
}

function problemsOf({ findings, problems }: Result, exit: Ended) {
  return { ok: exit === 'fine', problems, findings: findings.map((one) => ({ ...one })) }
}

function verdict({ findings, problems }: Result, exit: Ended): string {
  if (problems === 0) {
    return exit === 'fine' ? 'Nothing is wrong.' : 'No problem was found in what could be checked.'
  }
  const lines = findings.map((one) => `- ${whereOf(one)}${printed(one.problem)}.`)
  const rest = problems - findings.length
  const more = rest > 0 ? [`… and ${rest} more`] : []
  return [`${counted(problems, 'problem')}:`, ...lines, ...more].join('\n')
}

function whereOf({ position, type, shipment_id: shipment, recorded_at: at }: Finding): string {
  if (position === null) return ''
  const known = [type, shipment, at === null ? null : `recorded ${at}`]
  const names = known.filter((name) => name !== null)
  return `position ${position}${names.length === 0 ? '' : ` (${printed(names.join(', '))})`}: `
}
