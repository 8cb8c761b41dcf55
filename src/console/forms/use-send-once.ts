import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useSession } from '../session.tsx'

type Request<T> = {
  /**
   * Sends the request. Every attempt gets the same key, which lasts as long as the dialog is open.
   */
  readonly send: (idempotencyKey: string) => Promise<T>
  /** The request counts as pending until this resolves. */
  readonly onSent: (answer: T) => unknown
  /**
   * With a name, the key outlives the dialog until the service has answered for certain, so that
   * opening it again after a lost response continues the same attempt.
   */
  readonly attemptName?: string
}

/**
 * Sends a dialog's request. A double click sends one request, and a retry after a lost response
 * creates nothing twice. Input and response may be secret, so both are forgotten when the dialog
 * closes.
 */
export function useSendOnce<T>({ send, onSent, attemptName }: Request<T>) {
  const attempt = useAttempt(attemptName)
  // The state of a mutation is known only after the next render, and a second click may be faster.
  const isSending = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => send(attempt.begin()),
    onSuccess: (answer) => {
      attempt.end()
      return onSent(answer)
    },
    onError: (failure) => {
      if (isCertain(failure)) attempt.end()
    },
    onSettled: () => {
      isSending.current = false
    },
    gcTime: 0,
  })
  return {
    isPending,
    error,
    /** Clears the error after the user has changed the input. */
    forgetRefusal() {
      if (error !== null) reset()
    },
    submit() {
      if (isSending.current) return
      isSending.current = true
      mutate()
    },
  }
}

/** The idempotency key of an attempt. A named one is kept in the session. */
function useAttempt(name: string | undefined) {
  const { drafts } = useSession()
  const [ownKey] = useState(newKey)
  if (name === undefined) return { begin: () => ownKey, end: () => {} }
  return {
    begin() {
      const key = (drafts.get(name) as string | undefined) ?? newKey()
      drafts.set(name, key)
      return key
    },
    end: () => void drafts.delete(name),
  }
}

function newKey(): string {
  return `console-${crypto.randomUUID()}`
}

/** Nothing was executed, and repeating the same request cannot change that. */
function isCertain(error: unknown): boolean {
  return (
    error instanceof ShippingLedgerError && error.outcome === 'not_executed' && !error.retryable
  )
}
