import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Refused } from '../parts/states.tsx'
import { Time, useNow } from '../parts/times.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

const steps = () =>
  [
    ['PT1M', i18n.t('1 minute')],
    ['PT1H', i18n.t('1 hour')],
    ['PT8H', i18n.t('8 hours')],
    ['P1D', i18n.t('1 day')],
    ['P3D', i18n.t('3 days')],
    ['P30D', i18n.t('30 days')],
  ] as const

/** The polling interval while the clock advances. */
const advancingEveryMs = 500
const restingEveryMs = 5_000
/** The API's own limit. */
const durationMax = 40

/** Reads and advances the clock. */
function useClock(workspaceId: string) {
  const { client } = useSession()
  const queries = useQueryClient()
  const advance = useMutation({
    mutationFn: (by: string) => client.sandbox.advanceClock({ workspace_id: workspaceId, by }),
    onSuccess: (reached) => queries.setQueryData(['clock', workspaceId], reached),
  })
  const clock = useQuery({
    queryKey: ['clock', workspaceId],
    queryFn: ({ signal }) => client.sandbox.getClock({ workspace_id: workspaceId }, { signal }),
    refetchInterval: (query) => {
      const isAdvancing = advance.isPending || (query.state.data?.advancing_to ?? null) !== null
      return polledEvery(isAdvancing ? advancingEveryMs : restingEveryMs)(query)
    },
  })
  const goal = clock.data?.advancing_to ?? null
  // All relative times of this workspace have changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step on the way is another time
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['clock-offset', workspaceId] })
  }, [goal, clock.data?.now, queries, workspaceId])
  return { advance, clock, goal, isAdvancing: advance.isPending || goal !== null }
}

/** The workspace's clock, which runs in real time and can be advanced. */
export function SandboxClock({ workspaceId }: { readonly workspaceId: string }) {
  const [by, setBy] = useState('PT1H')
  const mayAdvance = useMay('shipments:write')
  const now = useNow(workspaceId)
  const { advance, clock, goal, isAdvancing } = useClock(workspaceId)
  const advanced = clock.data?.advance ?? null
  const act = () => {
    if (mayAdvance && !isAdvancing && by !== '') advance.mutate(by)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act()
  }
  return (
    <Panel title={i18n.t('Clock')}>
      <p>
        {clock.data === undefined ? (
          '…'
        ) : (
          <Time at={isAdvancing ? clock.data.now : new Date(now).toISOString()} />
        )}
        {goal !== null && (
          <span role="status">
            {' · '}
            <Trans id="advancing to {time}" values={{ time: <Time at={goal} /> }} />
          </span>
        )}
      </p>
      {advanced !== null && <AdvanceProgress advance={advanced} isAdvancing={goal !== null} />}
      <form className="actions" onSubmit={submit}>
        <TextInput
          label={i18n.t('Advance by')}
          list="steps"
          maxLength={durationMax}
          autoComplete="off"
          spellCheck={false}
          value={by}
          onChange={(event) => setBy(event.target.value.trim())}
        />
        <datalist id="steps">
          {steps().map(([duration, word]) => (
            <option key={duration} value={duration}>
              {word}
            </option>
          ))}
        </datalist>
        <ActButton
          word={isAdvancing ? i18n.t('Advancing…') : i18n.t('Advance the clock')}
          scope="shipments:write"
          isPending={isAdvancing}
          refused={by === '' ? i18n.t('Enter a duration such as PT6H or P2D.') : null}
          onAct={act}
        />
      </form>
      <Refused error={advance.error ?? clock.error} />
    </Panel>
  )
}

type Advance = NonNullable<Schemas['SandboxClock']['advance']>

/** The progress of an advance, or what the last one could not do. */
function AdvanceProgress({
  advance,
  isAdvancing,
}: {
  readonly advance: Advance
  readonly isAdvancing: boolean
}) {
  const { steps_done: done, steps_due: due, skipped, skipped_more: more } = advance
  if (isAdvancing) {
    return (
      <p>
        {i18n.t('{done, plural, one {# step} other {# steps}} done, {due, number} due so far', {
          done,
          due,
        })}
      </p>
    )
  }
  if (skipped.length === 0) return null
  return (
    <div role="status">
      <p>
        <Trans
          id="The advance to {time} could not complete everything. The rest is retried from now on."
          values={{ time: <Time at={advance.to} /> }}
        />
      </p>
      <ul className="not-done" aria-label={i18n.t('Not done')}>
        {skipped.map(({ shipment_id: shipmentId, what, reason }) => (
          <li key={`${shipmentId} ${what}`}>
            <Skipped what={what} shipmentId={shipmentId} />
            {': '}
            {skipReasons()[reason] ?? <ServiceText>{reason.replaceAll('_', ' ')}</ServiceText>}
          </li>
        ))}
        {more > 0 && (
          <li>{i18n.t('{count, plural, one {# more} other {# more}}', { count: more })}</li>
        )}
      </ul>
    </div>
  )
}

type SkippedProps = { readonly what: string; readonly shipmentId: string | null }

/** What was skipped, and of which shipment. */
function Skipped({ what, shipmentId }: SkippedProps) {
  const words = skippedText()[what] ?? what.replaceAll('_', ' ')
  if (shipmentId === null) return words
  const shipment = <Link href={hrefOf(shipmentId)}>{shipmentId}</Link>
  return <Trans id="{what} of {shipment}" values={{ what: words, shipment }} />
}

const skippedText = (): Readonly<Record<string, string>> => ({
  reconciliation: i18n.t('reconciliation'),
  tracking: i18n.t('tracking'),
  label: i18n.t('label'),
  erasure: i18n.t('erasure'),
  webhook: i18n.t('webhook'),
})

const skipReasons = (): Readonly<Record<string, string>> => ({
  deferred: i18n.t('it must wait, for example because the courier refused the credentials'),
  failed: i18n.t('it failed every time; see the service log'),
  still_due: i18n.t('it is still due, or in progress elsewhere'),
})
