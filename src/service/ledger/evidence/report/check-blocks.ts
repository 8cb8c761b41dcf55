import type { Language } from '../../../domain/language.ts'
import { type Block, type Fact, heading, paragraph } from '../../../processes/documents/report.ts'
import { type TreeHead, type Verifier, verifierText } from '../../signed-note.ts'
import type { VerifiedFile } from '../../verify-file.ts'
import type { WitnessCheck } from '../../witnesses/check-witnesses.ts'
import { witnessText } from '../../witnesses/cosignature.ts'
import { checkTexts } from './check-texts.ts'
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

export function checkBlocks(checked: Checked, times: Times, language: Language): readonly Block[] {
  const { file, head, signedWith, witnesses, cosigned, vault } = checked
  const texts = checkTexts[language]
  const facts: Fact[] = [
    [texts.facts.verdict, verdictOf(file, language)],
    [texts.facts.eventsChecked, String(file.events)],
    [texts.facts.tree, texts.tree(head.size, head.root.toString('hex'))],
    [texts.facts.signed, bothTimes(times, head.signedAt)],
    [texts.facts.key, verifierText(signedWith)],
    ...cosigned.map(
      (check, at): Fact => [
        texts.witness(check.name),
        [
          cosignatureText(check, times, language),
          witnesses[at] === undefined ? '' : witnessText(witnesses[at]),
        ].join('\n'),
      ],
    ),
    ...(cosigned.length === 0 ? [[texts.facts.witnesses, texts.noWitnesses] as const] : []),
    ...(vault === null ? [] : [[texts.facts.personalData, vaultText(vault, language)] as const]),
  ]
  return [
    heading(texts.title),
    paragraph(texts.about),
    { kind: 'facts', rows: facts },
    ...file.findings.map(({ problem }) => paragraph(texts.problem(problem))),
  ]
}

function verdictOf({ problems, isComplete }: Checked['file'], language: Language): string {
  const texts = checkTexts[language]
  if (problems > 0) return texts.problems(problems)
  return isComplete ? texts.nothingWrong : texts.noStatement
}

function vaultText(
  { items, altered, missing, erased }: NonNullable<Checked['vault']>,
  language: Language,
): string {
  const texts = checkTexts[language].vault
  const found =
    altered + missing === 0 ? texts.asCommitted(items) : texts.withProblems(items, altered, missing)
  return erased === 0 ? found : `${found} ${texts.erased(erased)}`
}

function cosignatureText({ result, at }: WitnessCheck, times: Times, language: Language): string {
  const texts = checkTexts[language]
  if (result === 'valid' && at !== null) return texts.cosigned(bothTimes(times, at))
  return result === 'invalid' ? texts.invalidCosignature : texts.notCosigned
}

export function bothTimes(times: Times, at: number): string {
  return times.zone === 'UTC' ? times.utc(at) : `${times.local(at)} (${times.utc(at)})`
}

export function meaningBlocks(language: Language): readonly Block[] {
  const { meaning, proves, proved, doesNotProve, notProved } = checkTexts[language]
  return [
    heading(meaning),
    { kind: 'list', items: proves.map(proved) },
    { kind: 'list', items: doesNotProve.map(notProved) },
  ]
}

export function repeatBlocks(key: string, language: Language): readonly Block[] {
  const { title, how, more } = checkTexts[language].repeat
  return [
    heading(title),
    paragraph(how),
    { kind: 'code', lines: ['node verify.mjs', `node verify.mjs --key ${key}`] },
    paragraph(more),
  ]
}
