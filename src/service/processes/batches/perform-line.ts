import { statusOf } from '../../domain/shipment/shipment.ts'
import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import type { ErrorEntry } from '../../error-kinds.ts'
import { errorTable, Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import { refusalOf } from '../calls/creation-refusal.ts'
import { createShipment } from '../calls/shipment-creation.ts'
import type { ProcessServices } from '../process-services.ts'
import type { Line, LineEnd, PostponedLine } from './connection-queues.ts'
import { foundShipment, orderHasGuide, sealRefusal } from './refusals.ts'

/** Tries of a line whose refusal may be temporary, such as a courier that does not answer. */
const triesMax = 6
/** The wait after the first try, doubled each time: a minute in total. */
const firstWaitMs = 2_000
const waitMsMax = 30_000
/** While a dependency is unavailable, lines wait without using up tries. */
const awayWaitMs = 5_000

export type LineDeps = Parameters<typeof createShipment>[0] & {
  /** The problem with which the API would answer this error. */
  readonly problemOf: (error: unknown) => Problem
} & Pick<ProcessServices, 'tracing'>

/** Creates the shipment of a line exactly as `POST /v1/shipments` does. Never throws. */
export async function performLine(deps: LineDeps, line: Line): Promise<LineEnd | PostponedLine> {
  const { tracing } = deps
  if (tracing === undefined) return await createdLine(deps, line)
  const { organizationId, requestId, livemode } = line
  const [continues] = await tracing.contextsOf([{ organizationId, requestId }])
  const attributes = {
    'shipping.organization.id': organizationId,
    'shipping.livemode': livemode,
    'shipping.request.id': requestId,
  }
  const work = { attributes, ...(continues === undefined ? {} : { continues }) }
  return await tracing.traced('batch line', work, () => createdLine(deps, line))
}

async function createdLine(deps: LineDeps, line: Line): Promise<LineEnd | PostponedLine> {
  const { orderTakenBy } = line
  if (orderTakenBy !== null) return ended(line, orderHasGuide(foundShipment(orderTakenBy)), null)
  try {
    const answer = await createShipment(deps, {
      organizationId: line.organizationId,
      livemode: line.livemode,
      actor: line.actor,
      requestId: line.requestId,
      idempotencyKey: line.idempotencyKey,
      body: line.body as unknown as ShipmentPayload,
      scenario: line.scenario,
    })
    const refusal = await refusalOf(deps, answer)
    if (refusal !== null && mayTryAgain(refusal, line)) return later(refusal, line)
    return ended(line, refusal, statusOf(existing(answer.snapshot)))
  } catch (error) {
    const problem = asOfLine(deps.problemOf(error))
    if (isAway(problem)) return { ...placeOf(line), waitMs: awayWaitMs, counts: false }
    return mayTryAgain(problem, line) ? later(problem, line) : ended(line, problem, null)
  }
}

/**
 * The usual advice, to use a new key, would ship the order twice if only its data was corrected.
 */
function asOfLine(problem: Problem): Problem {
  if (problem.reason !== 'idempotency_key_reused') return problem
  const detail =
    'This line was sent before with other data, and its shipment is as it was sent then. Nothing was created now. Restore the line to find the shipment. To ship the order with the new data, cancel that shipment first, and then give the line a new idempotency_key.'
  return new Problem(problem.reason, { ...problem.options, detail })
}

function placeOf({ batchId, line }: Line) {
  return { batchId, line }
}

function isAway({ reason }: Problem): boolean {
  return (
    reason === 'dependency_unavailable' || reason === 'overloaded' || reason === 'ledger_damaged'
  )
}

function entryOf({ reason }: Problem): ErrorEntry {
  return errorTable[reason]
}

function mayTryAgain(problem: Problem, { tries }: Line): boolean {
  if (tries + 1 >= triesMax) return false
  // An internal error may be gone the next time; the key makes the retry safe.
  if (problem.reason === 'internal_error') return true
  return problem.options.retryable ?? entryOf(problem).retryable
}

function later({ options }: Problem, line: Line): PostponedLine {
  const doubledMs = Math.min(firstWaitMs * 2 ** line.tries, waitMsMax)
  const askedMs = (options.retryAfterSeconds ?? 0) * 1_000
  return { ...placeOf(line), waitMs: Math.max(doubledMs, askedMs), counts: true }
}

function ended(line: Line, problem: Problem | null, status: string | null): LineEnd {
  const state = status === null ? 'failed' : 'answered'
  if (problem === null) return { ...placeOf(line), state, status, reason: null, refusal: null }
  const { external_reference: reference } = line.body as { readonly external_reference?: string }
  return {
    ...placeOf(line),
    state,
    status,
    ...sealRefusal(line.sealer, line.line, problem, reference),
  }
}
