import { isUtf8 } from 'node:buffer'
import { isSignedBy, isTimestamp, readSignatures, type Verifier } from '../signed-note.ts'
import { readWitness } from '../witnesses/cosignature.ts'

export type Manifest = {
  readonly origin: string
  readonly shipmentId: string
  /** `<size> <root in base64>`. */
  readonly checkpoint: string
  /** SHA-256 in base64, by name. */
  readonly files: ReadonlyMap<string, string>
  readonly witnesses: readonly Verifier[]
  /** RFC 3339. */
  readonly madeAt: string
  isSigned(keys: readonly Verifier[]): boolean
}

const form =
  /^(?<origin>\S+)\/evidence\nshipment (?<shipmentId>shp_\w+)\ncheckpoint (?<checkpoint>[1-9]\d{0,15} [A-Za-z0-9+/]{43}=)\n(?<files>(?:file [A-Za-z0-9+/]{43}= [A-Za-z0-9][\w.-]*\n)+)(?<witnesses>(?:witness \S+\n)*)time (?<madeAt>\S+)\n$/

/** Null if it is not a manifest. Does not check who signed it. */
export function readManifest(content: Buffer): Manifest | null {
  const note = content.toString('utf8')
  const [, text = '', line = ''] = /^(.*\n)\n(— [^\n]+)\n$/s.exec(note) ?? []
  const found = form.exec(text)?.groups
  if (found === undefined || !isUtf8(content) || readSignatures(`${line}\n`) === null) return null
  const { origin = '', shipmentId = '', checkpoint = '', madeAt = '' } = found
  const files = fieldsOf(found.files).map(([, hash = '', name = '']) => [name, hash] as const)
  const witnesses = fieldsOf(found.witnesses).map(([, key = '']) => key)
  const keys = witnesses.flatMap((key) => readWitness(key) ?? [])
  const names = files.map(([name]) => name)
  if (!ascends(names) || names.includes('manifest.txt')) return null
  if (!ascends(witnesses) || keys.length !== witnesses.length) return null
  if (!isTimestamp(madeAt)) return null
  return {
    origin,
    shipmentId,
    checkpoint,
    files: new Map(files),
    witnesses: keys,
    madeAt,
    isSigned: (trusted) =>
      isSignedBy(
        text,
        line,
        trusted.filter(({ name }) => name === origin),
      ),
  }
}

function fieldsOf(lines = ''): readonly (readonly string[])[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
}

function ascends(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || (texts[index - 1] ?? '') < text)
}
