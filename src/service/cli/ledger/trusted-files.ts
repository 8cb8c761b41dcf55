import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { parsedLine } from '../../ledger/export-lines.ts'
import {
  type Consistency,
  type TrustedCheckpoint,
  trustedIn,
} from '../../ledger/trusted-checkpoints.ts'
import { type Call, counted, type Flag, Undecided } from '../command.ts'

/* Files that auditors hold: checkpoints, and proofs between them. */

export const checkpointFlag: Flag = {
  value: 'FILE',
  isList: true,
  description:
    'Signed checkpoints that you hold, of any age: one, many, or the answer of `GET /v1/ledger/checkpoint`.',
}

/** A service writes less than 30 MB of checkpoints a day. */
const fileBytesMax = 512 * 1024 * 1024

export type TrustedFiles = {
  readonly files: number
  readonly checkpoints: readonly TrustedCheckpoint[]
  /** Parts of the files that are not checkpoints. */
  readonly broken: number
  /** Files with damage that a crash of the service does not cause. */
  readonly damaged: readonly string[]
}

/** Throws Undecided for a file that cannot be read or has no checkpoint. */
export function readTrusted(call: Pick<Call, 'lists' | 'pathOf'>): TrustedFiles {
  const names = call.lists.get('checkpoint') ?? []
  const checkpoints: TrustedCheckpoint[] = []
  const damaged: string[] = []
  let broken = 0
  for (const name of names) {
    const trusted = trustedIn(name, textOf(call, name))
    if (trusted.checkpoints.length === 0) throw new Undecided(`${name} has no signed checkpoint.`)
    for (const one of trusted.checkpoints) checkpoints.push(one)
    broken += trusted.broken
    if (trusted.isDamaged) damaged.push(name)
  }
  return { files: names.length, checkpoints, broken, damaged }
}

const size = z.int().min(1)
const consistencySchema = z.object({
  from_size: size,
  to_size: size,
  hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
})

/** Reads answers of `GET /v1/ledger/consistency`. Throws Undecided for any other file. */
export function readConsistency(call: Pick<Call, 'lists' | 'pathOf'>): readonly Consistency[] {
  return (call.lists.get('consistency') ?? []).map((name) => {
    const answer = parsedLine(consistencySchema, textOf(call, name).replace(/^\uFEFF/, ''))
    if (answer === null) {
      throw new Undecided(`${name} is not an answer of GET /v1/ledger/consistency.`)
    }
    const { from_size: from, to_size: to, hashes } = answer
    const proof = hashes.map((hash) => Buffer.from(hash, 'hex'))
    return { from, to, proof, where: `the proof in ${name}` }
  })
}

function textOf({ pathOf }: Pick<Call, 'pathOf'>, name: string): string {
  try {
    const path = pathOf(name)
    if (statSync(path).size > fileBytesMax) throw new Error('too large')
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Undecided(`${name} cannot be read.`, { cause: error })
  }
}

/** Sentences about the files themselves. */
export function trustedNotices({ broken, damaged }: TrustedFiles): readonly string[] {
  if (broken === 0) return []
  const are = broken === 1 ? 'is' : 'are'
  return [
    `${counted(broken, 'part')} of these files ${are} not a complete checkpoint.`,
    ...damaged.map(
      (name) => `${name} was cut off or damaged, so its other checkpoints cannot be checked.`,
    ),
  ]
}
