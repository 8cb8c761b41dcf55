import { hashKey, type Query, type QueryKey, useQuery } from '@tanstack/react-query'
import type { AnswerInfo, CallOptions, Known } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useShown } from './use-recovery.ts'

/** A method of the client that reads one resource. */
type Read<I, T> = (input: I, options: CallOptions & Known<T>) => Promise<T>
type Answered = { readonly lastAnswer: AnswerInfo }

type Polling<T> = {
  /** The delay before the next read, given the last one; false stops reading. */
  readonly everyMs: (last: T | undefined) => number | false
  readonly isEnabled?: boolean
}

/** A polling interval that respects the service's `Retry-After`. */
export function polledEvery(everyMs: number) {
  return ({ state }: Pick<Query, 'state'>) => Math.max(everyMs, retryAfterMsOf(state.error))
}

function retryAfterMsOf(error: unknown): number {
  return error instanceof ShippingLedgerError ? (error.retryAfterMs ?? 0) : 0
}

/**
 * Polls one resource with its ETag: while it is unchanged, the response is empty and nothing is
 * rendered. Pauses while the tab is hidden.
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
    // May contain personal data, so it is dropped when the screen is left.
    gcTime: 0,
    refetchInterval: (query) => {
      const nextMs = everyMs(query.state.data)
      return nextMs === false ? false : polledEvery(nextMs)(query)
    },
    // Structural sharing would copy the object without its ETag, which is not a field.
    structuralSharing: false,
  })
  return useShown(polled, hashKey(queryKey))
}
