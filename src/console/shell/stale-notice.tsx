import { Trans } from '@lingui/react'
import IconCloudOff from '@tabler/icons-react/icons/IconCloudOff'
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { ErrorMessage } from '../parts/states.tsx'
import { ClockTime } from '../parts/times.tsx'

/** Warns that the data shown may be out of date when the latest read of any of it failed. */
export function StaleNotice() {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  )
  const oldest = useSyncExternalStore(subscribe, () => oldestState(cache.findAll(stale)))
  return (
    <div className="stale-notice" role="status">
      {oldest !== null && (
        <>
          <IconCloudOff size={18} aria-hidden />
          <strong>
            <Trans
              id="Out of date since {time}:"
              values={{ time: <ClockTime at={new Date(oldest.dataUpdatedAt).toISOString()} /> }}
            />
          </strong>{' '}
          <ErrorMessage error={oldest.error} />
        </>
      )}
    </div>
  )
}

/** Data that was never loaded is not stale; its place on the screen shows the error. */
const stale = {
  type: 'active' as const,
  predicate: ({ state }: Query) => state.error !== null && state.data !== undefined,
}

function oldestState(queries: readonly Query[]): Query['state'] | null {
  const [first, ...others] = queries.map(({ state }) => state)
  if (first === undefined) return null
  return others.reduce((a, b) => (b.dataUpdatedAt < a.dataUpdatedAt ? b : a), first)
}
