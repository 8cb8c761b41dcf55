import { accessSync, constants, statSync } from 'node:fs'
import { rfc3339 } from '../domain/decider.ts'
import type { Finding } from '../ledger/findings.ts'
import { readVerifier } from '../ledger/signed-note.ts'
import { type Verified, verifyLedger } from '../ledger/verify.ts'
import { type VerifiedFile, verifyFile } from '../ledger/verify-file.ts'
import {
  type Call,
  type Command,
  counted,
  printed,
  type Said,
  Undecided,
  UsageError,
} from './command.ts'
import { isPart, notSealedNotice, partNotice } from './export-words.ts'
import { fileProgress, progress, progressFlag, progressWriter } from './progress.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Checks the whole ledger, or an exported file alone, against the signed checkpoints.',
  flags: {
    file: {
      value: 'FILE',
      description: 'An exported file. Needs no database and none of our keys.',
    },
    key: {
      value: 'KEY',
      description: 'With --file: the public key that you trust, as shown by `GET /v1/ledger/keys`.',
    },
    ...progressFlag,
  },
  examples: ['verify', 'verify --json', 'verify --file audit.ndjson'],
  run: async (call) => {
    const file = call.flags.get('file')
    const key = call.flags.get('key')
    if (file === undefined && key !== undefined) throw new UsageError('--key is for --file.')
    return file === undefined ? await ofLedger(call) : await ofFile(call, file, key)
  },
}

async function ofLedger(call: Call): Promise<Said> {
  const { readModels, store, seal } = await call.open()
  const write = progressWriter(call)
  const told = progress({ what: 'verify', head: await store.head(), write })
  const verified = await verifyLedger({ db: readModels, store, ...seal }, told)
  const { outside, events, unsealed, checkpoints } = verified
  const hasFolder = seal.checkpointDir !== null
  const vouches = outside.checkpoints > 0 && outside.unreadable === null
  const exit = exitFor(verified, vouches)
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
      ...problemsOf(verified, exit),
    },
    text: [
      `${counted(events, 'event')}. Valid checkpoints: ${checkpoints - outside.checkpoints} in the database, ${outside.checkpoints} from outside it.`,
      ...(outside.signedAt === null ? [] : [reachOf(verified, outside.signedAt)]),
      ...(unsealed === 0
        ? []
        : [`No valid checkpoint covers the last ${counted(unsealed, 'event')} yet.`]),
      ...(vouches ? [] : [cannotVouch(verified, hasFolder)]),
      verdict(verified, exit),
    ].join('\n'),
    exit,
  }
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

async function ofFile(call: Call, file: string, key: string | undefined): Promise<Said> {
  const known = key === undefined ? null : readVerifier(key)
  if (key !== undefined && known === null) {
    throw new UsageError('--key must be a key as shown by GET /v1/ledger/keys: name+id+base64.')
  }
  const path = call.pathOf(file)
  const told = fileProgress({
    what: 'verify',
    bytes: readableBytes(path, file),
    write: progressWriter(call),
  })
  const verified = await verifyFile(path, known, told)
  const { events, notSealed, scope, treeSize, signedBy } = verified
  const isPartial = scope !== null && isPart(scope)
  const exit = exitFor(verified, signedBy !== null)
  return {
    json: {
      events,
      not_sealed: notSealed,
      scope,
      tree_size: treeSize,
      signed_by: signedBy,
      notice: isPartial ? partNotice : null,
      ...problemsOf(verified, exit),
    },
    text: [
      `${counted(events, 'event')} of a ledger of ${treeSize}.`,
      ...(notSealed === 0 ? [] : [notSealedNotice(notSealed)]),
      ...(isPartial ? [partNotice] : []),
      ...(signedBy === null && verified.problems === 0 ? [withoutCheckpoint] : []),
      verdict(verified, exit),
      ...(known === null && signedBy !== null
        ? [`Signed with the key ${signedBy}. Compare it with the one you know.`]
        : []),
    ].join('\n'),
    exit,
  }
}

const withoutCheckpoint =
  'The file has no checkpoint, because nothing was sealed yet when it was written. It proves nothing.'

function readableBytes(path: string, name: string): number {
  try {
    accessSync(path, constants.R_OK)
    const found = statSync(path)
    if (found.isDirectory()) throw new Error('a folder')
    return found.size
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
