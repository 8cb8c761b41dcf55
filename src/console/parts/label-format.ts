import { i18n } from '@lingui/core'
import { useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import type { Answered, Schemas } from '../../client/methods.ts'
import { currentLanguage } from '../languages/language.ts'

/** How labels are printed: what the API is asked for. */
const formats = {
  shop: {},
  a6: { format: 'pdf', size: 'a6' },
  a4: { format: 'pdf', size: 'a4' },
  four_on_a4: { layout: 'four_on_a4' },
  '4x6': { format: 'pdf', size: '4x6' },
  '80mm': { format: 'pdf', size: '80mm' },
  png_300: { format: 'png', size: 'a6', dpi: '300' },
  zpl_203: { format: 'zpl', size: '4x6', dpi: '203' },
  zpl_300: { format: 'zpl', size: '4x6', dpi: '300' },
  zpl_80mm: { format: 'zpl', size: '80mm', dpi: '203' },
} as const

export type LabelFormat = keyof typeof formats

/** The formats to choose from, by name. */
export function labelFormats() {
  const labels: Readonly<Record<LabelFormat, string>> = {
    shop: i18n.t('As saved for the shop'),
    a6: i18n.t('PDF, one label a page (A6)'),
    a4: i18n.t('PDF, one label a page (A4)'),
    four_on_a4: i18n.t('PDF, four labels on A4'),
    '4x6': i18n.t('PDF, 4 × 6 inches'),
    '80mm': i18n.t('PDF, roll of 80 mm'),
    png_300: 'PNG, A6, 300 dpi',
    zpl_203: i18n.t('ZPL, 4 × 6 inches, 203 dpi'),
    zpl_300: i18n.t('ZPL, 4 × 6 inches, 300 dpi'),
    zpl_80mm: i18n.t('ZPL, roll of 80 mm, 203 dpi'),
  }
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}

/** The formats of a single label. */
export function singleLabelFormats() {
  return labelFormats().filter(({ value }) => value !== 'four_on_a4')
}

/** Only the name of the format is stored in the browser. */
const storageName = 'shipping-ledger.label-format'

function isFormat(name: string | null): name is LabelFormat {
  return name !== null && Object.hasOwn(formats, name)
}

/** The format that this browser prints labels in, and a function that changes it. */
export function useLabelFormat() {
  const [format, setFormat] = useState<LabelFormat>(() => {
    const stored = localStorage.getItem(storageName)
    return isFormat(stored) ? stored : 'shop'
  })
  return {
    format,
    choose: (name: string) => {
      if (!isFormat(name)) return
      localStorage.setItem(storageName, name)
      setFormat(name)
    },
  }
}

/**
 * What the API is asked for, in the current language. Each label has the order and the shop's name
 * on it, unless the shop has saved that it does not.
 */
export async function labelsQueryOf(
  { workspaces }: Pick<Client, 'workspaces'>,
  format: LabelFormat,
  workspaceId: string,
) {
  const query = { ...formats[format], lang: currentLanguage() } as const
  if (format === 'shop' && (await hasSavedFormat(workspaces, workspaceId))) return query
  return { ...query, caption: 'true' } as const
}

/** False too if the key may not read workspaces. */
async function hasSavedFormat(workspaces: Client['workspaces'], id: string): Promise<boolean> {
  const saved = await workspaces.get({ id }).catch(() => null)
  return saved !== null && saved.label_format !== null
}

/** The same for one label, which has the strip only if the shop has saved that. */
export function singleLabelQueryOf(format: LabelFormat) {
  const single = format === 'four_on_a4' ? 'a6' : format
  return { ...formats[single], lang: currentLanguage() } as const
}

/** A file of labels as the service names it. */
export function labelFileOf({ lastAnswer }: Pick<Answered<Uint8Array>, 'lastAnswer'>) {
  const { contentType, fileName } = lastAnswer
  return { type: contentType ?? 'application/pdf', fileName: fileName ?? i18n.t('labels') }
}

type SavedFormat = NonNullable<Schemas['Workspace']['label_format']>

/** The values of each field of a saved format, by name. */
export function savedFormatChoices() {
  return {
    format: [
      { value: 'pdf', label: 'PDF' },
      { value: 'png', label: 'PNG' },
      { value: 'zpl', label: 'ZPL' },
    ],
    size: [
      { value: 'a6', label: 'A6' },
      { value: 'a4', label: 'A4' },
      { value: '4x6', label: i18n.t('4 × 6 inches') },
      { value: '80mm', label: i18n.t('roll of 80 mm') },
    ],
    dpi: [
      { value: '203', label: '203 dpi' },
      { value: '300', label: '300 dpi' },
    ],
  }
}

/** A saved format in words. */
export function savedFormatText(saved: SavedFormat | null): string {
  if (saved === null) return i18n.t('PDF, one label a page (A6)')
  const { format, size, dpi } = savedFormatChoices()
  const word = (choices: readonly { value: string; label: string }[], value: unknown) =>
    choices.find((choice) => choice.value === String(value))?.label ?? String(value)
  return [
    word(format, saved.format),
    word(size, saved.size),
    ...(saved.format === 'pdf' ? [] : [word(dpi, saved.dpi)]),
    ...(saved.caption ? [i18n.t('with order and shop')] : []),
  ].join(', ')
}
