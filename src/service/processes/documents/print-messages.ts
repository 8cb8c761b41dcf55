import type { LabelFormat } from '../../domain/label-format.ts'
import type { Language } from '../../domain/language.ts'
import type { Report } from './report.ts'

/* Messages between the service and the process that prints documents. */

/** `a6`: one label per page. `four_on_a4`: four labels per sheet. */
export const labelLayouts = ['a6', 'four_on_a4'] as const

/** How labels are printed. */
export type LabelStyle = Readonly<Omit<LabelFormat, 'caption'>> & {
  readonly layout: (typeof labelLayouts)[number]
  /** The language of the pages that list missing labels, and of the title. */
  readonly language: Language
}

/**
 * Printed on a strip above each page of a label. It must not contain personal data, and is the
 * same in every language.
 */
export type Caption = {
  readonly reference: string
  readonly shop: string
  /** The recipient's page, printed as a QR code; null if there is none. */
  readonly link: string | null
}

/** A shipment that is listed instead of printed. */
export type ExcludedShipment = {
  readonly shipmentId: string
  readonly reference: string
  readonly why: string
}

/** The page in front of the labels that lists shipments without one. */
export type Cover = {
  readonly excluded: readonly ExcludedShipment[]
  /** The number of requested shipments. */
  readonly requested: number
}

export type ManifestRow = {
  readonly guideNumber: string
  readonly reference: string
  readonly destination: string
  readonly pieces: number
  /** Total weight of all pieces. */
  readonly weightGrams: number
}

/** The parcels to hand over at one agency. */
export type ManifestSection = {
  readonly workspace: string
  readonly agency: { readonly name: string; readonly address: string }
  /** On the workspace's clock. */
  readonly at: string
  readonly rows: readonly ManifestRow[]
}

export type Manifest = {
  readonly language: Language
  readonly livemode: boolean
  readonly sections: readonly ManifestSection[]
  readonly excluded: readonly ExcludedShipment[]
}

/**
 * The result for one label. `unreadable`: it is not a PDF, is encrypted, or its pages cannot be
 * found. `too_complex`: it is larger than any real label, and reading it was aborted.
 */
export type LabelRead = 'added' | 'unreadable' | 'too_complex'

export type LabelToAdd = {
  readonly pdf: Uint8Array
  /** The name of its images in a ZIP file, without extension. */
  readonly name: string
  readonly caption: Caption | null
}

/** A file of several PNG images is a ZIP file. */
export type PrintedMedia = 'application/pdf' | 'application/zip' | 'application/zpl' | 'image/png'

export type PrintRequest =
  | { readonly do: 'begin_labels'; readonly style: LabelStyle }
  | ({ readonly do: 'add_label' } & LabelToAdd)
  /** Renders the next page of the label that was added last. Only for images. */
  | { readonly do: 'draw_page' }
  | { readonly do: 'end_labels'; readonly cover: Cover | null }
  | { readonly do: 'print_manifest'; readonly manifest: Manifest }
  | { readonly do: 'print_report'; readonly report: Report }

/** A request names its print job, because a file of labels takes several requests. */
export type PrintJob = { readonly job: number; readonly request: PrintRequest }

export type PrintAnswer =
  | { readonly kind: 'begun' }
  /** `pagesToDraw`: the number of `draw_page` requests that the label needs before the next one. */
  | { readonly kind: 'read'; readonly read: LabelRead; readonly pagesToDraw: number }
  | { readonly kind: 'drawn' }
  /** The labels have more pages than one file may have. */
  | { readonly kind: 'too_large' }
  /** The parts of the file were sent before. */
  | { readonly kind: 'printed'; readonly media: PrintedMedia }

/**
 * Messages from the printing process. A large file is sent in parts, so that no turn of the event
 * loop is long.
 */
export type PrintMessage =
  | { readonly part: Uint8Array }
  | { readonly answer: PrintAnswer }
  | { readonly failed: string }
