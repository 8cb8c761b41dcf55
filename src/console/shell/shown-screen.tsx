import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Needs } from '../parts/scopes.tsx'
import { Loading } from '../parts/states.tsx'
import { againEveryMs } from '../reading/use-recovery.ts'
import { type Screen, screens } from '../screens.tsx'

type ShownProps = { readonly screen: Screen; readonly id: string }

/** Code does not change while the page is open, so it is loaded once. */
const code = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: true,
  retryDelay: againEveryMs,
} as const

/** One screen, whose code is loaded when it is first opened. */
export function ShownScreen({ screen, id }: ShownProps) {
  const { data, failureCount } = useQuery(codeOf(screen))
  if (data === undefined) {
    if (failureCount === 0) return <Loading what="the screen" />
    return (
      <p role="alert" className="refusal">
        This screen could not be loaded. This page tries again every few seconds.
      </p>
    )
  }
  const { show: Show } = data
  // Another resource is another screen: no state carries over, least of all revealed data.
  return (
    <Needs key={`${screen.path} ${id}`} scope={screen.scope}>
      <Show id={id} />
    </Needs>
  )
}

function codeOf({ path, load }: Screen) {
  return {
    ...code,
    queryKey: ['code', path],
    // A component is a function, which a query must not call.
    queryFn: async () => ({ show: await load() }),
  }
}

/** Loads the other screens while nothing else happens: they open at once, also without the service. */
export function useScreensAhead(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      for (const screen of screens) void queries.prefetchQuery({ ...codeOf(screen), retry: false })
    })
    return () => cancelIdleCallback(idle)
  }, [queries])
}
