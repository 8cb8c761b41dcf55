import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answered, CallOptions, Known } from '../../client/methods.ts'
import { usePolled } from './polled.ts'

type Item = { readonly id: string; readonly created_at: string }
type Page<T> = {
  readonly data: T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}
type ReadPage<T> = Answered<Page<T>>
type PageInput = { limit: number; cursor?: string }

export type ListSource<T> = {
  readonly queryKey: readonly unknown[]
  read(input: PageInput, options: CallOptions & Known<ReadPage<T>>): Promise<ReadPage<T>>
  readonly order: 'newest' | 'oldest'
  readonly isEnabled: boolean
}

export type PagedList<T> = {
  readonly rows: readonly T[]
  readonly isEnabled: boolean
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly hasMore: boolean
  readonly error: Error | null
  /** Reads the next page. */
  more(): void
  /** Reads everything anew, from the first page. */
  again(): void
}

/** The most that the API gives at once. */
const pageRows = 100
/** What is looked at for news: a screen full. */
const headInput = { limit: 50 }
/** News of a list come by polling its beginning. */
const headEveryMs = 4_000
/** What was loaded is shown at once for so long when the screen is opened again. */
const keptMs = 60_000

/**
 * A list of the API, page by page as they are reached. Its beginning is read again every few seconds
 * and takes the place of what it covers: pages that were loaded long ago are not loaded again for it.
 */
export function usePagedList<T extends Item>(source: ListSource<T>): PagedList<T> {
  const { queryKey, read, order, isEnabled } = source
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, order, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: pageRows, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: (last) => last.next_cursor,
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    // Comparing ten thousand rows with themselves at each page would be felt.
    structuralSharing: false,
  })
  const head = usePolled([...queryKey, order, 'head'], read, headInput, {
    everyMs: () => headEveryMs,
    isEnabled: isEnabled && pages.isSuccess,
  })
  const rows = useMemo(() => {
    const loaded = pages.data?.pages.flatMap(({ data }) => data) ?? []
    return head.data === undefined ? loaded : withHead(loaded, head.data, order)
  }, [pages.data, head.data, order])
  return {
    ...{ rows, isEnabled },
    isLoading: isEnabled && pages.isPending,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: isEnabled && pages.hasNextPage,
    error: pages.error ?? head.error,
    more: () => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage()
    },
    again: () => void pages.refetch(),
  }
}

/** The rows with the beginning as it is now; whatever the beginning covers and does not name is gone. */
export function withHead<T extends Item>(
  rows: readonly T[],
  head: Page<T>,
  order: 'newest' | 'oldest',
): readonly T[] {
  const last = head.data.at(-1)
  if (head.next_cursor === null || last === undefined) return head.data
  const isAfter = (row: T) => {
    const difference = compare(row, last)
    return order === 'oldest' ? difference > 0 : difference < 0
  }
  return [...head.data, ...rows.filter(isAfter)]
}

function compare(a: Item, b: Item): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Several lists one after the other: the next begins where the one before has ended. */
export function oneAfterAnother<T>(lists: readonly PagedList<T>[]): PagedList<T> {
  const enabled = lists.filter(({ isEnabled }) => isEnabled)
  const open = enabled.findIndex(({ isLoading, hasMore }) => isLoading || hasMore)
  const shown = open === -1 ? enabled : enabled.slice(0, open + 1)
  return {
    rows: shown.flatMap(({ rows }) => rows),
    isEnabled: enabled.length > 0,
    isLoading: enabled[0]?.isLoading ?? false,
    isLoadingMore: shown.some(({ isLoadingMore, isLoading }) => isLoadingMore || isLoading),
    hasMore: open !== -1,
    error: enabled.find(({ error }) => error !== null)?.error ?? null,
    more: () => shown.at(-1)?.more(),
    again: () => {
      for (const list of enabled) list.again()
    },
  }
}
