import { i18n } from '@lingui/core'
import { Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Shipment } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { useMay } from '../parts/scopes.tsx'
import { useShipmentEvents } from '../reading/use-shipment-events.ts'
import { useSession } from '../session.tsx'

/** The API's limit of a comment, less the sentence before the reason. */
const reasonMax = 1_900

type ActReason = ReturnType<typeof useActReason>

/**
 * The id of the operation that created the shipment, whose comments outlive an erasure; null if the
 * key may not read the history.
 */
export function useCreationId({ id, version }: Shipment): string | null {
  const events = useShipmentEvents(id, { id, version })
  const requested = events.data?.findLast(({ type }) => type === 'GuideRequested')
  const { operation_id: operationId } = (requested?.data ?? {}) as Record<string, unknown>
  return typeof operationId === 'string' ? operationId : null
}

/**
 * The reason for an action, stored as a comment before the action. A key that may not comment
 * cannot record one.
 */
export function useActReason(shipment: Shipment) {
  const { client } = useSession()
  const creationId = useCreationId(shipment)
  const mayComment = useMay('operations:review')
  const [text, setText] = useState('')
  const recorded = useRef<{ readonly text: string; readonly key: string } | null>(null)
  const isDone = useRef(false)
  return {
    isOffered: mayComment && creationId !== null,
    text,
    setText,
    /** Stores the reason once, also if the action is sent again. */
    async record(before: string): Promise<void> {
      if (!mayComment || creationId === null) return
      const comment = `${before} ${text.trim()}`
      if (recorded.current?.text !== comment) {
        recorded.current = { text: comment, key: `console-${crypto.randomUUID()}` }
        isDone.current = false
      }
      if (isDone.current) return
      const { key: idempotencyKey } = recorded.current
      await client.operations.createComment({ id: creationId, text: comment }, { idempotencyKey })
      isDone.current = true
    },
  }
}

type FieldProps = { readonly reason: ActReason; readonly error: Error | null }

/** The field for the reason, or what is recorded without one. */
export function ReasonField({ reason, error }: FieldProps) {
  if (!reason.isOffered) {
    return (
      <p className="reason">
        {i18n.t(
          'The history records that your key did this, and when. To record a reason too, the key needs the operations:review and ledger:read scopes.',
        )}
      </p>
    )
  }
  return (
    <Textarea
      label={i18n.t('Reason')}
      description={i18n.t(
        'Stored encrypted, as a note on this shipment. It outlives an erasure, so do not write about the person.',
      )}
      required
      withAsterisk={false}
      rows={2}
      maxLength={reasonMax}
      value={reason.text}
      error={errorAt(error, '/text')}
      onChange={({ currentTarget }) => {
        const isEmpty = currentTarget.value !== '' && currentTarget.value.trim() === ''
        currentTarget.setCustomValidity(isEmpty ? i18n.t('Enter a word or a number.') : '')
        reason.setText(currentTarget.value)
      }}
    />
  )
}
