import { i18n } from '@lingui/core'
import { Link } from 'wouter'
import { type Invoice, toCheck } from '../invoice-findings.ts'

/** Links to all lines that are still to check, after the last line of a view. */
export function RestToCheck({ invoice }: { readonly invoice: Invoice }) {
  const open = toCheck(invoice)
  if (open === null || open === 0) return null
  return (
    <>
      {' · '}
      <Link href={`/courier-invoices/${invoice.id}/lines?finding=differs`}>
        {i18n.t('Continue with the other differences')}
      </Link>
    </>
  )
}
