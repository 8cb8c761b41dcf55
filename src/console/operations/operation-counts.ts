import { useQuery } from '@tanstack/react-query'
import { useMay } from '../parts/scopes.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

const everyMs = 6_000

/** The number of operations that need attention. `to_review` excludes snoozed ones. */
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
