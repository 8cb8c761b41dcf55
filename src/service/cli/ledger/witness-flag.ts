import type { JsonObject } from '../../domain/decider.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { headerSchema } from '../../ledger/export-format.ts'
import { linesOf, parsedLine } from '../../ledger/export-lines.ts'
import type { Verifier } from '../../ledger/signed-note.ts'
import { checkCosigned, type WitnessCheck } from '../../ledger/witnesses/check-witnesses.ts'
import { readWitness } from '../../ledger/witnesses/cosignature.ts'
import { type Call, counted, type Said, UsageError } from '../command.ts'

/** `verify --witness`: the checkpoint must bear a cosignature of each of these keys. */
export const witnessFlag = {
  witness: {
    value: 'KEY',
    isList: true,
    description:
      'The key of a witness that must have cosigned, as the witness shows it: one flag for each.',
  },
} as const

export function readWitnesses(call: Call): readonly Verifier[] {
  return (call.lists.get('witness') ?? []).map((text) => {
    const witness = readWitness(text)
    if (witness !== null) return witness
    throw new UsageError('--witness must be a key as the witness shows it: name+id+base64.')
  })
}

/** What the witnesses vouch for in an exported file, whose other checks are made elsewhere. */
export async function checkFileWitnesses(
  path: string,
  witnesses: readonly Verifier[],
): Promise<readonly WitnessCheck[]> {
  if (witnesses.length === 0) return []
  const lines = linesOf(path)
  const header = parsedLine(headerSchema, (await lines.next()).value ?? null)
  await lines.return()
  return checkCosigned(header?.checkpoint ?? null, witnesses)
}

/** Adds to the answer of `verify` what the witnesses vouch for. */
export function withWitnesses(said: Said, checks: readonly WitnessCheck[]): Said {
  if (checks.length === 0) return said
  const exit = checks.some(({ result }) => result === 'invalid')
    ? 'found'
    : checks.some(({ result }) => result === 'missing') && (said.exit ?? 'fine') === 'fine'
      ? 'undecided'
      : (said.exit ?? 'fine')
  const json: JsonObject = {
    ...said.json,
    ok: exit === 'fine',
    witnesses: checks.map(({ name, keyId, result, events, at }) => ({
      name,
      key_id: keyId,
      result,
      events,
      cosigned_at: at === null ? null : rfc3339(at),
    })),
  }
  return { json, text: [said.text, ...checks.map(sentenceOf)].join('\n'), exit }
}

function sentenceOf({ name, result, events, at }: WitnessCheck): string {
  if (result === 'missing') return `The witness ${name} has not cosigned the checkpoint.`
  if (result === 'invalid') {
    return `The cosignature in the name of the witness ${name} is not valid for the checkpoint.`
  }
  const when = at === null ? '' : ` at ${rfc3339(at)}`
  return `The witness ${name} has cosigned the first ${counted(events, 'event')}${when}.`
}
