import type { Answered } from '../../client/methods.ts'

/** A line of a file has no id of its own; its place in the file is one. */
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

/** As many digits as the largest line has, so that the order of ids is that of lines. */
const lineDigits = 9

/** The page itself, whose lines have become rows of a list. */
export function asLineRows<T extends { readonly line: number }>(
  page: Answered<Page<T>>,
): RowPage<T> {
  for (const item of page.data) {
    Object.assign(item, { id: String(item.line).padStart(lineDigits, '0'), created_at: '' })
  }
  return page as unknown as RowPage<T>
}
