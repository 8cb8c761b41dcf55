type Item = { readonly id: string; readonly created_at: string }
export type Page<T> = {
  readonly data: readonly T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}
export type Order = 'newest' | 'oldest'
/** The loaded pages, each with the cursor of its request. */
export type Loaded<T> = {
  readonly pages: Page<T>[]
  readonly pageParams: (string | null)[]
}

/** A row that two pages contain after a reload belongs to the earlier page. */
export function rowsOf<T extends Item>({ pages }: Pick<Loaded<T>, 'pages'>): readonly T[] {
  const rows = new Map<string, T>()
  for (const { data } of pages) {
    for (const row of data) if (!rows.has(row.id)) rows.set(row.id, row)
  }
  return [...rows.values()]
}

/**
 * Replaces one page with its current version. Rows that are missing within its range are gone. Rows
 * beyond its new end move to the next page.
 */
export function renewed<T extends Item>(
  { pages, pageParams }: Loaded<T>,
  index: number,
  now: Page<T>,
  order: Order,
): Loaded<T> {
  const before = { pages: pages.slice(0, index), params: pageParams.slice(0, index + 1) }
  const last = now.data.at(-1)
  if (now.next_cursor === null || last === undefined) {
    return { pages: [...before.pages, now], pageParams: before.params }
  }
  const old = pages[index] ?? now
  const rest = old.data.filter((row) => isAfter(row, last, order))
  const [next, ...others] = pages.slice(index + 1)
  if (rest.length === 0)
    return { pages: [...before.pages, now, ...pages.slice(index + 1)], pageParams }
  const following =
    next === undefined ? { ...old, data: rest } : { ...next, data: [...rest, ...next.data] }
  return {
    pages: [...before.pages, now, following, ...others],
    pageParams: [...before.params, now.next_cursor, ...pageParams.slice(index + 2)],
  }
}

function isAfter(one: Item, other: Item, order: Order): boolean {
  const [early, late] = order === 'oldest' ? [other, one] : [one, other]
  if (early.created_at !== late.created_at) return early.created_at < late.created_at
  return early.id < late.id
}
