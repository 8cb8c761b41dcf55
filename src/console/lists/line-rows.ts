import type { Answered } from '../../client/methods.ts'

/** A line of a file has no id, so its number serves as one. */
export type LineRow<T> = T & { readonly id: string; readonly created_at: string }
type Page<T> = {
  readonly data: T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}
type RowPage<T> = Answered<{
  data: LineRow<T>[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}>

/** Line numbers are padded to this length, so that ids sort like lines. */
const lineDigits = 9

/** Adds to each line of the page, in place, what a list row needs. */
export function asLineRows<T extends { readonly line: number }>(
  page: Answered<Page<T>>,
): RowPage<T> {
  for (const item of page.data) {
    Object.assign(item, { id: String(item.line).padStart(lineDigits, '0'), created_at: '' })
  }
  return page as unknown as RowPage<T>
}
