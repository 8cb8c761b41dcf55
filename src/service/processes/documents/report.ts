import type { Language } from '../../domain/language.ts'

/** The content of a report, independent of its layout. */
export type Report = {
  /** The language of its texts. */
  readonly language: Language
  readonly title: string
  readonly subtitle: string
  /** The footer of every page. */
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
  /** In a cell with several lines, the first line is the main one. */
  readonly rows: readonly (readonly Cell[])[]
}

/** `share`: the column's share of the width that columns with points leave. */
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
