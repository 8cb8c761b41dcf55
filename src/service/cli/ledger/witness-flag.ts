import type { JsonObject } from '../../domain/decider.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { headerSchema } from '../../ledger/export-format.ts'
import { linesOf, parsedLine } from '../../ledger/export-lines.ts'
import type { Verifier } from '../../ledger/signed-note.ts'
import { checkCosigned, type WitnessCheck } from '../../ledger/witnesses/check-witnesses.ts'
import { readWitness } from '../../ledger/witnesses/cosignature.ts'
import { type Call, type CommandResult, counted, UsageError } from '../command.ts'

/** `verify --witness`: the checkpoint must have a cosignature of each of these keys. */
export const witnessFlag = {
  witness: {
    value: 'KEY',
    isList: true,
    description:
      'The key of a witness that must have cosigned, as shown by the witness. Repeat the flag for each witness.',
  },
} as const

export function readWitnesses(call: Call): readonly Verifier[] {
  return (call.lists.get('witness') ?? []).map((text) => {
    const witness = readWitness(text)
    if (witness !== null) return witness
    throw new UsageError('--witness must be a key as shown by the witness: name+id+base64.')
  })
}

/** Checks the cosignatures of an exported file. */
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

/** Adds the results of the witnesses to the answer of `verify`. */
export function withWitnesses(
  result: CommandResult,
  checks: readonly WitnessCheck[],
): CommandResult {
  if (checks.length === 0) return result
  const exit = checks.some(({ result }) => result === 'invalid')
    ? 'found'
    : checks.some(({ result }) => result === 'missing') && (result.exit ?? 'fine') === 'fine'
      ? 'undecided'
      : (result.exit ?? 'fine')
  const json: JsonObject = {
    ...result.json,
    ok: exit === 'fine',
    witnesses: checks.map(({ name, keyId, result, events, at }) => ({
      name,
      key_id: keyId,
      result,
      events,
      cosigned_at: at === null ? null : rfc3339(at),
    })),
  }
  return { json, text: [result.text, ...checks.map(sentenceOf)].join('\n'), exit }
}

function sentenceOf({ name, result, events, at }: WitnessCheck): string {
  if (result === 'missing') return `The witness ${name} has not cosigned the checkpoint.`
  if (result === 'invalid') {
    return `The cosignature in the name of the witness ${name} is not valid for the checkpoint.`
  }
  const when = at === null ? '' : ` at ${rfc3339(at)}`
  return `The witness ${name} has cosigned the first ${counted(events, 'event')}${when}.`
}
