import {
  focusManager,
  InfiniteQueryObserver,
  type Query,
  type QueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'

/** A screen must recover within five seconds of the service's return: this delay plus the read. */
export const againEveryMs = 2_500

/** The service did not respond, or is temporarily unable to. */
export function isAway(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.retryable
}

/** Repeats failed reads of the current screen every few seconds until the service answers. */
export function useRecovery(queries: QueryClient): void {
  useEffect(() => {
    const timer = setInterval(() => readAgain(queries), againEveryMs)
    return () => clearInterval(timer)
  }, [queries])
}

function readAgain(queries: QueryClient): void {
  if (!focusManager.isFocused()) return
  const failed = { type: 'active', fetchStatus: 'idle', predicate: isDue } as const
  for (const { observers, state } of queries.getQueryCache().findAll(failed)) {
    const [observer] = observers
    // For a long list, read only the page that failed, not every page before it.
    if (observer instanceof InfiniteQueryObserver && state.data !== undefined) {
      void observer.fetchNextPage()
    } else void observer?.refetch()
  }
}

function isDue({ state: { error, errorUpdatedAt } }: Query): boolean {
  if (!isAway(error)) return false
  const { status, retryAfterMs } = error as ShippingLedgerError
  return status !== 429 || Date.now() >= errorUpdatedAt + (retryAfterMs ?? 0)
}

type Reading = { readonly error: Error | null; readonly isSuccess: boolean }
type Read<T> = Reading & {
  readonly data: T | undefined
  readonly isPending: boolean
  readonly refetch: () => unknown
}

/** A query as a screen shows it: failed until it succeeds, even while it is retried. */
export function useShown<T>(read: Read<T>, of = '') {
  const error = useFailure(read, of)
  const { data, isPending, refetch } = read
  return { data, error, isPending: isPending && error === null, refetch }
}

/**
 * The error of a query until it succeeds. Retrying keeps the same error object, so that a screen
 * reader announces it only once.
 */
export function useFailure({ error, isSuccess }: Reading, of = ''): Error | null {
  const [last, setLast] = useState<{ readonly of: string; readonly error: Error | null }>({
    of,
    error,
  })
  const before = last.of === of && !isSuccess ? last.error : null
  const failure = error === null || isSame(before, error) ? before : error
  if (failure !== last.error || of !== last.of) setLast({ of, error: failure })
  return failure
}

function isSame(one: Error | null, other: Error): boolean {
  if (!(one instanceof ShippingLedgerError && other instanceof ShippingLedgerError)) return false
  return one.reason === other.reason && one.status === other.status
}
