import type { Cancellation } from '../operation/cancellation.ts'
import type { Creation } from '../operation/creation.ts'
import { isDone, isOpen } from '../operation/machine.ts'
import type { Operation } from '../operation/operation.ts'

/** The requests that a shipment made to its courier, each once. */
export type Asked = {
  readonly attempts: readonly Creation[]
  readonly cancellations: readonly Cancellation[]
}

/**
 * The attempt that represents the shipment: an open one, else one with a guide (an earlier,
 * contradicted attempt may have it), else the last. Null between a stream's first two events.
 */
export function latestAttempt(asked: Asked): Creation | null {
  const open = asked.attempts.find(isOpen)
  return open ?? asked.attempts.findLast(isDone) ?? asked.attempts.at(-1) ?? null
}

export function attemptOf(asked: Asked, operationId: string): Creation | null {
  return asked.attempts.find((attempt) => attempt.operationId === operationId) ?? null
}

/** Every request made to the courier once, ordered by kind. */
export function operationsOf(asked: Asked): readonly Operation[] {
  return [...asked.attempts, ...asked.cancellations]
}

/** Operations that may still have work due: a denied try has none once its guide is cancelled. */
export function owingOperations(asked: Asked): readonly Operation[] {
  const isMoot = (each: Cancellation) =>
    each.status === 'denied' && othersOf(asked, each).some(isDone)
  return [...asked.attempts, ...asked.cancellations.filter((each) => !isMoot(each))]
}

export function operationOf(asked: Asked, operationId: string): Operation | null {
  return operationsOf(asked).find((each) => each.operationId === operationId) ?? null
}

/** The ordinal of the stream's next operation; creations and cancellations share them. */
export function nextOrdinal(asked: Asked): number {
  return asked.attempts.length + asked.cancellations.length + 1
}

/** The other tries to cancel the guide of this one. */
export function othersOf(asked: Asked, cancellation: Cancellation): readonly Cancellation[] {
  const { guideNumber, operationId } = cancellation
  return asked.cancellations.filter(
    (each) => each.guideNumber === guideNumber && each.operationId !== operationId,
  )
}

/** The tries to cancel the guide that the shipment has now. */
export function cancellationsOfGuide(asked: Asked): readonly Cancellation[] {
  const guideNumber = latestAttempt(asked)?.guide?.guideNumber
  return asked.cancellations.filter((each) => each.guideNumber === guideNumber)
}

/** Whether the guide that the shipment has is known to be cancelled. */
export function isCancelled(asked: Asked): boolean {
  return cancellationsOfGuide(asked).some(isDone)
}

/** The open creation: its outcome is unknown or under review. */
function openCreationOf(asked: Asked): Creation | null {
  return asked.attempts.find(isOpen) ?? null
}

/** The open operation, of a creation before one of a cancellation. */
export function openOperationOf(asked: Asked): Operation | null {
  return openCreationOf(asked) ?? asked.cancellations.find(isOpen) ?? null
}
