import { createElement, Fragment, type ReactNode } from 'react'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { ServiceSentence } from './service-sentence.tsx'

/** The API's errors about one field or a part of it. The field is named by its JSON pointer. */
export function errorAt(error: unknown, field: string): ReactNode {
  const details = errorsOf(error)
    .filter(({ pointer }) => isWithin(pointer, field))
    .map(({ detail }) => detail)
  if (details.length === 0) return null
  return [...new Set(details)].map((detail) =>
    createElement(Fragment, { key: detail }, createElement(ServiceSentence, null, detail), ' '),
  )
}

/** Whether these fields show all of the API's errors. */
export function isShownAt(error: unknown, fields: readonly string[]): boolean {
  const errors = errorsOf(error)
  return (
    errors.length > 0 &&
    errors.every(({ pointer }) => fields.some((field) => isWithin(pointer, field)))
  )
}

function errorsOf(error: unknown): ShippingLedgerError['errors'] {
  return error instanceof ShippingLedgerError ? error.errors : []
}

function isWithin(pointer: string, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`)
}
