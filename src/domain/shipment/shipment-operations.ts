import type { Cancellation } from '../operation/cancellation.ts'
import type { Creation } from '../operation/creation.ts'
import { isCarriedOut, isOpen } from '../operation/machine.ts'
import type { Operation } from '../operation/operation.ts'

/** The requests that a shipment made to its courier, each once. */
export type Operations = {
  readonly attempts: readonly Creation[]
  readonly cancellations: readonly Cancellation[]
}

/**
 * The attempt that represents the shipment: an open one, else one with a guide (an earlier,
 * contradicted attempt may have it), else the last. Null between a stream's first two events.
 */
export function findCurrentAttempt(asked: Operations): Creation | null {
  const open = asked.attempts.find(isOpen)
  return open ?? asked.attempts.findLast(isCarriedOut) ?? asked.attempts.at(-1) ?? null
}

export function attemptOf(asked: Operations, operationId: string): Creation | null {
  return asked.attempts.find((attempt) => attempt.operationId === operationId) ?? null
}

/** Every request made to the courier once, ordered by kind. */
export function operationsOf(asked: Operations): readonly Operation[] {
  return [...asked.attempts, ...asked.cancellations]
}

/** Operations that may still have work due: a denied try has none once its guide is cancelled. */
export function owingOperations(asked: Operations): readonly Operation[] {
  const isMoot = (each: Cancellation) =>
    each.state === 'denied' && othersOf(asked, each).some(isCarriedOut)
  return [...asked.attempts, ...asked.cancellations.filter((each) => !isMoot(each))]
}

export function operationOf(asked: Operations, operationId: string): Operation | null {
  return operationsOf(asked).find((each) => each.operationId === operationId) ?? null
}

/** The ordinal of the stream's next operation; creations and cancellations share them. */
export function nextOrdinal(asked: Operations): number {
  return asked.attempts.length + asked.cancellations.length + 1
}

/** The other tries to cancel the guide of this one. */
export function othersOf(asked: Operations, cancellation: Cancellation): readonly Cancellation[] {
  const { guideNumber, operationId } = cancellation
  return asked.cancellations.filter(
    (each) => each.guideNumber === guideNumber && each.operationId !== operationId,
  )
}

/** The tries to cancel the guide that the shipment has now. */
export function cancellationsOfGuide(asked: Operations): readonly Cancellation[] {
  const guideNumber = findCurrentAttempt(asked)?.guide?.guideNumber
  return asked.cancellations.filter((each) => each.guideNumber === guideNumber)
}

/** Whether the guide that the shipment has is known to be cancelled. */
export function isCancelled(asked: Operations): boolean {
  return cancellationsOfGuide(asked).some(isCarriedOut)
}

/** The open creation: its outcome is unknown or under review. */
function openCreationOf(asked: Operations): Creation | null {
  return asked.attempts.find(isOpen) ?? null
}

/** The open operation, of a creation before one of a cancellation. */
export function openOperationOf(asked: Operations): Operation | null {
  return openCreationOf(asked) ?? asked.cancellations.find(isOpen) ?? null
}
