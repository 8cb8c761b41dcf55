import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  beginPlay,
  type Place,
  type Play,
  playCall,
  restoredPlay,
  type Scenario,
} from '../../client/play-scenario.ts'
import { useUrlFilters } from '../lists/url-filters.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

type Played = {
  readonly play: Play | null
  readonly isPlaying: boolean
  /** The play was started on this screen, not reopened. */
  readonly isBegunHere: boolean
  /** The address names a play that no longer exists. */
  readonly isForgotten: boolean
  readonly error: Error | null
  run(scenario: Scenario): void
  put(play: Play): void
}

const runKey = ['run-play']

/** The current play. Its key is in the address, so that the browser's history returns to it. */
export function usePlay(place: Place, scenarios: readonly Scenario[] | null): Played {
  const { client, single } = useSession()
  const queries = useQueryClient()
  const { filters, setFilter } = useUrlFilters(['play'])
  const key = filters.play ?? null
  const [begunKey, setBegunKey] = useState<string | null>(null)
  const { workspaceId } = place
  const mayRead = useMay('shipments:read')
  const mayReadOperations = useMay('operations:read')
  const put = (play: Play) => queries.setQueryData(['play', play.idempotencyKey], play)
  const known = useQuery({
    queryKey: ['play', key],
    queryFn: () =>
      restoredPlay(client, { key: key ?? '', workspaceId, scenarios, mayReadOperations }),
    enabled: mayRead && key !== null && workspaceId !== '' && scenarios !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const run = useMutation({
    mutationKey: runKey,
    mutationFn: async (begun: Play) => {
      let played = begun
      for (const call of begun.scenario.calls) {
        played = await playCall(single, played, call)
        put(played)
      }
    },
  })
  const begin = useMutation({
    mutationFn: (scenario: Scenario) => beginPlay(client, scenario, place),
  })
  const begun = (play: Play) => {
    put(play)
    setBegunKey(play.idempotencyKey)
    setFilter('play', play.idempotencyKey)
    run.mutate(play)
  }
  return {
    play: known.data ?? null,
    isPlaying: useIsMutating({ mutationKey: runKey }) > 0 || begin.isPending,
    isBegunHere: key !== null && key === begunKey,
    isForgotten: key !== null && known.data === null,
    error: begin.error ?? run.error ?? known.error,
    // A play stops when its screen is left.
    run: (scenario) => begin.mutate(scenario, { onSuccess: begun }),
    put,
  }
}
