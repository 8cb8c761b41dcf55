import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { againEveryMs } from '../reading/use-recovery.ts'
import { type FirstSteps, useFirstSteps } from './use-first-steps.ts'

/**
 * The first steps of an organization without shipments. Their code, with its forms, is loaded only
 * then.
 */
export function GetStarted() {
  const found = useFirstSteps()
  const [last, setLast] = useState<FirstSteps | null>(null)
  useEffect(() => {
    if (found !== null) setLast(found)
  }, [found])
  const { data } = useQuery({
    queryKey: ['code', 'first-steps'],
    queryFn: async () => ({ show: (await import('./first-steps.tsx')).FirstStepsPanel }),
    enabled: found !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: true,
    retryDelay: againEveryMs,
  })
  const steps = found ?? last
  if (steps === null || data === undefined) return null
  const { show: Show } = data
  return <Show steps={steps} isOver={found === null} />
}
