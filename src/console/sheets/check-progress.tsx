import { Refused } from '../parts/states.tsx'
import type { useSheetCheck } from './use-sheet-check.ts'

type ProgressProps = {
  readonly check: Pick<ReturnType<typeof useSheetCheck>, 'error' | 'isSettled'>
  /** What must be chosen before the file can be checked. */
  readonly needs: string | null
}

/** Whether a file is being checked, and why it cannot be. */
export function CheckProgress({ check: { error, isSettled }, needs }: ProgressProps) {
  if (needs !== null) return <p className="reason">{needs}</p>
  if (error !== null) return <Refused error={error}>The file cannot be checked.</Refused>
  return (
    <p className="reason" role="status">
      {isSettled ? 'Checked. Nothing is created yet.' : 'Checking the file…'}
    </p>
  )
}
