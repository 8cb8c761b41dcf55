import type { Recorded } from '../decider.ts'
import type { Exchange } from '../event-fields.ts'
import { isOpen } from '../operation/machine.ts'
import { type Operation, operationResultOf } from '../operation/operation.ts'
import { isOperationEvent, type OperationEvent, roleOfEvent } from '../operation/transitions.ts'
import { operationOf, type Shipment, type State } from '../shipment/shipment.ts'
import type { ShipmentEvent } from '../shipment/shipment-events.ts'
import { bucketOf, conclusionBoundsSeconds, latencyBoundsMs } from './histogram.ts'

/** The outcome of a call to create a guide, when its answer arrived or was given up. */
export const creationOutcomes = {
  GuideIssued: 'created',
  GuideRejected: 'rejected',
  GuideNotSent: 'not_executed',
  GuideOutcomeUnknown: 'unknown_outcome',
} as const

/** A shipment's event, and the shipment before and after it. */
type Happened = {
  readonly before: State
  readonly event: Recorded<ShipmentEvent>
  readonly after: Shipment
}

/**
 * The counters that an event increments, as dotted names:
 *
 * - `creation.<outcome>`: a call to create a guide ended
 * - `operation.unknown`, `operation.needs_review`, `operation.contradicted`: an operation got this state
 * - `concluded.<result>` and `took.<by>.<bucket>`: it was concluded, by whom, and how long after its
 *   outcome became unknown or was contradicted
 * - `call.<call>.<failure or ok>` and `latency.<call>.<bucket>`: a request to the courier
 *
 * Names are stored: to change the meaning of a name, give the read model a new version.
 */
export function countsOf({ before, event, after }: Happened): readonly string[] {
  if (!isOperationEvent(event)) return []
  const { exchanges = [] } = event.data as { readonly exchanges?: readonly Exchange[] }
  return [
    ...outcomeOf(event),
    ...operationCounts(before, event, after),
    ...exchanges.flatMap(callOf),
  ]
}

function outcomeOf({ type }: OperationEvent): readonly string[] {
  return type in creationOutcomes
    ? [`creation.${creationOutcomes[type as keyof typeof creationOutcomes]}`]
    : []
}

function operationCounts(
  before: State,
  event: Recorded<OperationEvent>,
  after: Shipment,
): readonly string[] {
  switch (roleOfEvent[event.type]) {
    case 'outcome_unknown':
      return ['operation.unknown']
    case 'review_required':
      return ['operation.needs_review']
    case 'contradicted':
      return ['operation.contradicted']
    case 'found':
    case 'not_found':
    case 'resolved': {
      const id = event.data.operation_id
      const [earlier, now] = [before && operationOf(before, id), operationOf(after, id)]
      if (earlier === null || now === null || !isOpen(earlier)) return []
      return concluded(earlier, now, event.recordedAt)
    }
    default:
      return []
  }
}

function concluded(earlier: Operation, now: Operation, at: number): readonly string[] {
  // A contradiction is the last thing that ended the operation before a person closes it.
  const openSince = (earlier.contradicted ? earlier.endedAt : earlier.unknownAt) ?? at
  const seconds = Math.max(0, at - openSince) / 1_000
  const by = now.resolution?.by ?? 'reconciliation'
  return [
    `concluded.${operationResultOf(now)}`,
    `took.${by}.${bucketOf(conclusionBoundsSeconds, seconds)}`,
  ]
}

function callOf({ call, failure, latency_ms: latencyMs }: Exchange): readonly string[] {
  return [
    `call.${call}.${failure ?? 'ok'}`,
    `latency.${call}.${bucketOf(latencyBoundsMs, latencyMs)}`,
  ]
}
