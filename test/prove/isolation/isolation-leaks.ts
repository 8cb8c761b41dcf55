import { searchForCanaries } from '../../support/canaries.ts'
import type { WebhookTexts } from './isolation-rows.ts'
import type { Violation } from './isolation-run.ts'
import { canariesOf } from './isolation-verdict.ts'
import { nobody, type Reach, type World } from './isolation-worlds.ts'

/** A workspace's webhooks contain nothing of another workspace, whichever caller caused them. */
export function webhookLeaks(
  { name, own, victims }: Reach,
  texts: WebhookTexts,
): readonly Violation[] {
  const isSilent = own !== nobody && (texts[own.workspace] ?? '') === ''
  const silence = isSilent ? [{ ask: `${name}: webhooks`, what: 'nothing to search' }] : []
  const leaks = victims.flatMap((world) =>
    Object.entries(texts)
      .filter(([workspace]) => workspace !== world.workspace)
      .flatMap(([, text]) => secretsOf(world).filter((canary) => text.includes(canary))),
  )
  return [...silence, ...leaks.map((one) => ({ ask: `${name}: webhooks`, what: `tell ${one}` }))]
}

/** Callers also send the victims' request ids, which the webhooks about their own acts then have. */
function secretsOf(world: World): readonly string[] {
  return canariesOf(world).filter((canary) => canary !== world.request)
}

/**
 * Each request has logged a line, and no line contains a victim's data or an API key in any
 * encoding. Requested ids and the request id that was sent are allowed.
 */
export function logLeaks(
  all: readonly Reach[],
  requests: number,
  lines: readonly string[],
): readonly Violation[] {
  const served = lines.filter((line) => line.includes('"msg":"request served"')).length
  const missing =
    served === requests ? [] : [{ ask: 'log', what: `${served} lines of ${requests} requests` }]
  const kept = all.flatMap(({ victims, apiKey }) => [...victims.flatMap(rowsHold), apiKey])
  const canaries = Object.fromEntries([...new Set(kept)].map((text) => [text, text]))
  const seen = searchForCanaries([], canaries, { log: lines.join('\n') })
  return [
    ...missing,
    ...seen.map(({ canary, form }) => ({ ask: 'log', what: `tells ${canary} ${form}` })),
  ]
}

function rowsHold({ reference, key, guide, person, secrets }: World): readonly string[] {
  return [reference, key, guide, person, ...secrets]
}
