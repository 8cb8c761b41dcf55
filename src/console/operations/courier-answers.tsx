import { Link } from 'wouter'
import type { Operation } from '../../client/methods.ts'
import { callsInWords, useCallsOfLastHour } from '../reading/use-calls-of-last-hour.ts'

/** Whether the courier that gave no clear answer answers others. */
export function CourierAnswers({ operation }: { readonly operation: Operation }) {
  const { workspace_id: workspaceId, provider_code: code, livemode } = operation
  const counts = useCallsOfLastHour(livemode ? undefined : workspaceId)?.get(code)
  if (counts === undefined || counts.calls === 0) return null
  const isDown = counts.failed === counts.calls
  return (
    <p className="what-next">
      {isDown ? 'The courier may be down' : 'The courier answers'}: {callsInWords(counts)}.{' '}
      <Link href="/health">Health</Link>
    </p>
  )
}
