import { z } from 'zod'
import type { Language } from '../../domain/language.ts'
import type { LabelPrint } from '../../processes/documents/labels.ts'
import {
  type LabelStyle,
  labelDpis,
  labelFormats,
  labelLayouts,
  labelSizes,
} from '../../processes/documents/print-messages.ts'
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
  four_on_a4: 'four labels on each A4 sheet. Only for `pdf`, and without `size`',
}).meta({ example: 'four_on_a4' })

const format = choice(labelFormats, 'The format of the file.', {
  pdf: 'the default',
  png: 'a grayscale image of each page. A single image is `image/png`; several are a ZIP file',
  zpl: 'ZPL II for label printers, one `^XA…^XZ` per page',
})

const size = choice(
  labelSizes,
  'The page size. Labels are made smaller to fit, and never larger.',
  {
    a6: '105 × 148 mm. The default. As `pdf` without a caption, pages stay as the courier made them',
    a4: '210 × 297 mm',
    '4x6': '4 × 6 inches',
    '80mm': 'a roll of 80 mm, of which 72 mm are printed; each page is as long as its label',
  },
)

const dpiMeta = { description: 'Dots per inch of `png` and `zpl`. The default is 203.' }
const captionMeta = {
  description:
    "`true` adds a strip with the order's `external_reference` and the name of the workspace above each page of a label, so that each label can be matched to its parcel. It contains no personal data and is the same in every language. The default is `false`.",
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

export function labelPrintOf(asked: Asked, language: Language): LabelPrint {
  return {
    language,
    layout: asked.layout ?? 'a6',
    size: asked.size ?? 'a6',
    format: asked.format ?? 'pdf',
    dpi: Number(asked.dpi ?? 203) === 300 ? 300 : 203,
    isCaptioned: asked.caption === true || asked.caption === 'true',
  }
}
