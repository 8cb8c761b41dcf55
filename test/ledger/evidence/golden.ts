import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { type Signer, signerOf } from '../../../src/service/ledger/signed-note.ts'
import type { Files } from './bundle-files.ts'

/* The evidence bundles in test/ledger/golden, which make-golden.ts creates. */

export const goldenFolder = join(import.meta.dirname, '..', 'golden')
/** A shipment whose guide was issued, one decided by a person, and one whose person was erased. */
export const goldenNames = ['issued', 'decided', 'erased'] as const
export type GoldenName = (typeof goldenNames)[number]

export const goldenFile = (name: string) => join(goldenFolder, name)

export function goldenFiles(name: GoldenName): Files {
  const files = Object.entries(unzipSync(readFileSync(goldenFile(`${name}.zip`))))
  return new Map(files.map(([file, content]) => [file, Buffer.from(content)]))
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
