import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useDraft } from '../forms/use-draft.ts'
import { useSession } from '../session.tsx'

/** An order that was sent and whose outcome is not known yet. */
type Sent = {
  readonly key: string
  readonly request: Schemas['ShipmentRequest']
  /** An answer was lost, so that it may have been created. */
  readonly isLost: boolean
}

type Ends = {
  /** The outcome is known or someone must follow it: the form starts anew. */
  readonly onEnd: () => void
  readonly onCreated: (shipmentId: string) => void
  /** The courier's answer was lost: someone must follow the operation. */
  readonly onUnknown: (operationId: string | null, shipmentId: string | null) => void
}

/**
 * Creates one shipment. The order and its key are kept until the outcome is known, and until then
 * nothing else can be sent, so that neither a double click nor a retry creates a second guide.
 */
export function useCreation({ onEnd, onCreated, onUnknown }: Ends) {
  // Without its own retries: the answer to each request counts.
  const { single } = useSession()
  const queries = useQueryClient()
  const [sent, setSent, forgetSent] = useDraft<Sent | null>('new-shipment-sent', null)
  // The state of a mutation is known only after the next render, and a second click may be faster.
  const isSending = useRef(false)
  const isShown = useShownNow()
  const end = async (then: () => void) => {
    forgetSent()
    onEnd()
    await queries.invalidateQueries({ queryKey: ['shipments'] })
    if (isShown.current) then()
  }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ key, request }: Sent) =>
      single.shipments.create(request, { idempotencyKey: key }),
    onSuccess: ({ id }) => end(() => onCreated(id)),
    onError: (failure, now) => {
      const { reason, operationId, shipmentId } = problemOf(failure)
      if (reason === 'unknown_outcome') return end(() => onUnknown(operationId, shipmentId))
      isSending.current = false
      return setSent(isKnown(failure, now) ? null : { ...now, isLost: true })
    },
    gcTime: 0,
  })
  return {
    isPending,
    error,
    /** The outcome is not known: only the same order may be sent again. */
    isOpen: sent !== null,
    /** After the user has changed something. */
    forgetRefusal() {
      if (error !== null) reset()
    },
    submit(request: Sent['request'] | null) {
      const now = sent ?? (request && { key: newKey(), request, isLost: false })
      if (isSending.current || now === null) return
      isSending.current = true
      setSent(now)
      mutate(now)
    },
  }
}

/** Whether the screen is still open, so that an answer may lead to another one. */
function useShownNow() {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

function problemOf(failure: unknown): Partial<ShippingLedgerError> & {
  readonly operationId: string | null
  readonly shipmentId: string | null
} {
  return failure instanceof ShippingLedgerError ? failure : { operationId: null, shipmentId: null }
}

/** The refusals that are given after the key was looked up. */
const aboutTheOrder: readonly (number | null | undefined)[] = [409, 422]

/**
 * Whether nothing was created for certain. After a lost answer, a request that was turned away, as for
 * its key's scopes, says nothing about the one before it.
 */
function isKnown(failure: unknown, { isLost }: Sent): boolean {
  const { outcome, retryable, status } = problemOf(failure)
  if (outcome !== 'not_executed') return false
  return !isLost || (retryable === false && aboutTheOrder.includes(status))
}

function newKey(): string {
  return `console-${crypto.randomUUID()}`
}
