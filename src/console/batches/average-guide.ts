import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

/** The API's largest page. */
const guidesMax = 100
const freshMs = 60_000

type Average = { readonly guides: number; readonly price: Schemas['Money'] }

/** What the newest guides of an account cost; null if none of them has a price, or in several currencies. */
export function useAverageGuide(connectionId: string): Average | null {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['shipments', 'average price', connectionId],
    queryFn: async ({ signal }) => {
      const { data: newest } = await client.shipments.list(
        { courier_connection_id: connectionId, status: 'created', limit: guidesMax },
        { signal },
      )
      return averageOf(newest.flatMap(({ price }) => price ?? []))
    },
    enabled: useMay('shipments:read') && connectionId.startsWith('ccn_'),
    staleTime: freshMs,
  })
  return data ?? null
}

function averageOf(prices: readonly Schemas['Money'][]): Average | null {
  const [first] = prices
  if (first === undefined) return null
  const { currency } = first
  if (prices.some((price) => price.currency !== currency)) return null
  const sum = prices.reduce((total, { amount }) => total + amount, 0)
  return { guides: prices.length, price: { amount: Math.round(sum / prices.length), currency } }
}
