import { i18n } from '@lingui/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Needs } from '../parts/scopes.tsx'
import { Loading } from '../parts/states.tsx'
import { CodeMissing, codeOf, useCode } from '../reading/use-code.tsx'
import { type Screen, screens } from '../screens.tsx'

type ShownProps = { readonly screen: Screen; readonly id: string }

/** Renders a screen, loading its code when it is first opened. */
export function CurrentScreen({ screen, id }: ShownProps) {
  const { data, isMissing } = useCode(screen.path, () => loadScreen(screen))
  if (isMissing) return <CodeMissing>{i18n.t('This screen could not be loaded.')}</CodeMissing>
  if (data === undefined) return <Loading />
  const { show: Show } = data
  // Another id remounts the screen, so that no state carries over, in particular no revealed data.
  return (
    <Needs key={`${screen.path} ${id}`} scope={screen.scope}>
      <Show id={id} />
    </Needs>
  )
}

/** Wrapped in an object, because a query would call a function. */
async function loadScreen({ load }: Screen) {
  return { show: await load() }
}

/**
 * Loads the other screens while the browser is idle, so they open immediately, even if the service
 * is down.
 */
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
