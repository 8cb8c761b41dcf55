import { hashKey, type Query, type QueryKey, useQuery } from '@tanstack/react-query'
import type { AnswerInfo, CallOptions, Known } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useShown } from './recovery.ts'

/** A method of the client that reads one resource. */
type Read<I, T> = (input: I, options: CallOptions & Known<T>) => Promise<T>
type Answered = { readonly lastAnswer: AnswerInfo }

export type Polling<T> = {
  /** How long to wait before the next read, by what was read last; false: no more. */
  readonly everyMs: (last: T | undefined) => number | false
  readonly isEnabled?: boolean
}

/** How often something is read again; not before the service wants to be asked again. */
export function polledEvery(everyMs: number) {
  return ({ state }: Pick<Query, 'state'>) => Math.max(everyMs, retryAfterMsOf(state.error))
}

function retryAfterMsOf(error: unknown): number {
  return error instanceof ShippingLedgerError ? (error.retryAfterMs ?? 0) : 0
}

/**
 * Reads one resource again and again, by its ETag: while it has not changed the answer is empty and
 * nothing is drawn anew. It pauses while the tab is hidden.
 */
export function usePolled<I, T extends Answered>(
  queryKey: QueryKey,
  read: Read<I, T>,
  input: I,
  { everyMs, isEnabled = true }: Polling<T>,
) {
  const polled = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const known = client.getQueryData<T>(queryKey)
      return read(input, { signal, ...(known === undefined ? {} : { known }) })
    },
    enabled: isEnabled,
    // Some of it is about people: it is forgotten when the screen is left.
    gcTime: 0,
    refetchInterval: (query) => {
      const nextMs = everyMs(query.state.data)
      return nextMs === false ? false : polledEvery(nextMs)(query)
    },
    // What was answered stays the object it is, with its ETag, which is no field of it.
    structuralSharing: false,
  })
  return useShown(polled, hashKey(queryKey))
}
