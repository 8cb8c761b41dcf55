import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../languages/language.ts'
import { useClockWorkspace } from '../parts/names.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

/** Shown next to a courier's status, because a reachable courier may still fail calls. */
export function CallsOfLastHour({ code }: { readonly code: string }) {
  const counts = useCallsOfLastHour(useClockWorkspace())?.get(code)
  return counts === undefined ? null : <span className="reason">{callsText(counts)}</span>
}

const everyMs = 15_000

/**
 * The calls to each courier in the last hour, by courier code. In test mode on the clock of the
 * workspace; undefined for real time.
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

function callsText({ calls, failed }: { readonly calls: number; readonly failed: number }): string {
  return i18n.t('{failed} of {calls} calls failed in the last hour', {
    failed: formatNumber(failed),
    calls: formatNumber(calls),
  })
}
