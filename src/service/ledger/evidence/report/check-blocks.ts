import { type Block, type Fact, heading, paragraph } from '../../../processes/documents/report.ts'
import { type TreeHead, type Verifier, verifierText } from '../../signed-note.ts'
import type { VerifiedFile } from '../../verify-file.ts'
import type { WitnessCheck } from '../../witnesses/check-witnesses.ts'
import { witnessText } from '../../witnesses/cosignature.ts'
import { counted } from './event-labels.ts'
import type { Times } from './times.ts'

/** The result of checking the history before the bundle was made. */
export type Checked = {
  readonly file: Pick<VerifiedFile, 'events' | 'problems' | 'findings' | 'isComplete'>
  readonly head: TreeHead
  readonly signedWith: Verifier
  readonly witnesses: readonly Verifier[]
  readonly cosigned: readonly WitnessCheck[]
  /** Counts of the vault entries in the bundle; null if none were requested. */
  readonly vault: {
    readonly items: number
    readonly altered: number
    readonly missing: number
    readonly erased: number
  } | null
}

export function checkBlocks(checked: Checked, times: Times): readonly Block[] {
  const { file, head, signedWith, witnesses, cosigned, vault } = checked
  const facts: Fact[] = [
    ['Verdict', verdictOf(file)],
    ['Events checked', String(file.events)],
    ['Tree of the ledger', `${counted(head.size, 'event')}, root ${head.root.toString('hex')}`],
    ['Signed', bothTimes(times, head.signedAt)],
    ['Key of the ledger', verifierText(signedWith)],
    ...cosigned.map(
      (check, at): Fact => [
        `Witness ${check.name}`,
        [
          witnessWords(check, times),
          witnesses[at] === undefined ? '' : witnessText(witnesses[at]),
        ].join('\n'),
      ],
    ),
    ...(cosigned.length === 0 ? [noWitness] : []),
    ...(vault === null ? [] : [vaultFact(vault)]),
  ]
  return [
    heading('The check'),
    paragraph(
      'The service checked the history in this bundle (history.ndjson) before it made this report.',
    ),
    { kind: 'facts', rows: facts },
    ...file.findings.map(({ problem }) => paragraph(`Problem: ${problem}.`)),
  ]
}

const noWitness: Fact = ['Witnesses', 'This ledger has no witnesses.']

function verdictOf({ problems, isComplete }: Checked['file']): string {
  if (problems > 0) return `${counted(problems, 'problem')}. Do not rely on this history.`
  return isComplete
    ? 'Nothing is wrong: every event is in the signed tree, unchanged, in its place, and none of this shipment is missing.'
    : 'No problem was found, but there is no statement that the history is complete.'
}

function vaultFact({ items, altered, missing, erased }: NonNullable<Checked['vault']>): Fact {
  const found = `${items} ${items === 1 ? 'entry' : 'entries'} of the vault in this bundle`
  const gone = erased === 0 ? '' : ` ${erased} were erased.`
  return [
    'Personal data',
    altered + missing === 0
      ? `${found}, each as the events committed to it.${gone}`
      : `${found}. PROBLEMS: ${altered} altered, and ${missing} missing that no erasure explains.${gone}`,
  ]
}

function witnessWords({ result, at }: WitnessCheck, times: Times): string {
  if (result === 'valid' && at !== null) return `cosigned ${bothTimes(times, at)}`
  return result === 'invalid' ? 'INVALID cosignature' : 'has not cosigned this checkpoint'
}

export function bothTimes(times: Times, at: number): string {
  return times.zone === 'UTC' ? times.utc(at) : `${times.local(at)} (${times.utc(at)})`
}

/** What the bundle proves. README.md of the bundle lists the same. */
export const proves: readonly string[] = [
  'Each event is in the signed ledger at its place and has not changed since the checkpoint was signed.',
  'No event before the last one shown is missing from the history of this shipment.',
  'The service states under its signature that the history has no further event at that checkpoint.',
  'A cosigned checkpoint cannot be replaced by another history of the same length without contradicting the witness.',
]

export const doesNotProve: readonly string[] = [
  'That the service recorded the truth. It recorded what it did, what it sent and what it received, at once and in order.',
  'That everyone was shown the same ledger, unless a witness has cosigned or you compare with a checkpoint that you kept.',
  "The text of this report, which is the service's own account. Rely on the events.",
]

export function meaningBlocks(): readonly Block[] {
  return [
    heading('What this proves, and what it does not'),
    { kind: 'list', items: proves.map((text) => `Proved: ${text}`) },
    { kind: 'list', items: doesNotProve.map((text) => `Not proved: ${text}`) },
  ]
}

export function repeatBlocks(key: string): readonly Block[] {
  return [
    heading('How to repeat the check'),
    paragraph(
      'Unpack the bundle and run this in its folder. It needs Node 18 or later, no network and no account. Get the key of the ledger another way than from this bundle, such as from GET /v1/ledger/keys, and compare it or pass it.',
    ),
    { kind: 'code', lines: ['node verify.mjs', `node verify.mjs --key ${key}`] },
    paragraph(
      'README.md in the bundle names other ways to check it. All files are listed with their digests in manifest.txt, which the ledger signed.',
    ),
  ]
}
