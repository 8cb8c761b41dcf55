import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Answered, Shipment } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { notify } from '../parts/notify.ts'
import { useActReason } from './act-reason.tsx'

type Act = {
  /** Names the attempt, whose idempotency key outlives the dialog. */
  readonly name: string
  /** What the note says before the reason. */
  readonly asked: string
  readonly send: (idempotencyKey: string) => Promise<Answered<Shipment>>
  /** What the user is told once it is done. */
  readonly done: string
  /** Forgets what the action has changed beside the shipment itself. */
  readonly forget: () => void
  readonly onClose: () => void
}

/** Records the reason for an action on a shipment, acts once, and shows the changed shipment. */
export function useShipmentAct(shipment: Shipment, act: Act) {
  const queries = useQueryClient()
  const { id, external_reference: reference } = shipment
  const reason = useActReason(shipment)
  const sending = useSendOnce({
    attemptName: act.name,
    send: async (idempotencyKey) => {
      await reason.record(act.asked)
      return await act.send(idempotencyKey)
    },
    onSent: (changed) => {
      act.forget()
      queries.setQueryData(['shipment', id], changed)
      notify(reference, act.done)
      act.onClose()
    },
  })
  const { error } = sending
  // After an error, the dialog shows the shipment's current state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each error
  useEffect(() => {
    if (error !== null) void queries.refetchQueries({ queryKey: ['shipment', id], exact: true })
  }, [error])
  return { reason, sending }
}
