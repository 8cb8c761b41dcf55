import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signerOf, verifierText } from '../../../src/service/ledger/signed-note.ts'
import { witnessText } from '../../../src/service/ledger/witnesses/cosignature.ts'
import { type Files, zipOf } from './bundle-files.ts'
import { goldenFile, goldenKeys, goldenNames } from './golden.ts'
import type { Asked, Verdict } from './run-verifiers.ts'
import { singleChecks, type Write } from './single-checks.ts'
import { allTampers, whole } from './tampers.ts'
import { zipTampers } from './zip-tampers.ts'

/** Inputs for verifiers based on golden bundles, by name, with the correct exit code. */
export type Questions = ReadonlyMap<string, readonly [Asked, 0 | 1 | 2 | 64]>

/** The answers that differ from the correct ones, in the order of the questions. */
export function differing(
  questions: Questions,
  verdicts: readonly (Verdict | undefined)[],
): readonly string[] {
  return [...questions].flatMap(([name, [, expected]], index) => {
    const { exitCode, text } = verdicts[index] ?? { exitCode: null, text: '' }
    return exitCode === expected ? [] : [`${name}: ${exitCode}, not ${expected}: ${text}`]
  })
}

const keys = goldenKeys()
const held = goldenFile('held.json')
const consistency = goldenFile('consistency.json')

/** Writes files into a folder under unique names. */
export function writer(folder: string): Write {
  let written = 0
  return (content) => {
    written++
    const path = join(folder, String(written))
    writeFileSync(path, content)
    return path
  }
}

/** Writes the files of the questions into a folder. */
export function questionsIn(folder: string): Questions {
  const write = writer(folder)
  return new Map([
    ...golden(),
    ...tampered(write),
    ...aboutBundles(write, folder),
    ...aboutZips(write),
    ...aboutCheckpoints(write),
    ...aboutProofs(write),
    ...aboutSingleChecks(write),
  ])
}

function golden(): Questions {
  const options = { key: keys.ledger, witness: keys.witness, checkpoint: held, consistency }
  return new Map(
    goldenNames.flatMap((name) => {
      const bundle = goldenFile(`${name}.zip`)
      return [
        [name, [{ bundle }, 0]],
        [`${name}, with all options`, [{ bundle, options }, 0]],
      ] as const
    }),
  )
}

function tampered(write: Write): Questions {
  return new Map(
    [...allTampers()].map(([name, { files, exitCode }]) => [
      name,
      [{ bundle: write(zipOf(files)) }, exitCode],
    ]),
  )
}

/** An unpacked bundle. */
function unpacked(folder: string, files: Files): string {
  const path = mkdtempSync(join(folder, 'unpacked-'))
  for (const [name, content] of files) writeFileSync(join(path, name), content)
  return path
}

function aboutBundles(write: Write, folder: string): Questions {
  const bundle = goldenFile('decided.zip')
  const zip = zipOf(whole())
  const more = whole().set('paid.txt', Buffer.from('paid'))
  const [first = ['', Buffer.alloc(0)]] = whole()
  const damaged = Buffer.from(zip)
  // In the middle of the compressed content of the first entry.
  const at = 30 + first[0].length + 10
  damaged[at] = (damaged[at] ?? 0) ^ 0xff
  const witness = witnessText(signerOf('other.example/w', randomBytes(32)))
  const left = allTampers().get('signed again by the service: the cosignature removed')
  const uncosigned = {
    bundle: write(zipOf(left?.files ?? [])),
    options: { witness: keys.witness },
  }
  const key = verifierText(signerOf('shipping-ledger/another', randomBytes(32)))
  return new Map([
    ['a ZIP whose end was cut off', [{ bundle: write(zip.subarray(0, -200)) }, 2]],
    ['a ZIP with a name twice', [{ bundle: write(zipOf([...whole(), first])) }, 2]],
    ['a folder', [{ bundle: unpacked(folder, whole()) }, 0]],
    ['a folder with a file too many', [{ bundle: unpacked(folder, more) }, 1]],
    ['a ZIP with a damaged entry', [{ bundle: write(damaged) }, 2]],
    ['no file', [{ bundle: goldenFile('none.zip') }, 2]],
    ['a word that is no key', [{ bundle, options: { key: 'shipping-ledger/x+1+2' } }, 64]],
    ['a key of another ledger', [{ bundle, options: { key } }, 1]],
    ['a witness that did not cosign', [{ bundle, options: { witness } }, 2]],
    ['a witness whose cosignature was left out', [uncosigned, 2]],
  ])
}

function aboutZips(write: Write): Questions {
  return new Map(
    [...zipTampers(whole())].map(([what, content]) => [what, [{ bundle: write(content) }, 2]]),
  )
}

function aboutCheckpoints(write: Write): Questions {
  const bundle = goldenFile('decided.zip')
  const note = String(whole().get('checkpoint.txt'))
  const { name } = keys.ledgerSigner
  const holding = (content: string) => ({ bundle, options: { checkpoint: write(content) } })
  return new Map([
    ['a checkpoint without a proof', [{ bundle, options: { checkpoint: held } }, 2]],
    ['a checkpoint of the same size', [holding(note), 0]],
    ['the same with lines that end as in Windows', [holding(note.replaceAll('\n', '\r\n')), 0]],
    ['a checkpoint that was cut off', [holding(`${note}\n${note.slice(0, 60)}`), 2]],
    ['a checkpoint after another with empty lines', [holding(`${note}\n\n\n${note}\n\n`), 0]],
    [
      'a checkpoint after the beginning of another',
      [holding(`${note.slice(0, 60)}\n\n${note}`), 0],
    ],
    [
      'a checkpoint after one that is malformed',
      [holding(`${note.replace(/\n\d+\n/, '\nx\n')}\n${note}`), 2],
    ],
    ['a checkpoint of another ledger', [holding(note.replaceAll(name, 'another')), 1]],
    ['a checkpoint that was made up', [holding(note.replace('time 2', 'time 3')), 1]],
    ['a text that is no checkpoint', [holding('nothing\n'), 2]],
  ])
}

function inCapitals(answer: { hashes: string[] }): void {
  answer.hashes = answer.hashes.map((hash) => hash.toUpperCase())
}

function aboutProofs(write: Write): Questions {
  const bundle = goldenFile('decided.zip')
  const proving = (change: (answer: { from_size: number; hashes: string[] }) => void) => {
    const answer = JSON.parse(readFileSync(consistency, 'utf8'))
    change(answer)
    const proof = write(JSON.stringify(answer))
    return { bundle, options: { checkpoint: held, consistency: proof } }
  }
  return new Map([
    ['a proof without a checkpoint', [{ bundle, options: { consistency } }, 64]],
    ['a proof for other sizes', [proving((answer) => void answer.from_size++), 2]],
    [
      'a proof with another hash',
      [proving(({ hashes }) => void hashes.splice(0, 1, 'ab'.repeat(32))), 1],
    ],
    ['a proof in capitals', [proving(inCapitals), 2]],
    [
      'a proof with a hash too many',
      [proving(({ hashes }) => void hashes.push('ab'.repeat(32))), 1],
    ],
  ])
}

function aboutSingleChecks(write: Write): Questions {
  const questions = new Map<string, readonly [Asked, 0 | 1 | 2]>()
  for (const [check, { refuses, accepts = {}, exitCode }] of singleChecks(write)) {
    for (const [name, one] of Object.entries(refuses))
      questions.set(`${check}: ${name}`, [one, exitCode])
    for (const [name, one] of Object.entries(accepts)) questions.set(`${check}: ${name}`, [one, 0])
  }
  return questions
}
