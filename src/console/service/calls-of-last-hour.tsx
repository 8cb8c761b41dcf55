import { useClockWorkspace } from '../parts/names.tsx'
import { callsInWords, useCallsOfLastHour } from '../reading/use-calls-of-last-hour.ts'

/** A courier that can be reached may still fail the calls that create guides. */
export function CallsOfLastHour({ code }: { readonly code: string }) {
  const counts = useCallsOfLastHour(useClockWorkspace())?.get(code)
  return counts === undefined ? null : <span className="reason">{callsInWords(counts)}</span>
}
