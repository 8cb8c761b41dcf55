import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

export type LedgerEvent = Schemas['LedgerEvent']

/** The API's largest page. */
const pageEvents = 100
/** Of a longer history, only the first events are shown. */
const eventsMax = 5_000

/**
 * The events of a shipment, oldest first. They are read again when the version of `of` changes,
 * which is the shipment or one of its operations.
 */
export function useShipmentEvents(
  id: string,
  of: { readonly id: string; readonly version: number },
) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['shipment', id, 'events', of.id, of.version],
    queryFn: async ({ signal }) => {
      const all: LedgerEvent[] = []
      const history = client.ledger.listShipmentEvents({ id, limit: pageEvents }, { signal })
      for await (const event of history) if (all.push(event) >= eventsMax) break
      return all
    },
    enabled: useMay('ledger:read'),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}
