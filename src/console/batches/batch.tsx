import { UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { counted } from '../lists/counted.ts'
import { ListLink } from '../lists/list-link.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { type LabelFormat, useLabelFormat } from '../parts/label-format.ts'
import { WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { BatchDocuments } from './batch-documents.tsx'
import { BatchItems } from './batch-items.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { causeOf } from './causes.ts'
import { countsInOrder, failedCount, failedStates, isMoving, stateOf } from './line-states.ts'
import { PrintLabels } from './print-labels.tsx'
import { RetryDialog } from './retry-dialog.tsx'

type Batch = Answered<Schemas['Batch']>

/** While a batch runs, some lines finish every second. Afterwards only the shipments change. */
const movingEveryMs = 1_500
const restingEveryMs = 6_000

/** One batch: its progress and the result of each line. */
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
  const { format, choose } = useLabelFormat()
  return (
    <>
      <ScreenHead
        back={<ListLink to="/batches">Batches</ListLink>}
        title={<bdi>{batch.external_reference}</bdi>}
        states={<Badge value={stateOf(batch)} />}
        acts={<Acts batch={batch} format={format} />}
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
      <BatchDocuments batch={batch} format={format} onFormat={choose} />
      <Panel title="Details" name="Facts">
        <Facts facts={factsOf(batch)} />
      </Panel>
    </>
  )
}

type ActsProps = { readonly batch: Batch; readonly format: LabelFormat }

function Acts({ batch, format }: ActsProps) {
  const [opened, setOpened] = useState<'cancel' | 'retry' | null>(null)
  const close = () => setOpened(null)
  const isOver = batch.status === 'completed'
  const waiting = batch.counts.waiting ?? 0
  const failed = failedCount(batch)
  const hasGuides = (batch.counts.created ?? 0) > 0
  return (
    <>
      {hasGuides && <PrintLabels batch={batch} format={format} />}
      {!isOver && (
        <ActButton
          word="Cancel waiting lines…"
          scope="shipments:write"
          refused={waiting > 0 ? null : refusalOf(batch)}
          onAct={() => setOpened('cancel')}
        />
      )}
      {failed > 0 && (
        <ActButton
          word="Retry failed lines…"
          scope="shipments:write"
          isPrimary={isOver && !hasGuides}
          onAct={() => setOpened('retry')}
        />
      )}
      {opened === 'cancel' && <CancelBatchDialog batch={batch} onClose={close} />}
      {opened === 'retry' && <RetryDialog batch={batch} onClose={close} />}
    </>
  )
}

function refusalOf({ status }: Batch): string {
  return status === 'cancelled' ? 'It was cancelled.' : 'No lines are waiting.'
}

/** Lines whose outcome is unknown may have a guide, and an operator may have to decide. */
function NeedsPerson({ batch }: { readonly batch: Batch }) {
  const unknown = batch.counts.unknown_outcome ?? 0
  if (unknown === 0) return null
  return (
    <p className="refusal">
      {unknown === 1 ? 'The outcome of one line is' : `The outcomes of ${unknown} lines are`}{' '}
      unknown: a guide may exist. The service is asking the courier. Do not ship the order another
      way meanwhile.{' '}
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
            <strong>{counted(lines, 'line')}</strong>: {causeOf(reason)}
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

type CountsProps = {
  readonly batch: Schemas['Batch']
  /** Empty for every state. */
  readonly state: string
  readonly onState: (state: string) => void
}

const format = new Intl.NumberFormat('en')

/**
 * The number of lines in each state. Pressing a tile filters the list below; pressing it again
 * clears the filter.
 */
function BatchCounts({ batch, state, onState }: CountsProps) {
  const counts = countsInOrder(batch)
  // A pressed tile stays visible even after its last line has left the state.
  const isGone = state !== '' && batch.counts[state] === undefined
  const tiles = isGone ? [...counts, [state, 0] as const] : counts
  return (
    <fieldset className="figures batch-counts" aria-label="Lines by state">
      <Tile
        name="all lines"
        lines={batch.total}
        isPressed={state === ''}
        onPress={() => onState('')}
      />
      {tiles.map(([name, lines]) => (
        <Tile
          key={name}
          name={name.replaceAll('_', ' ')}
          lines={lines}
          isBad={isBad(name) && lines > 0}
          isPressed={state === name}
          onPress={() => onState(state === name ? '' : name)}
        />
      ))}
    </fieldset>
  )
}

function isBad(state: string): boolean {
  return state === 'unknown_outcome' || failedStates.some((failed) => failed === state)
}

type TileProps = {
  readonly name: string
  readonly lines: number
  readonly isBad?: boolean
  readonly isPressed: boolean
  readonly onPress: () => void
}

function Tile({ name, lines, isBad: bad = false, isPressed, onPress }: TileProps) {
  return (
    <UnstyledButton
      className="figure"
      data-tone={bad ? 'bad' : lines === 0 ? 'none' : 'calm'}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <span className="figure-name">{name}</span>
      <strong className="figure-value">{format.format(lines)}</strong>
    </UnstyledButton>
  )
}

type DialogProps = { readonly batch: Schemas['Batch']; readonly onClose: () => void }

/** Cancels the lines that are still waiting. */
function CancelBatchDialog({ batch, onClose }: DialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { id } = batch
  const sending = useSendOnce({
    send: () => client.batches.cancel({ id }),
    onSent: async (changed) => {
      queries.setQueryData(['batch', id], changed)
      await queries.invalidateQueries({ queryKey: ['batch-items', id] })
      onClose()
    },
  })
  const waiting = batch.counts.waiting ?? 0
  return (
    <ConfirmDialog
      title="Cancel the waiting lines?"
      does="Cancel them"
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        {waiting === 1 ? 'One line is waiting' : `${waiting} lines are waiting`} and will be
        cancelled. Lines in progress are finished, because their guides may already exist. Guides
        are not cancelled: do that on the page of each shipment.
      </p>
      <p>You can send the cancelled lines later, in a file with the same reference.</p>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
