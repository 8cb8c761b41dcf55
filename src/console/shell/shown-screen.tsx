import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Needs } from '../parts/scopes.tsx'
import { Loading } from '../parts/states.tsx'
import { CodeMissing, codeOf, useCode } from '../reading/use-code.tsx'
import { type Screen, screens } from '../screens.tsx'

type ShownProps = { readonly screen: Screen; readonly id: string }

/** One screen, whose code is loaded when it is first opened. */
export function ShownScreen({ screen, id }: ShownProps) {
  const { data, isMissing } = useCode(screen.path, () => loadScreen(screen))
  if (isMissing) return <CodeMissing what="This screen" />
  if (data === undefined) return <Loading what="the screen" />
  const { show: Show } = data
  // Another resource is another screen: no state carries over, least of all revealed data.
  return (
    <Needs key={`${screen.path} ${id}`} scope={screen.scope}>
      <Show id={id} />
    </Needs>
  )
}

/** A component is a function, which a query must not call. */
async function loadScreen({ load }: Screen) {
  return { show: await load() }
}

/** Loads the other screens while nothing else happens: they open at once, also without the service. */
export function useScreensAhead(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      for (const screen of screens) {
        const code = codeOf(screen.path, () => loadScreen(screen))
        void queries.prefetchQuery({ ...code, retry: false })
      }
    })
    return () => cancelIdleCallback(idle)
  }, [queries])
}
