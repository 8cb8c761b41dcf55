import { z } from 'zod'
import { committed, id, time, vaultRef } from '../event-fields.ts'

// The names and shapes below are stored forever. Change them only by adding a version and an
// upcaster.

/**
 * The events of people's work on an operation, as part of the shipment's events. They say nothing
 * about the request to the courier.
 */
export const workEventSchemas = {
  OperationAssigned: z
    .strictObject({
      operation_id: id,
      operator_id: id.nullable().describe('`null` if the operation has no assignee any more'),
    })
    .describe('A person took the operation, assigned it to another operator or unassigned it.'),
  OperationCommented: z
    .strictObject({
      operation_id: id,
      comment_id: id,
      comment_ref: vaultRef.describe('Reference to the text in the vault'),
      ...committed,
    })
    .describe('A person wrote a comment on the operation.'),
  OperationSnoozed: z
    .strictObject({
      operation_id: id,
      until: time.nullable().describe('`null` if the snooze ended'),
    })
    .describe('A person snoozed the operation, or ended the snooze. Reconciliation continues.'),
} as const

type WorkEventSchemas = typeof workEventSchemas
export type WorkEvent = {
  [T in keyof WorkEventSchemas]: {
    readonly type: T
    readonly data: z.infer<WorkEventSchemas[T]>
  }
}[keyof WorkEventSchemas]

export function isWorkEvent<E extends { readonly type: string }>(
  event: E,
): event is Extract<E, WorkEvent> {
  return Object.hasOwn(workEventSchemas, event.type)
}
