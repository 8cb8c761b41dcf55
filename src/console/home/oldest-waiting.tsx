import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import { Link } from 'wouter'
import { shortWhy } from '../operations/why.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Age } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

const everyMs = 4_000
/** The next ones; the work list has all of them. */
const shownMax = 8

/** The operations that have waited longest for a person. */
export function OldestWaiting() {
  const { client } = useSession()
  const input = {
    status: 'needs_review',
    snoozed: 'false',
    order: 'oldest',
    limit: shownMax,
  } as const
  const waiting = usePolled(['operations', 'waiting', input], client.operations.list, input, {
    everyMs: () => everyMs,
  })
  return (
    <Panel title="Waiting longest">
      {waiting.data === undefined ? (
        waiting.isPending ? (
          <Loading what="the operations" />
        ) : (
          <Failed error={waiting.error} />
        )
      ) : waiting.data.data.length === 0 ? (
        <Empty title="No operations need review" icon={<IconCircleCheck size={26} stroke={1.5} />}>
          There is nothing to decide now.
        </Empty>
      ) : (
        <ul className="waiting">
          {waiting.data.data.map((operation) => (
            <li key={operation.id}>
              <Link href={`/operations/${operation.id}`}>{operation.external_reference}</Link>
              <span>{shortWhy(operation)}</span>
              <span className="waiting-shop">
                <WorkspaceName id={operation.workspace_id} />
              </span>
              <span className="waiting-marks">
                {operation.contradicted && <Badge value="contradicted" />}
                {operation.escalated && <Badge value="escalated" />}
              </span>
              <span className="waiting-age">
                <Age at={operation.created_at} workspaceId={operation.workspace_id} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
