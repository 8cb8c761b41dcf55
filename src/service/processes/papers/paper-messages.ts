/* What the process that prints papers is asked, and what it answers. */

/** `a6`: the pages as the courier made them. `four_on_a4`: four of them on each sheet. */
export const labelLayouts = ['a6', 'four_on_a4'] as const
export type LabelLayout = (typeof labelLayouts)[number]

/** A shipment that is named instead of being printed. */
export type LeftOut = {
  readonly shipmentId: string
  readonly reference: string
  readonly why: string
}

/** The page in front of labels, for the shipments without one. */
export type Cover = {
  readonly leftOut: readonly LeftOut[]
  /** How many shipments were asked for. */
  readonly asked: number
}

export type ManifestRow = {
  readonly guideNumber: string
  readonly reference: string
  readonly destination: string
  readonly pieces: number
  /** Of all pieces together. */
  readonly weightGrams: number
}

/** What is handed over at one agency. */
export type HandOver = {
  readonly workspace: string
  readonly agency: { readonly name: string; readonly address: string }
  /** On the workspace's clock. */
  readonly at: string
  readonly rows: readonly ManifestRow[]
}

export type Manifest = {
  readonly livemode: boolean
  readonly handOvers: readonly HandOver[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * What came of one label. `unreadable`: it is no PDF, is encrypted, or its pages cannot be found.
 * `too_complex`: it has more than any label needs, and was read no further.
 */
export type LabelRead = 'added' | 'unreadable' | 'too_complex'

export type PaperAsk =
  | { readonly do: 'begin_labels'; readonly layout: LabelLayout }
  | { readonly do: 'add_label'; readonly pdf: Uint8Array }
  | { readonly do: 'end_labels'; readonly cover: Cover | null }
  | { readonly do: 'print_manifest'; readonly manifest: Manifest }

/** Each question names the turn that it belongs to: a file of labels takes several. */
export type PaperQuestion = { readonly turn: number; readonly ask: PaperAsk }

export type PaperAnswer =
  | { readonly kind: 'begun' }
  | { readonly kind: 'read'; readonly read: LabelRead }
  /** All of them together have more pages than one file may have. */
  | { readonly kind: 'too_large' }
  /** The parts of the file came before. */
  | { readonly kind: 'printed' }

/** From the process that prints. A large file comes in parts, so that no turn of the event loop is long. */
export type PaperMessage =
  | { readonly part: Uint8Array }
  | { readonly answer: PaperAnswer }
  | { readonly failed: string }
