import { i18n } from '@lingui/core'
import { useState } from 'react'
import { currentLanguage } from '../languages/language.ts'

/** How labels are printed: what the API is asked for. */
const formats = {
  a6: { layout: 'a6' },
  four_on_a4: { layout: 'four_on_a4' },
  '4x6': { size: '4x6' },
  '80mm': { size: '80mm' },
  zpl_203: zpl('203'),
  zpl_300: zpl('300'),
} as const

function zpl<Dpi extends '203' | '300'>(dpi: Dpi) {
  return { format: 'zpl', size: '4x6', dpi } as const
}

export type LabelFormat = keyof typeof formats

/** The formats to choose from, by name. */
export function labelFormats() {
  const labels: Readonly<Record<LabelFormat, string>> = {
    a6: i18n.t('PDF, one label a page (A6)'),
    four_on_a4: i18n.t('PDF, four labels on A4'),
    '4x6': i18n.t('PDF, 4 × 6 inches'),
    '80mm': i18n.t('PDF, roll of 80 mm'),
    zpl_203: i18n.t('ZPL, 4 × 6 inches, 203 dpi'),
    zpl_300: i18n.t('ZPL, 4 × 6 inches, 300 dpi'),
  }
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
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
    return isFormat(stored) ? stored : 'a6'
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

/** What the API is asked for. Each label has the order and the shop's name on it, in the current language. */
export function labelQueryOf(format: LabelFormat) {
  return { ...formats[format], caption: 'true', lang: currentLanguage() } as const
}

/** How a file of labels is saved. */
export function labelFileOf(format: LabelFormat) {
  return format.startsWith('zpl')
    ? ({ type: 'application/zpl', extension: 'zpl' } as const)
    : ({ type: 'application/pdf', extension: 'pdf' } as const)
}
