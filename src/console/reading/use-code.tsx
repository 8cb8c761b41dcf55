import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { againEveryMs } from './use-recovery.ts'

/** How code that is loaded when it is needed is read: it does not change while the page is open. */
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

/** Code that is loaded when it is needed, again and again until it comes. */
export function useCode<T>(name: string, load: () => Promise<T>) {
  const { data, failureCount } = useQuery(codeOf(name, load))
  return { data, isMissing: data === undefined && failureCount > 0 }
}

/**
 * The service does not answer, or it has another version of these pages than the one that is open.
 * Reloading cannot be undone: it forgets what was typed, and a key that this tab does not keep.
 */
export function CodeMissing({ what }: { readonly what: string }) {
  return (
    <div role="alert" className="refusal code-missing">
      <p>
        {what} could not be loaded. This page tries again every few seconds. If the service was
        updated since you opened it, reload the page; you may have to sign in again.
      </p>
      <Button variant="default" onClick={() => location.reload()}>
        Reload the page
      </Button>
    </div>
  )
}
