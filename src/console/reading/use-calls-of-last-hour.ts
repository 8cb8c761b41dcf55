import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session.tsx'
import { polledEvery } from './polled.ts'

const everyMs = 15_000

/**
 * The calls to each courier in the last hour, by its code. In test mode on the clock of this
 * workspace; undefined: the real time.
 */
export function useCallsOfLastHour(workspaceId: string | undefined) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['statistics', 'couriers', 'last hour', workspaceId],
    queryFn: async ({ signal }) => {
      const of = workspaceId === undefined ? {} : { workspace_id: workspaceId }
      const { couriers } = await client.statistics.countCourierCalls(
        { interval: 'minute', ...of },
        { signal },
      )
      return new Map(couriers.map((courier) => [courier.provider_code, courier]))
    },
    refetchInterval: polledEvery(everyMs),
  }).data
}

/** The same words on every screen. */
export function callsInWords({
  calls,
  failed,
}: {
  readonly calls: number
  readonly failed: number
}): string {
  return `${failed} of ${calls} calls failed in the last hour`
}
