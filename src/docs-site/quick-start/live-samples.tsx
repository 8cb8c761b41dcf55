import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { Sample } from '../site-page.ts'
import { RunSample } from './run-sample.tsx'
import type { Variables } from './sample-call.ts'
import { SessionPanel } from './session-panel.tsx'
import { useTestSession } from './test-session.ts'

/** Makes the samples of the article runnable, at the places that the build left for them. */
export function LiveSamples({ samples }: { readonly samples: readonly Sample[] }) {
  const session = useTestSession()
  useValuesInSamples(session.variables)
  const makesConnection = samples.some(({ keeps }) => 'CONNECTION_ID' in keeps)
  const panel = document.getElementById('session')
  return (
    <>
      {panel !== null &&
        createPortal(<SessionPanel session={session} makesConnection={makesConnection} />, panel)}
      {samples.map((sample, index) => {
        const place = document.querySelector(`[data-sample="${index}"]`)
        if (place === null) return null
        // A new API key remounts the sample, without the previous responses.
        const key = `${index} ${session.variables.SHIPPING_LEDGER_KEY}`
        return createPortal(<RunSample sample={sample} session={session} />, place, key)
      })}
    </>
  )
}

/** Replaces the variables with the reader's values, also for copying. */
function useValuesInSamples(variables: Variables): void {
  useEffect(() => {
    for (const place of document.querySelectorAll<HTMLElement>('[data-variable]')) {
      const { variable = '', written = '', quote = '' } = place.dataset
      const value = variables[variable]
      place.textContent = value === undefined ? written : quote + value + quote
    }
  }, [variables])
}
