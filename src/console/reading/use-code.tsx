import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { againEveryMs } from './use-recovery.ts'

/** The query options for lazily loaded code, which does not change while the page is open. */
export function codeOf<T>(name: string, load: () => Promise<T>) {
  return {
    queryKey: ['code', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: true,
    retryDelay: againEveryMs,
  } as const
}

/** Loads code lazily, retrying until it arrives. */
export function useCode<T>(name: string, load: () => Promise<T>) {
  const { data, failureCount } = useQuery(codeOf(name, load))
  return { data, isMissing: data === undefined && failureCount > 0 }
}

/**
 * Shown, after the sentence about what is missing, when the service does not respond or serves
 * another version of these pages. The user
 * decides about reloading, because it drops typed input and a key that is not stored in this tab.
 */
export function CodeMissing({ children }: { readonly children: string }) {
  return (
    <div role="alert" className="refusal">
      <p>
        {children}{' '}
        {i18n.t(
          'This page tries again every few seconds. If the service was updated since you opened it, reload the page; you may have to sign in again.',
        )}
      </p>
      <Button variant="default" mt="3xs" onClick={() => location.reload()}>
        {i18n.t('Reload the page')}
      </Button>
    </div>
  )
}
