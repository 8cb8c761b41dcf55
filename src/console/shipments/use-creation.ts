import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useDraft } from '../forms/use-draft.ts'
import { useSession } from '../session.tsx'
import {
  forgetOrder,
  rememberOrder,
  sameOrder,
  type UnansweredOrder,
  useUnansweredOrders,
} from './unanswered-orders.ts'

/** An order that was sent and whose outcome is not known yet. */
type Sent = {
  readonly key: string
  readonly request: Schemas['ShipmentRequest']
  /** An answer was lost, so that it may have been created. */
  readonly isLost: boolean
  /** The key is that of an order whose answer another tab or visit did not get. */
  readonly isAgain: boolean
}

type Ends = {
  /** The outcome is known or someone must follow it: the form starts anew. */
  readonly onEnd: () => void
  readonly onCreated: (shipmentId: string) => void
  /** The courier's answer was lost: someone must follow the operation. */
  readonly onUnknown: (operationId: string | null, shipmentId: string | null) => void
  /** The order had been sent before under this key, with other data. */
  readonly onEarlier: (shipmentId: string) => void
}

/**
 * Creates one shipment. The order and its key are kept until the outcome is known, and until then
 * nothing else can be sent, so that neither a double click nor a retry creates a second guide. The
 * key outlives the tab, and an order with the same reference gets it again.
 */
export function useCreation({ onEnd, onCreated, onUnknown, onEarlier }: Ends) {
  // Without its own retries: the answer to each request counts.
  const { client, single, key: apiKey } = useSession()
  const queries = useQueryClient()
  const [sent, setSent, forgetSent] = useDraft<Sent | null>('new-shipment-sent', null)
  // The state of a mutation is known only after the next render, and a second click may be faster.
  const isSending = useRef(false)
  const isShown = useShownNow()
  const [ownKeys] = useState(() => new Set<string>())
  const unanswered = useUnansweredOrders((key) => key === sent?.key || ownKeys.has(key))
  const end = async ({ key }: Sent, then: () => void) => {
    forgetOrder(key)
    forgetSent()
    onEnd()
    await queries.invalidateQueries({ queryKey: ['shipments'] })
    if (isShown.current) then()
  }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ key, request }: Sent) =>
      single.shipments.create(request, { idempotencyKey: key }),
    onSuccess: ({ id }, now) => end(now, () => onCreated(id)),
    onError: async (failure, now) => {
      const { reason, operationId, shipmentId } = problemOf(failure)
      if (reason === 'unknown_outcome') return end(now, () => onUnknown(operationId, shipmentId))
      if (reason === 'idempotency_key_reused') {
        const earlier = await shipmentOfKey(client, now).catch(() => null)
        if (earlier !== null) return end(now, () => onEarlier(earlier))
      }
      isSending.current = false
      if (!isKnown(failure, now)) return setSent({ ...now, isLost: true })
      // What is refused before the key is used says nothing about an earlier order.
      if (!now.isAgain || usedKey.includes(reason)) unanswered.drop(now.key)
      return setSent(null)
    },
    gcTime: 0,
  })
  return {
    isPending,
    error,
    /** The outcome is not known: only the same order may be sent again. */
    isOpen: sent !== null,
    /** The orders of other tabs and visits. */
    unanswered,
    /** An earlier order that has the same reference; its key is used again. */
    earlier: (workspaceId: string, reference: string) =>
      sameOrder(unanswered.seen, workspaceId, reference),
    /** After the user has changed something. */
    forgetRefusal() {
      if (error !== null) reset()
    },
    submit(request: Sent['request'] | null) {
      const now = sent ?? (request && newOrder(request, unanswered.seen))
      if (isSending.current || now === null) return
      isSending.current = true
      if (!now.isAgain) {
        ownKeys.add(now.key)
        rememberOrder(unansweredOf(now, apiKey))
      }
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

/** The order was recorded under the key, and no guide can follow. */
const usedKey: readonly unknown[] = ['courier_rejected', 'nothing_created']

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

function newOrder(request: Sent['request'], seen: readonly UnansweredOrder[]): Sent {
  const earlier = sameOrder(seen, request.workspace_id, request.external_reference)
  const key = earlier?.key ?? `console-${crypto.randomUUID()}`
  return { key, request, isLost: false, isAgain: earlier !== null }
}

function unansweredOf({ key, request }: Sent, by: Schemas['ApiKey']) {
  const { organization_id: organizationId, livemode } = by
  const { workspace_id: workspaceId, external_reference: reference } = request
  return { key, organizationId, livemode, workspaceId, reference }
}

async function shipmentOfKey({ shipments }: Client, { key, request }: Sent) {
  const { data } = await shipments.list({
    workspace_id: request.workspace_id,
    idempotency_key: key,
  })
  return data[0]?.id ?? null
}
