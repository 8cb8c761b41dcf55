import { accessSync, constants, statSync } from 'node:fs'
import { readVerifier } from '../ledger/signed-note.ts'
import { type Verified, verifyLedger } from '../ledger/verify.ts'
import { type VerifiedFile, verifyFile } from '../ledger/verify-file.ts'
import { type Call, type Command, CommandFailed, type Said, UsageError } from './command.ts'
import { progress, progressFlag, progressWriter } from './progress.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Checks the whole ledger, or an exported file alone, against what was signed.',
  flags: {
    file: { value: 'FILE', description: 'An exported file: needs no database and no key of ours.' },
    key: {
      value: 'KEY',
      description: 'With --file: the public key that you trust, as `GET /v1/ledger/keys` tells it.',
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
  const folder = seal.checkpointDir === null ? ', in the database alone' : ''
  return {
    json: {
      events: verified.events,
      unsealed: verified.unsealed,
      checkpoints: verified.checkpoints,
      checkpoint_dir_checked: seal.checkpointDir !== null,
      ...problemsOf(verified),
    },
    text: [
      `${verified.events} events, ${verified.checkpoints} checkpoints${folder}.`,
      ...(verified.unsealed === 0 ? [] : [`Not sealed yet: the last ${verified.unsealed} events.`]),
      verdict(verified),
    ].join('\n'),
    failed: verified.problems > 0,
  }
}

async function ofFile(call: Call, file: string, key: string | undefined): Promise<Said> {
  const known = key === undefined ? null : readVerifier(key)
  if (key !== undefined && known === null) {
    throw new UsageError('--key must be a key as GET /v1/ledger/keys tells it: name+id+base64.')
  }
  const path = call.pathOf(file)
  try {
    accessSync(path, constants.R_OK)
    if (statSync(path).isDirectory()) throw new Error('a folder')
  } catch {
    throw new CommandFailed(`${file} cannot be read.`)
  }
  const verified = await verifyFile(path, known)
  return {
    json: {
      events: verified.events,
      not_sealed: verified.notSealed,
      scope: verified.scope,
      tree_size: verified.treeSize,
      signed_by: verified.signedBy,
      ...problemsOf(verified),
    },
    text: [
      `${verified.events} events of a ledger of ${verified.treeSize}.`,
      ...(verified.notSealed === 0
        ? []
        : [`${verified.notSealed} events were not sealed yet and are not in the file.`]),
      verdict(verified),
      ...(known === null && verified.signedBy !== null
        ? [`Signed with the key ${verified.signedBy}: compare it with the one you know.`]
        : []),
    ].join('\n'),
    failed: verified.problems > 0,
  }
}

function problemsOf({ findings, problems }: Verified | VerifiedFile) {
  return { ok: problems === 0, problems, findings: findings.map((one) => ({ ...one })) }
}

function verdict({ findings, problems }: Verified | VerifiedFile): string {
  if (problems === 0) return 'Nothing is wrong.'
  const lines = findings.map(({ position, problem }) =>
    position === null ? `- ${problem}` : `- position ${position}: ${problem}`,
  )
  const rest = problems - findings.length
  return [`${problems} problems:`, ...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n')
}
