import { z } from 'zod'

export const labelFormats = ['pdf', 'png', 'zpl'] as const
export const labelDpis = [203, 300] as const
/** `80mm`: a roll; the page is as long as the label. */
export const labelSizes = ['a6', 'a4', '4x6', '80mm'] as const

/** What a printer needs. Stored for workspaces and in their audit events. */
export const labelFormatSchema = z.strictObject({
  format: z.enum(labelFormats),
  size: z.enum(labelSizes),
  /** Resolution of PNG and ZPL. */
  dpi: z.literal(labelDpis),
  /** Whether each page has the order's reference and the workspace's name. */
  caption: z.boolean(),
})

export type LabelFormat = z.infer<typeof labelFormatSchema>

/** For a request that names nothing and a workspace without a format of its own. */
export const defaultLabelFormat: LabelFormat = {
  format: 'pdf',
  size: 'a6',
  dpi: 203,
  caption: false,
}

export function isSameFormat(a: LabelFormat | null, b: LabelFormat | null): boolean {
  if (a === null || b === null) return a === b
  return a.format === b.format && a.size === b.size && a.dpi === b.dpi && a.caption === b.caption
}
