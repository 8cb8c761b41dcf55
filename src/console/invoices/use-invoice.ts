import { useQueryClient } from '@tanstack/react-query'
import type { Answered } from '../../client/methods.ts'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { type Invoice, isComparing } from './invoice-findings.ts'

/** Lines are compared within seconds; afterwards people decide, and shipments change. */
const comparingEveryMs = 1_000
const comparedEveryMs = 6_000

/** An invoice, with its newest version, as it is now. */
export function useInvoice(id: string) {
  const { client } = useSession()
  return usePolled(
    ['invoice', id],
    client.courierInvoices.get,
    { id },
    {
      everyMs: (last) =>
        last === undefined || isComparing(last) ? comparingEveryMs : comparedEveryMs,
    },
  )
}

/** Shows what an act has changed, on the screen and in the list. */
export function useInvoiceChanged() {
  const queries = useQueryClient()
  return async (now: Answered<Invoice>) => {
    queries.setQueryData(['invoice', now.id], now)
    await queries.invalidateQueries({ queryKey: ['invoices'] })
  }
}
