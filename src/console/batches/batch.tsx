import { i18n } from '@lingui/core'
import { Box, UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Schemas } from '../../client/methods.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { formatNumber } from '../languages/language.ts'
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
import { countsInOrder, failedCount, failedStates, isMoving, stateOf } from './line-states.ts'
import { Cause, lineStateWord, resultWord } from './line-words.tsx'
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
  if (batch.isPending) return <Loading />
  return <Failed isScreen error={batch.error} again={() => void batch.refetch()} />
}

const filterNames = ['state'] as const

function Shown({ batch }: { readonly batch: Batch }) {
  const { filters, setFilter } = useUrlFilters(filterNames)
  const { format, choose } = useLabelFormat()
  return (
    <>
      <ScreenHead
        back={<ListLink to="/batches">{i18n.t('Batches')}</ListLink>}
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
      <Panel title={i18n.t('Lines')} className="batch-lines">
        <BatchItems batch={batch} state={filters.state ?? ''} />
      </Panel>
      <BatchDocuments batch={batch} format={format} onFormat={choose} />
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
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
          word={i18n.t('Cancel waiting lines…')}
          scope="shipments:write"
          refused={waiting > 0 ? null : refusalOf(batch)}
          onAct={() => setOpened('cancel')}
        />
      )}
      {failed > 0 && (
        <ActButton
          word={i18n.t('Retry failed lines…')}
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
  return status === 'cancelled' ? i18n.t('It was cancelled.') : i18n.t('No lines are waiting.')
}

/** Lines whose outcome is unknown may have a guide, and an operator may have to decide. */
function NeedsPerson({ batch }: { readonly batch: Batch }) {
  const unknown = batch.counts.unknown_outcome ?? 0
  if (unknown === 0) return null
  return (
    <p className="refusal">
      {i18n.t(
        '{count, plural, one {The outcome of one line is} other {The outcomes of # lines are}} unknown: a guide may exist. The service is asking the courier. Do not ship the order another way meanwhile.',
        { count: unknown },
      )}{' '}
      <Link href={`/operations?workspace_id=${batch.workspace_id}`}>
        {i18n.t('Operations of this workspace that need review')}
      </Link>
    </p>
  )
}

function Reasons({ reasons }: Pick<Batch, 'reasons'>) {
  const entries = Object.entries(reasons).toSorted(([, a], [, b]) => b - a)
  if (entries.length === 0) return null
  return (
    <Panel title={i18n.t('What went wrong')} name={i18n.t('Reasons')}>
      <ul className="scopes">
        {entries.map(([reason, lines]) => (
          <li key={reason}>
            <strong>
              {i18n.t('{count, plural, one {# line} other {# lines}}', { count: lines })}
            </strong>
            : <Cause reason={reason} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function factsOf(batch: Batch): readonly Fact[] {
  const { workspace_id: workspaceId, cancelled_at: cancelledAt, ended_at: endedAt } = batch
  return [
    [i18n.t('Batch'), <Copyable key="id" text={batch.id} />],
    [i18n.t('Reference'), <Copyable key="reference" text={batch.external_reference} />],
    [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={workspaceId} />],
    [i18n.t('Lines'), formatNumber(batch.total)],
    [
      i18n.t('Lines with a guide'),
      batch.result === null ? i18n.t('not known yet') : resultWord(batch.result),
    ],
    [i18n.t('Created'), <Time key="created" at={batch.created_at} />],
    [
      i18n.t({ id: 'Cancelled (batch)', message: 'Cancelled' }),
      cancelledAt === null ? i18n.t('no') : <Time key="cancelled" at={cancelledAt} />,
    ],
    [i18n.t('Ended'), endedAt === null ? i18n.t('not yet') : <Time key="ended" at={endedAt} />],
  ]
}

type CountsProps = {
  readonly batch: Schemas['Batch']
  /** Empty for every state. */
  readonly state: string
  readonly onState: (state: string) => void
}

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
    <Box
      component="fieldset"
      className="figures"
      p={0}
      bd={0}
      aria-label={i18n.t('Lines by state')}
    >
      <Tile
        name={i18n.t('all lines')}
        lines={batch.total}
        isPressed={state === ''}
        onPress={() => onState('')}
      />
      {tiles.map(([name, lines]) => (
        <Tile
          key={name}
          name={lineStateWord(name, lines)}
          lines={lines}
          isBad={isBad(name) && lines > 0}
          isPressed={state === name}
          onPress={() => onState(state === name ? '' : name)}
        />
      ))}
    </Box>
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
      <strong className="figure-value">{formatNumber(lines)}</strong>
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
      title={i18n.t('Cancel the waiting lines?')}
      does={i18n.t('Cancel them')}
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        {i18n.t(
          '{count, plural, one {One line is waiting} other {# lines are waiting}} and will be cancelled. Lines in progress are finished, because their guides may already exist. Guides are not cancelled: do that on the page of each shipment.',
          { count: waiting },
        )}
      </p>
      <p>{i18n.t('You can send the cancelled lines later, in a file with the same reference.')}</p>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
