/** A report as its parts, without a page: what is printed, and nothing of how. */
export type Report = {
  readonly title: string
  readonly subtitle: string
  /** On every page. */
  readonly footer: string
  readonly madeAt: Date
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** Lines to be copied: commands, keys. */
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  /** Names with their values. */
  | { readonly kind: 'facts'; readonly rows: readonly Fact[] }
  | Table

export type Fact = readonly [name: string, value: string]

type Table = {
  readonly kind: 'table'
  readonly columns: readonly Column[]
  /** A cell with several lines: the first is what matters most. */
  readonly rows: readonly (readonly Cell[])[]
}

/** `share`: of the width that columns without points leave. */
export type Column = { readonly title: string } & (
  | { readonly points: number }
  | { readonly share: number }
)
export type Cell = string | readonly string[]

export function heading(text: string): Block {
  return { kind: 'heading', text }
}

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text }
}
