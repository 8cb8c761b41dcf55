import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { counted } from '../lists/counted.ts'
import { hrefOf } from '../parts/object-links.ts'
import { useSession } from '../session.tsx'
import { isWithdrawn, periodOf } from './invoice-findings.ts'

/** Waits for a pause in typing instead of asking on every keystroke. */
const pauseMs = 300

type EarlierProps = { readonly connectionId: string; readonly reference: string }

/** What becomes of a file under a reference that was imported before. */
export function EarlierInvoice({ connectionId, reference }: EarlierProps) {
  const { client } = useSession()
  const [settled] = useDebouncedValue(reference, pauseMs)
  const { data } = useQuery({
    queryKey: ['invoices', 'earlier', connectionId, settled],
    queryFn: ({ signal }) =>
      client.courierInvoices.list(
        { courier_connection_id: connectionId, reference: settled, limit: 1 },
        { signal },
      ),
    enabled: connectionId.startsWith('ccn_') && settled !== '',
    gcTime: 0,
  })
  const [earlier] = data?.data ?? []
  if (earlier === undefined || earlier.reference !== reference) return null
  const { id, version, total } = earlier
  const period = earlier.period === null ? '' : `, ${periodOf(earlier)}`
  const next = `version ${version + 1} of it, which keeps the decisions of the lines that did not change`
  return (
    <p className="earlier-invoice" role="status">
      <Link href={hrefOf(id)}>{reference}</Link> was imported before ({counted(total, 'line')}
      {period})
      {isWithdrawn(earlier)
        ? ` and is withdrawn. What you send now is ${next}, also if it is the same file.`
        : `. The same file and period are the same invoice, and nothing changes. Anything else is ${next}.`}
    </p>
  )
}
