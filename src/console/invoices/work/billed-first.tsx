import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.tsx'
import type { InvoiceLine } from '../invoice-findings.ts'

type Before = NonNullable<InvoiceLine['billed_before']>

/** Which line of which invoice, by the reference that the invoice was imported under. */
export function BilledFirst({ before }: { readonly before: Before }) {
  const { client } = useSession()
  const { courier_invoice_id: id, line } = before
  const { data: reference } = useQuery({
    queryKey: ['invoice-reference', id],
    queryFn: async ({ signal }) => (await client.courierInvoices.get({ id }, { signal })).reference,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const words = `line ${line} of ${reference ?? id}`
  return <span title={words}>{words}</span>
}
