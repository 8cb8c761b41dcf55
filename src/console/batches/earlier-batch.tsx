import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { hrefOf } from '../parts/object-links.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

/** Waits for a pause in typing instead of asking on every keystroke. */
const typingPauseMs = 300
/** Each is a request. A file that was sent before shows it in its first lines. */
const ordersAskedMax = 5

type EarlierProps = {
  readonly reference: string
  readonly workspaceId: string
  /** The references of the lines to be sent. */
  readonly orders: readonly string[]
}

/** Says before sending what was sent before: under this reference, or under another one. */
export function EarlierBatch({ reference: typed, workspaceId, orders }: EarlierProps) {
  const { client } = useSession()
  const [reference] = useDebouncedValue(typed, typingPauseMs)
  const isEnabled = useMay('shipments:read') && workspaceId !== ''
  const earlier = useQuery({
    queryKey: ['batches', 'earlier', workspaceId, reference],
    queryFn: ({ signal }) =>
      client.batches.list(
        { workspace_id: workspaceId, external_reference: reference, limit: 1 },
        { signal },
      ),
    enabled: isEnabled && reference !== '',
    gcTime: 0,
  })
  const isNew = earlier.data?.data.length === 0
  const shipped = useShipped(orders, workspaceId, isEnabled && isNew)
  const [batch] = earlier.data?.data ?? []
  if (batch !== undefined) {
    return (
      <p role="status">
        <Link href={hrefOf(batch.id)}>A batch with this reference</Link> was sent before. Its orders
        that have a guide are found and not shipped again.
      </p>
    )
  }
  if (!isNew || shipped === null) return null
  return (
    <p className="refusal" role="status">
      Order <bdi>{shipped.external_reference}</bdi> has{' '}
      <Link href={hrefOf(shipped.id)}>a guide</Link> already. If this file was sent before, give it
      the reference that it had then. Otherwise each such order gets a second guide.
    </p>
  )
}

/** A shipment with a guide of one of the first orders; null if none has one. */
function useShipped(orders: readonly string[], workspaceId: string, isEnabled: boolean) {
  const { client } = useSession()
  const asked = orders.slice(0, ordersAskedMax)
  const { data } = useQuery({
    queryKey: ['shipments', 'of orders', workspaceId, asked],
    queryFn: async ({ signal }) => {
      for (const external_reference of asked) {
        const about = { workspace_id: workspaceId, external_reference, limit: 1 } as const
        const { data } = await client.shipments.list({ ...about, status: 'created' }, { signal })
        const [shipment] = data
        // Only what is shown of it: the rest is personal data.
        if (shipment !== undefined) return { id: shipment.id, external_reference }
      }
      return null
    },
    enabled: isEnabled,
    gcTime: 0,
  })
  return data ?? null
}
