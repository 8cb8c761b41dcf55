import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'

type Request<T> = {
  /**
   * Sends the request. Every attempt gets the same key, which lasts as long as the dialog is open.
   */
  readonly send: (idempotencyKey: string) => Promise<T>
  /** The request counts as pending until this resolves. */
  readonly onSent: (answer: T) => unknown
}

/**
 * Sends a dialog's request. A double click sends one request, and a retry after a lost response
 * creates nothing twice. Input and response may be secret, so both are forgotten when the dialog
 * closes.
 */
export function useSendOnce<T>({ send, onSent }: Request<T>) {
  const [idempotencyKey] = useState(() => `console-${crypto.randomUUID()}`)
  // The state of a mutation is known only after the next render, and a second click may be faster.
  const isSending = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => send(idempotencyKey),
    onSuccess: onSent,
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
