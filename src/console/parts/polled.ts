import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { AnswerInfo, CallOptions, Known } from '../../client/methods.ts'

type Read<T> = (options: CallOptions & Known<T>) => Promise<T>
type Answered = { readonly lastAnswer: AnswerInfo }

export type Polling<T> = {
  /** How long to wait before the next read, by what was read last; false: no more. */
  readonly everyMs: (last: T | undefined) => number | false
  readonly isEnabled?: boolean
}

/**
 * Reads one resource again and again, by its ETag: while it has not changed the answer is empty and
 * nothing is drawn anew. It pauses while the tab is hidden.
 */
export function usePolled<T extends Answered>(
  queryKey: QueryKey,
  read: Read<T>,
  { everyMs, isEnabled = true }: Polling<T>,
) {
  return useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const known = client.getQueryData<T>(queryKey)
      return read({ signal, ...(known === undefined ? {} : { known }) })
    },
    enabled: isEnabled,
    refetchInterval: ({ state }) => everyMs(state.data),
    // What was answered stays the object it is, with its ETag, which is no field of it.
    structuralSharing: false,
  })
}
