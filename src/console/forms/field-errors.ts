import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'

/** What the API says about one field, named by its JSON pointer, or about a part of it. */
export function errorAt(error: unknown, field: string): string | null {
  const details = errorsOf(error)
    .filter(({ pointer }) => isWithin(pointer, field))
    .map(({ detail }) => detail)
  return details.length === 0 ? null : [...new Set(details)].join(' ')
}

/** Whether these fields already show all that the API says. */
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
