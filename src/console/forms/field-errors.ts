import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'

/** The API's errors about one field or a part of it. The field is named by its JSON pointer. */
export function errorAt(error: unknown, field: string): string | null {
  const details = errorsOf(error)
    .filter(({ pointer }) => isWithin(pointer, field))
    .map(({ detail }) => detail)
  return details.length === 0 ? null : [...new Set(details)].join(' ')
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
