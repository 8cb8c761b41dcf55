import { createHash } from 'node:crypto'
import { type Signer, signatureOver, type TreeHead, type Verifier } from '../signed-note.ts'
import { witnessText } from '../witnesses/cosignature.ts'

export type BundleFile = { readonly name: string; readonly content: Buffer }

type ManifestOf = {
  readonly shipmentId: string
  readonly head: Pick<TreeHead, 'origin' | 'size' | 'root'>
  readonly files: readonly BundleFile[]
  readonly witnesses: readonly Verifier[]
  readonly madeAt: Date
}

/**
 * `manifest.txt`: a signed note about the files of a bundle. Its first line differs from that of
 * checkpoints and of statements about streams, so none can be used as another.
 */
export function signedManifest(
  { shipmentId, head, files, witnesses, madeAt }: ManifestOf,
  signer: Signer,
): string {
  const fileLines = files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => `file ${sha256(content)} ${name}`)
  const lines = [
    `${head.origin}/evidence`,
    `shipment ${shipmentId}`,
    `checkpoint ${head.size} ${head.root.toString('base64')}`,
    ...fileLines,
    ...witnesses.map((witness) => `witness ${witnessText(witness)}`).toSorted(),
    `time ${madeAt.toISOString()}`,
  ]
  const text = lines.map((line) => `${line}\n`).join('')
  return `${text}\n${signatureOver(text, signer)}`
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}
