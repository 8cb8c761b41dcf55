import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { ListLink } from '../lists/list-link.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { BatchCounts } from './batch-counts.tsx'
import { BatchItems } from './batch-items.tsx'
import { BatchPapers } from './batch-papers.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { CancelBatchDialog } from './cancel-batch-dialog.tsx'
import { failedCount, isMoving } from './line-states.ts'
import { RetryDialog } from './retry-dialog.tsx'

type Batch = Answered<Schemas['Batch']>

/** Some lines end each second; afterwards only the shipments change. */
const movingEveryMs = 1_500
const restingEveryMs = 6_000

/** One batch: how far it is, and what came of each line. */
export function BatchScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const batch = usePolled(
    ['batch', id],
    client.batches.get,
    { id },
    {
      everyMs: (last) => (last === undefined || isMoving(last) ? movingEveryMs : restingEveryMs),
    },
  )
  if (batch.data !== undefined) return <Shown batch={batch.data} />
  if (batch.isPending) return <Loading what="the batch" />
  return <Failed isScreen error={batch.error} again={() => void batch.refetch()} />
}

const filterNames = ['state'] as const

function Shown({ batch }: { readonly batch: Batch }) {
  const { filters, setFilter } = useUrlFilters(filterNames)
  return (
    <>
      <ScreenHead
        back={<ListLink to="/batches">Batches</ListLink>}
        title={<bdi>{batch.external_reference}</bdi>}
        states={<Badge value={batch.status} />}
        acts={<Acts batch={batch} />}
      />
      <BatchProgress batch={batch} />
      <BatchCounts
        batch={batch}
        state={filters.state ?? ''}
        onState={(state) => setFilter('state', state)}
      />
      <NeedsPerson batch={batch} />
      <Reasons reasons={batch.reasons} />
      <Panel title="Lines" className="batch-lines">
        <BatchItems batch={batch} state={filters.state ?? ''} />
      </Panel>
      <BatchPapers batch={batch} />
      <Panel title="Details" name="Facts">
        <Facts facts={factsOf(batch)} />
      </Panel>
    </>
  )
}

function Acts({ batch }: { readonly batch: Batch }) {
  const [opened, setOpened] = useState<'cancel' | 'retry' | null>(null)
  const close = () => setOpened(null)
  const isOver = batch.status === 'completed'
  const waiting = batch.counts.waiting ?? 0
  const failed = failedCount(batch)
  return (
    <>
      {!isOver && (
        <ActButton
          word="Cancel what has not begun…"
          scope="shipments:write"
          refused={waiting > 0 ? null : refusalOf(batch)}
          onAct={() => setOpened('cancel')}
        />
      )}
      {failed > 0 && (
        <ActButton
          word="Retry what failed…"
          scope="shipments:write"
          isPrimary={isOver}
          onAct={() => setOpened('retry')}
        />
      )}
      {opened === 'cancel' && <CancelBatchDialog batch={batch} onClose={close} />}
      {opened === 'retry' && <RetryDialog batch={batch} onClose={close} />}
    </>
  )
}

function refusalOf({ status }: Batch): string {
  return status === 'cancelled' ? 'It was cancelled.' : 'Every line has begun.'
}

/** Lines whose outcome is unknown may have a guide, so a person may have to decide. */
function NeedsPerson({ batch }: { readonly batch: Batch }) {
  const unknown = batch.counts.unknown_outcome ?? 0
  if (unknown === 0) return null
  return (
    <p className="refusal">
      {unknown === 1 ? 'The outcome of one line is' : `The outcomes of ${unknown} lines are`}{' '}
      unknown: a guide may exist. The service is finding out; do not send the order elsewhere.{' '}
      <Link href={`/operations?workspace_id=${batch.workspace_id}`}>
        Operations of this workspace that need review
      </Link>
    </p>
  )
}

function Reasons({ reasons }: Pick<Batch, 'reasons'>) {
  const entries = Object.entries(reasons).toSorted(([, a], [, b]) => b - a)
  if (entries.length === 0) return null
  return (
    <Panel title="What went wrong" name="Reasons">
      <ul className="scopes">
        {entries.map(([reason, lines]) => (
          <li key={reason}>
            <strong>{lines}</strong> {reason.replaceAll('_', ' ')}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function factsOf(batch: Batch): readonly Fact[] {
  const { workspace_id: workspaceId, cancelled_at: cancelledAt, ended_at: endedAt } = batch
  return [
    ['Batch', <Copyable key="id" text={batch.id} />],
    ['Reference', <Copyable key="reference" text={batch.external_reference} />],
    ['Workspace', <WorkspaceLink key="workspace" id={workspaceId} />],
    ['Lines', batch.total],
    ['Lines with a guide', batch.result ?? 'not known yet'],
    ['Created', <Time key="created" at={batch.created_at} />],
    ['Cancelled', cancelledAt === null ? 'no' : <Time key="cancelled" at={cancelledAt} />],
    ['Ended', endedAt === null ? 'not yet' : <Time key="ended" at={endedAt} />],
  ]
}
