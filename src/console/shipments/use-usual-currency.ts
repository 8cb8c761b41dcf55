import { useQuery } from '@tanstack/react-query'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

/** Some of the newest shipments may have no price. */
const lookedAt = 10

/**
 * The currency of the workspace's newest price, for amounts that are typed without one. Empty if it
 * is not known. Once known it stays the same, so that it does not change a request under its quote.
 */
export function useUsualCurrency(workspaceId: string): string {
  const { client } = useSession()
  const mayRead = useMay('shipments:read')
  const { data } = useQuery({
    queryKey: ['usual currency', workspaceId],
    queryFn: async ({ signal }) => {
      const query = { workspace_id: workspaceId, limit: lookedAt }
      const { data: newest } = await client.shipments.list(query, { signal })
      return newest.find(({ price }) => price !== null)?.price?.currency ?? ''
    },
    enabled: mayRead && workspaceId !== '',
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data ?? ''
}
