import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from '../../../src/service/ledger/evidence/bundle-files.ts'
import { type Signer, signerOf } from '../../../src/service/ledger/signed-note.ts'
import type { Files } from './bundle-files.ts'

/* The bundles of evidence in test/ledger/golden; make-golden.ts makes them. */

export const goldenFolder = join(import.meta.dirname, '..', 'golden')
/** A shipment whose guide was issued, one that a person decided, and one whose person was erased. */
export const goldenNames = ['issued', 'decided', 'erased'] as const
export type GoldenName = (typeof goldenNames)[number]

export const goldenFile = (name: string) => join(goldenFolder, name)

export function goldenFiles(name: GoldenName): Files {
  const files: Files = new Map()
  for (const [file, content] of filesIn(readFileSync(goldenFile(`${name}.zip`)))) {
    if (content === null) throw new Error(`${file} of the golden bundle is damaged`)
    files.set(file, content)
  }
  return files
}

type GoldenKeys = {
  /** As text, for --key and --witness. */
  readonly ledger: string
  readonly witness: string
  readonly ledgerSigner: Signer
  readonly witnessSigner: Signer
}

export function goldenKeys(): GoldenKeys {
  const keys = JSON.parse(readFileSync(goldenFile('keys.json'), 'utf8'))
  const signer = (text: string, seed: string) =>
    signerOf(text.split('+')[0] ?? '', Buffer.from(seed, 'hex'))
  return {
    ledger: keys.ledger,
    witness: keys.witness,
    ledgerSigner: signer(keys.ledger, keys.ledger_seed),
    witnessSigner: signer(keys.witness, keys.witness_seed),
  }
}
