import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { Client } from '../../../client/create-client.ts'
import { useSession } from '../../session.tsx'
import { type Finding, type Invoice, linesWith, questioned, toCheck } from '../invoice-findings.ts'

/**
 * If the address names no finding, adds the first with undecided lines, or else the first. The
 * finding then stays in the address, so that the tab does not change while lines are decided.
 * Returns false while it is not known.
 */
export function useFirstOpen(invoice: Invoice, isAsked: boolean): boolean {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const { id, version, decisions } = invoice
  const found = questioned.filter((one) => linesWith(invoice, one) > 0)
  const [first] = found
  const isDecided = decisions.accepted + decisions.disputed > 0
  const { data, isFetching } = useQuery({
    queryKey: ['first-open', id, version],
    queryFn: ({ signal }) => firstOpen(client, id, found, signal),
    enabled: isAsked && isDecided && first !== undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const isKnown = !isDecided || first === undefined || !isFetching
  const finding = isDecided ? (data ?? first) : first
  useEffect(() => {
    if (!isAsked || !isKnown || finding === undefined) return
    goTo(`/courier-invoices/${id}/lines?finding=${finding}`, { replace: true })
  }, [isAsked, isKnown, finding, id, goTo])
  return !isAsked || isKnown
}

/** Links to the next finding with undecided lines after the last line of a finding. */
export function NextFinding({ invoice }: { readonly invoice: Invoice }) {
  const open = toCheck(invoice)
  if (open === null || open === 0) return null
  return (
    <>
      {' · '}
      <Link href={`/courier-invoices/${invoice.id}/lines`}>Continue with the next finding</Link>
    </>
  )
}

async function firstOpen(
  client: Client,
  id: string,
  found: readonly Finding[],
  signal: AbortSignal,
): Promise<Finding | null> {
  for (const finding of found) {
    const of = { id, finding, decided: 'false', limit: 1 } as const
    const { data } = await client.courierInvoices.listLines(of, { signal })
    if (data.length > 0) return finding
  }
  return null
}
