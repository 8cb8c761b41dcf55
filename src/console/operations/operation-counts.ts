import { useQuery } from '@tanstack/react-query'
import { useMay } from '../parts/scopes.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

const everyMs = 6_000

/** How many operations need attention now. `to_review` leaves out those that are put off. */
export function useOperationCounts() {
  const { client } = useSession()
  return useQuery({
    queryKey: ['statistics', 'operations'],
    queryFn: async ({ signal }) => {
      const counts = await client.statistics.countOperations({}, { signal })
      return { ...counts, to_review: counts.needs_review - counts.snoozed }
    },
    enabled: useMay('operations:read'),
    refetchInterval: polledEvery(everyMs),
  })
}
