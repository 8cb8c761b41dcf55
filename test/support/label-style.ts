import type { LabelStyle } from '../../src/service/processes/documents/print-messages.ts'

/** Labels as a request without parameters prints them. */
export const plain: LabelStyle = {
  layout: 'a6',
  size: 'a6',
  format: 'pdf',
  dpi: 203,
  language: 'en',
}
