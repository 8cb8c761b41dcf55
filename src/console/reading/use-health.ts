import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { polledEvery } from './polled.ts'

const everyMs = 5_000

/** The service's health in the key's tenant scope. It is loaded once for the whole page. */
export function useHealth() {
  const { client } = useSession()
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.health.get({}, { signal }),
    enabled: useMay('operations:read'),
    refetchInterval: polledEvery(everyMs),
  })
}

export function ledgerDamagedSentence(): string {
  return i18n.t(
    'The ledger has lost events. Nothing is created or cancelled until it is recovered.',
  )
}

/**
 * Why nothing can be created or cancelled now; null if it can, or if this key cannot see the
 * health.
 */
export function useDamageReason(): string | null {
  return useHealth().data?.ledger?.state === 'damaged' ? ledgerDamagedSentence() : null
}
