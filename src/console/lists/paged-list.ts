import { hashKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { Answered, CallOptions, Known } from '../../client/methods.ts'
import { polledEvery } from '../reading/polled.ts'
import { useFailure } from '../reading/use-recovery.ts'
import { type Loaded, type Order, type Page, renewed, rowsOf } from './loaded-pages.ts'

export type Item = { readonly id: string; readonly created_at: string }
type ReadPage<T> = Answered<{
  data: T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}>
type PageInput = { limit: number; cursor?: string }

export type ListSource<T> = {
  readonly queryKey: readonly unknown[]
  read(input: PageInput, options: CallOptions & Known<ReadPage<T>>): Promise<ReadPage<T>>
  readonly order?: Order
  readonly isEnabled?: boolean
}

export type PagedList<T> = {
  readonly rows: readonly T[]
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly hasMore: boolean
  readonly error: Error | null
  /** Reads the next page. */
  more(): void
  /** Reloads everything from the first page. */
  again(): void
  /** Tells the list which rows are in view; those are kept up to date. */
  look(first: number, last: number): void
}

/** The API's largest page. */
const pageRows = 100
/** How often the first page and the pages in view are read again. */
const newsEveryMs = 4_000
/** How long loaded rows are kept for reopening the screen. */
const keptMs = 60_000

/**
 * A list of the API, loaded page by page while scrolling. The first page and the pages in view are
 * polled with their ETags; other pages are read again when they come into view.
 */
export function usePagedList<T extends Item>(source: ListSource<T>): PagedList<T> {
  const { queryKey, read, order = 'newest', isEnabled = true } = source
  const pagesKey = [...queryKey, order, 'pages']
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }): Promise<Page<T>> => read(inputOf(pageParam), { signal }),
    getNextPageParam: (last) => last.next_cursor,
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    // Comparing ten thousand rows with themselves on each page would be noticeable.
    structuralSharing: false,
  })
  const failure = useFailure(pages, hashKey(pagesKey))
  const inView = useRef<readonly T[]>([])
  const news = useQuery({
    queryKey: [...queryKey, order, 'news'],
    queryFn: async ({ signal, client }) => {
      const loaded = () => client.getQueryData<Loaded<T>>(pagesKey)
      for (const page of pagesToRead(loaded(), inView.current)) {
        const { pages = [], pageParams = [] } = loaded() ?? {}
        const cursor = pageParams[pages.indexOf(page)]
        if (cursor === undefined) continue
        const known = isRead(page) ? { known: page } : {}
        const now = await read(inputOf(cursor), { signal, ...known })
        if (now === page) continue
        client.setQueryData<Loaded<T>>(pagesKey, (before) => {
          const index = before?.pages.indexOf(page) ?? -1
          return before === undefined || index === -1 ? before : renewed(before, index, now, order)
        })
      }
      return null
    },
    enabled: isEnabled && pages.isSuccess,
    gcTime: 0,
    refetchInterval: polledEvery(newsEveryMs),
  })
  const rows = useMemo(() => (pages.data === undefined ? [] : rowsOf(pages.data)), [pages.data])
  return {
    rows,
    isLoading: isEnabled && pages.isPending,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: isEnabled && pages.hasNextPage,
    error: failure ?? news.error,
    more: () => {
      // A page that could not be read is retried automatically.
      const isOn = pages.hasNextPage && !pages.isFetchingNextPage && failure === null
      if (isOn) void pages.fetchNextPage()
    },
    again: () => void pages.refetch(),
    look: (first, last) => {
      inView.current = rows.slice(Math.max(0, first), Math.max(0, last + 1))
    },
  }
}

function inputOf(cursor: string | null): PageInput {
  return { limit: pageRows, ...(cursor === null ? {} : { cursor }) }
}

/**
 * Whether the page is a complete API response. A page that took over rows of an earlier page is
 * not.
 */
function isRead<T>(page: Page<T>): page is ReadPage<T> {
  return 'lastAnswer' in page
}

/** The first page, and the pages of the first and last rows in view. */
function pagesToRead<T extends Item>(loaded: Loaded<T> | undefined, inView: readonly T[]) {
  const ends = [inView.at(0)?.id, inView.at(-1)?.id]
  const pages = loaded?.pages ?? []
  const viewed = ends.map((end) => pages.find(({ data }) => data.some(({ id }) => id === end)))
  return new Set([pages[0], ...viewed].filter((page) => page !== undefined))
}
