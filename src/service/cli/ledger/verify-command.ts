import { accessSync, constants, statSync } from 'node:fs'
import { rfc3339 } from '../../domain/decider.ts'
import type { TrustedOfLost } from '../../ledger/check/check-gaps.ts'
import type { Finding } from '../../ledger/findings.ts'
import { readVerifier, type Verifier } from '../../ledger/signed-note.ts'
import type { TrustedCheckpoint } from '../../ledger/trusted-checkpoints.ts'
import { type Verified, verifyLedger } from '../../ledger/verify.ts'
import { type VerifiedFile, verifyFile } from '../../ledger/verify-file.ts'
import { type VerifiedVault, verifyVault } from '../../ledger/verify-vault.ts'
import { checkStored } from '../../ledger/witnesses/check-witnesses.ts'
import type { Gap } from '../../processes/recovery/damages.ts'
import {
  type Call,
  type Command,
  type CommandResult,
  counted,
  printed,
  Undecided,
  UsageError,
} from '../command.ts'
import { fileProgress, progress, progressFlag, progressWriter } from '../progress.ts'
import { bundleVerdict, isBundle } from './bundle-verdict.ts'
import { isPart, notSealedNotice, partNotice } from './export-messages.ts'
import {
  checkpointFlag,
  readConsistency,
  readTrusted,
  type TrustedFiles,
  trustedNotices,
} from './trusted-files.ts'
import { vaultJson, vaultLines } from './vault-messages.ts'
import { checkFileWitnesses, readWitnesses, withWitnesses, witnessFlag } from './witness-flag.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Checks the whole ledger, or an exported file alone, against the signed checkpoints.',
  flags: {
    file: {
      value: 'FILE',
      description:
        'An exported file, or a bundle of evidence: its ZIP, or the folder where it was unpacked. Needs no database and no secret.',
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
        'Also checks that the vault has the content that the events commit to. Not with --file.',
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
      throw new UsageError('--key needs --file or --checkpoint.')
    }
    if (call.lists.has('consistency') && (file === undefined || !call.lists.has('checkpoint'))) {
      throw new UsageError('--consistency needs --file and --checkpoint.')
    }
    if (call.flags.has('vault') && file !== undefined) {
      throw new UsageError('--vault cannot be used with --file.')
    }
    const trusted = readTrusted(call)
    const witnesses = readWitnesses(call)
    if (file === undefined) {
      const result = await ofLedger(call, trusted, key)
      return withWitnesses(result, await checkStored((await call.open()).db, witnesses))
    }
    return await ofFile({ call, file, trusted, known: key, witnesses })
  },
}

function keyOf(text: string | undefined): Verifier | null {
  if (text === undefined) return null
  const key = readVerifier(text)
  if (key !== null) return key
  throw new UsageError('--key must be a key as shown by GET /v1/ledger/keys: name+id+base64.')
}

async function ofLedger(
  call: Call,
  trusted: TrustedFiles,
  heldKey: Verifier | null,
): Promise<CommandResult> {
  const { db, store, vault, checkpointDir, checkpointKeys, isContiguous } = await call.open()
  const write = progressWriter(call)
  const head = await store.head()
  const told = progress({ what: 'verify', head, write })
  const ledger = await verifyLedger(
    {
      db,
      store,
      isContiguous,
      checkpointKey: checkpointKeys.current,
      checkpointKeyPrevious: checkpointKeys.previous,
      checkpointDir,
      held: trusted.checkpoints,
      heldKey,
    },
    told,
  )
  const kept = call.flags.has('vault')
    ? await verifyVault({ store, vault, db }, progress({ what: 'verify --vault', head, write }))
    : null
  const verified = withVault(ledger, kept)
  const { outside, events, unsealed, checkpoints } = verified
  const hasFolder = checkpointDir !== null
  const isCompared = verified.heldOfLost.every(({ isContinued }) => isContinued !== null)
  const isEndProven = outside.checkpoints > 0 && outside.unreadable === null
  const exit = exitFor(verified, isEndProven && isCompared && trusted.damaged.length === 0)
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
        checkpoints: trusted.checkpoints.length,
        confirmed: verified.held.length,
        of_lost_events: verified.heldOfLost.length,
        broken: trusted.broken,
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
      `${counted(events, 'event')}. Valid checkpoints: ${checkpoints - outside.checkpoints} in the database, ${outside.checkpoints} outside it.`,
      ...(outside.signedAt === null ? [] : [reachOf(verified, outside.signedAt)]),
      ...verified.gaps.map(gapLine),
      ...trustedLines(trusted, verified.held.length, 'this ledger'),
      ...verified.heldOfLost.map(lostLine),
      ...(unsealed === 0
        ? []
        : [`No valid checkpoint covers the last ${counted(unsealed, 'event')} yet.`]),
      ...vaultLines(kept),
      ...(isEndProven ? [] : [unprovenEnd(verified, hasFolder)]),
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

function lostLine({ checkpoint, provenSize, isContinued }: TrustedOfLost): string {
  const { file, head } = checkpoint
  const named = `The checkpoint that you hold in ${file} (${counted(head.size, 'event')}) covers events that were lost.`
  if (isContinued === null) {
    return `${named} Their seals were lost too, so it cannot be compared.`
  }
  return isContinued ? `${named} The first ${provenSize} of them are unchanged.` : named
}

/** Adds the problems of the vault. */
function withVault(ledger: Verified, vault: VerifiedVault | null): Verified {
  if (vault === null) return ledger
  return {
    ...ledger,
    findings: [...ledger.findings, ...vault.findings],
    problems: ledger.problems + vault.problems,
  }
}

function trustedLines(trusted: TrustedFiles, confirmed: number, what: string): readonly string[] {
  const count = trusted.checkpoints.length
  if (count === 0) return []
  const are = confirmed === 1 ? 'is' : 'are'
  return [
    `Of ${counted(count, 'checkpoint')} that you hold, ${confirmed} ${are} part of the history of ${what}.`,
    ...trustedNotices(trusted),
  ]
}

function reachOf({ outside, events }: Verified, signedAt: number): string {
  const rest = events - outside.events
  const are = rest === 1 ? 'is' : 'are'
  const after = rest > 0 ? `; the last ${counted(rest, 'event')} ${are} not covered by them` : ''
  return `The checkpoints outside the database cover the first ${counted(outside.events, 'event')} (signed ${rfc3339(signedAt)})${after}.`
}

function unprovenEnd({ outside, checkpoints }: Verified, hasFolder: boolean): string {
  const { unreadable } = outside
  const why =
    unreadable !== null
      ? `not all checkpoints in CHECKPOINT_DIR could be read (${unreadable})`
      : checkpoints === 0
        ? 'there is no valid checkpoint in the database or outside it (the first one is signed a second or two after the first event)'
        : hasFolder
          ? 'CHECKPOINT_DIR has no valid checkpoint of this ledger'
          : 'CHECKPOINT_DIR is not set to the folder where the service keeps its checkpoints'
  return `The end of the ledger cannot be verified: ${why}. Without a checkpoint from outside the database, the last events could have been removed together with their seals and checkpoints.`
}

type FileCheck = {
  readonly call: Call
  readonly file: string
  readonly trusted: TrustedFiles
  readonly known: Verifier | null
  readonly witnesses: readonly Verifier[]
}

/** Verifies an exported file or a bundle of evidence. */
async function ofFile({
  call,
  file,
  trusted,
  known,
  witnesses,
}: FileCheck): Promise<CommandResult> {
  const path = call.pathOf(file)
  const bytes = readableBytes(path, file)
  if (await isBundle(path)) return await bundleVerdict(call, file, trusted)
  const given = { held: trusted.checkpoints, consistency: readConsistency(call) }
  const told = fileProgress({ what: 'verify', bytes, write: progressWriter(call) })
  const verified = await verifyFile(path, known, { ...given, progress: told })
  const checks = await checkFileWitnesses(path, witnesses)
  return withWitnesses(resultOf(verified, trusted, known), checks)
}

function resultOf(
  verified: VerifiedFile,
  trusted: TrustedFiles,
  known: Verifier | null,
): CommandResult {
  const { events, notSealed, scope, treeSize, signedBy, isStated, isComplete } = verified
  const { confirmed, undecided } = verified.held
  // The header is not signed, so anyone can remove the statement from a file.
  const isProved = isStated || scope === null || !isPart(scope)
  const exit = exitFor(
    verified,
    isProved && signedBy !== null && undecided.length === 0 && trusted.damaged.length === 0,
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
        checkpoints: trusted.checkpoints.length,
        confirmed: confirmed.length,
        undecided: undecided.length,
        broken: trusted.broken,
      },
      ...problemsOf(verified, exit),
    },
    text: [
      `${counted(events, 'event')} of a ledger of ${treeSize}.`,
      ...(notSealed === 0 ? [] : [notSealedNotice(notSealed)]),
      ...(notice === null ? [] : [notice]),
      ...trustedLines(trusted, confirmed.length, 'this file'),
      ...(signedBy === null && verified.problems === 0 ? [withoutCheckpoint] : []),
      ...(signedBy === null ? [] : undecidedLines(undecided, treeSize)),
      verdict(verified, exit),
      ...(known === null && signedBy !== null
        ? [`Signed with the key ${signedBy}. Compare it with the key that you know.`]
        : []),
    ].join('\n'),
    exit,
  }
}

function noticeOf({ scope, isStated, isComplete }: VerifiedFile): string | null {
  if (scope === null || !isPart(scope)) return null
  return isStated && !isComplete ? null : partNotice(scope, isStated)
}

/** Checkpoints without a proof that are listed. A proof for one of them is usually enough. */
const undecidedMax = 3

function undecidedLines(
  undecided: readonly TrustedCheckpoint[],
  treeSize: number,
): readonly string[] {
  const lines = undecided.slice(-undecidedMax).map(({ file, head }) => {
    const [from, to] = head.size < treeSize ? [head.size, treeSize] : [treeSize, head.size]
    const otherwise =
      head.size < treeSize ? ', or ask for a file made with "export --checkpoint"' : ''
    return `It cannot be decided whether the file continues the checkpoint you hold in ${file} (${counted(head.size, 'event')}, signed ${rfc3339(head.signedAt)}): get GET /v1/ledger/consistency?from=${from}&to=${to} and pass its answer with --consistency${otherwise}.`
  })
  const rest = undecided.length - lines.length
  return rest > 0 ? [...lines, `The same applies to ${rest} more.`] : lines
}

const withoutCheckpoint =
  'The file has no checkpoint, because nothing had been sealed when it was written. It proves nothing.'

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

function exitFor({ problems }: Result, isProven: boolean): Ended {
  if (problems > 0) return 'found'
  return isProven ? 'fine' : 'undecided'
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
