import { z } from 'zod'
import {
  defaultLabelFormat,
  type LabelFormat,
  labelDpis,
  labelFormatSchema,
  labelFormats,
  labelSizes,
} from '../../domain/label-format.ts'
import type { Language } from '../../domain/language.ts'
import type { LabelPrint } from '../../processes/documents/labels.ts'
import { type LabelStyle, labelLayouts } from '../../processes/documents/print-messages.ts'
import { valuesText } from '../openapi/schemas.ts'

/** Content types of printed labels. */
export const labelTypes = [
  'application/pdf',
  'image/png',
  'application/zip',
  'application/zpl',
] as const

/** An optional field with one of these values. */
function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  about: string,
  meanings: Readonly<Record<Values[number], string>>,
) {
  return z
    .enum(values)
    .optional()
    .meta({ description: valuesText<Values[number]>(about, meanings) })
}

const layout = choice(labelLayouts, 'How the labels are arranged.', {
  a6: 'each label on a page of its own. The default',
  four_on_a4:
    "four labels on each A4 sheet. Only for `pdf`, and without `size`. The workspace's format and size do not apply",
}).meta({ example: 'four_on_a4' })

const ofWorkspace = "The default is that of the workspace's `label_format`, or"

const format = choice(labelFormats, `The format of the file. ${ofWorkspace} \`pdf\`.`, {
  pdf: 'for any printer of the computer',
  png: 'a grayscale image of each page. A single image is `image/png`; several are a ZIP file',
  zpl: 'ZPL II for label printers, one `^XA…^XZ` per page',
})

const size = choice(
  labelSizes,
  `The page size. Labels are made smaller to fit, and never larger. ${ofWorkspace} \`a6\`.`,
  {
    a6: '105 × 148 mm. As `pdf` without a caption, pages stay as the courier made them',
    a4: '210 × 297 mm',
    '4x6': '4 × 6 inches',
    '80mm': 'a roll of 80 mm, of which 72 mm are printed; each page is as long as its label',
  },
)

const dpiMeta = {
  description: `Dots per inch of \`png\` and \`zpl\`: that of your printer. ${ofWorkspace} 203.`,
}
const captionMeta = {
  description: `\`true\` adds a strip with the order's \`external_reference\` and the name of the workspace above each page of a label, so that each label can be matched to its parcel, and a QR code of its \`tracking_url\`, if it has one. It contains no personal data and is the same in every language. ${ofWorkspace} \`false\`.`,
}

/** The query parameters of a request for one label. */
export const labelQuery = {
  format,
  size,
  dpi: z.enum(['203', '300']).optional().meta(dpiMeta),
  caption: z.enum(['true', 'false']).optional().meta(captionMeta),
}
/** The query parameters of a request for many labels. */
export const labelsQuery = { layout, ...labelQuery }
/** The same in a body. */
export const labelsFields = {
  layout,
  format,
  size,
  dpi: z.literal(labelDpis).optional().meta(dpiMeta),
  caption: z.boolean().optional().meta(captionMeta),
}

const { shape } = labelFormatSchema

/** The format of a workspace, complete. */
export const savedFormatSchema = z.object({
  format: shape.format.meta({ description: 'The format of the file. The default is `pdf`.' }),
  size: shape.size.meta({ description: 'The page size. The default is `a6`.' }),
  dpi: shape.dpi.meta({ description: 'Dots per inch of `png` and `zpl`. The default is 203.' }),
  caption: shape.caption.meta({
    description:
      "Whether each page has a strip with the order's `external_reference` and the name of the workspace. The default is `false`.",
  }),
})

/** What a request for a workspace's format may leave out. */
export const labelFormatFields = savedFormatSchema.partial().shape

type Asked = {
  readonly layout?: LabelStyle['layout'] | undefined
  readonly format?: LabelStyle['format'] | undefined
  readonly size?: LabelStyle['size'] | undefined
  readonly dpi?: LabelStyle['dpi'] | '203' | '300' | undefined
  readonly caption?: boolean | 'true' | 'false' | undefined
}

/** A sheet of four has its own size, and label printers have no sheets. */
export function refuseMixedLayout(asked: Asked, context: z.core.$RefinementCtx): void {
  if (asked.layout !== 'four_on_a4') return
  if (asked.size === undefined && (asked.format ?? 'pdf') === 'pdf') return
  context.addIssue({
    code: 'custom',
    path: ['layout'],
    message: 'Four labels on A4 are a PDF, and have no other size.',
    params: { reason: 'not_combinable' },
  })
}

/** What is printed: what the request names, and otherwise what the workspace has saved. */
export function labelPrintOf(
  asked: Asked,
  saved: LabelFormat | null,
  language: Language,
): LabelPrint {
  const { layout = 'a6' } = asked
  const { format, size, dpi, caption } = saved ?? defaultLabelFormat
  const isSheet = layout === 'four_on_a4'
  return {
    language,
    layout,
    size: asked.size ?? (isSheet ? defaultLabelFormat.size : size),
    format: asked.format ?? (isSheet ? defaultLabelFormat.format : format),
    dpi: Number(asked.dpi ?? dpi) === 300 ? 300 : 203,
    isCaptioned: String(asked.caption ?? caption) === 'true',
  }
}
