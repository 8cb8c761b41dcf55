import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'

type Request<T> = {
  /** Sends the request. Every try gets the same key, which belongs to this opening of the window. */
  readonly send: (idempotencyKey: string) => Promise<T>
  /** The request counts as pending until this is done. */
  readonly onSent: (answer: T) => unknown
}

/**
 * Sends what a window asks for. A double click sends one request, and a repeat after a lost answer
 * creates nothing twice. Input and answer may be secret, so both are forgotten with the window.
 */
export function useSendOnce<T>({ send, onSent }: Request<T>) {
  const [idempotencyKey] = useState(() => `console-${crypto.randomUUID()}`)
  // The state of a mutation is known only after the next drawing, and a second click may be faster.
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
    /** What was refused has been changed, so the refusal is no longer about it. */
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
