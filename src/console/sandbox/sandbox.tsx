import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Box, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Scenario } from '../../client/play-scenario.ts'
import { Panel } from '../parts/panel.tsx'
import { missing, useMay } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Empty, Failed, Loading, Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useDamageReason } from '../reading/use-health.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { usePlay } from './played.ts'
import { SandboxClock } from './sandbox-clock.tsx'
import { ChoosePlace, type SandboxPlace, useSandboxPlace } from './sandbox-place.tsx'
import { ScenarioPlay } from './scenario-play.tsx'
import { ScenarioText } from './scenario-text.tsx'

/** The scenarios of the simulated courier, to play and watch. */
export function Sandbox() {
  const { key } = useSession()
  if (key.livemode) {
    return (
      <Empty title={i18n.t('There is no sandbox in live mode')}>
        {i18n.t(
          'A live key creates real guides with real couriers, and time cannot be advanced. Sign in with a test key.',
        )}
      </Empty>
    )
  }
  return (
    <>
      <ScreenHead title={i18n.t('Sandbox')} />
      <Stage />
    </>
  )
}

function Stage() {
  const place = useSandboxPlace()
  const { workspaceId } = place
  return (
    <>
      <ChoosePlace place={place} />
      {workspaceId !== '' && <SandboxClock key={workspaceId} workspaceId={workspaceId} />}
      <Scenarios place={place} />
    </>
  )
}

function Scenarios({ place }: { readonly place: SandboxPlace }) {
  const { client } = useSession()
  const why = useWhyNot(place)
  const whyId = useId()
  const query = useQuery({
    queryKey: ['scenarios'],
    queryFn: ({ signal }) => client.sandbox.listScenarios({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const scenarios = useShown(query)
  const played = usePlay(place, scenarios.data?.data ?? null)
  if (scenarios.data === undefined) {
    if (scenarios.isPending) return <Loading />
    return <Failed error={scenarios.error} again={() => void scenarios.refetch()} />
  }
  return (
    <>
      <Refused error={played.error} />
      {played.play !== null && (
        <ScenarioPlay
          key={played.play.idempotencyKey}
          play={played.play}
          isPlaying={played.isPlaying}
          isBegunHere={played.isBegunHere}
          onPlayed={played.put}
        />
      )}
      {played.isForgotten && (
        <p className="reason">{i18n.t('The play in this address is unknown.')}</p>
      )}
      <Panel title={i18n.t('Scenarios')}>
        {why !== null && <p id={whyId}>{why}</p>}
        <ol className="cards">
          {scenarios.data.data.map((scenario) => (
            <li key={scenario.name}>
              <ScenarioRow
                scenario={scenario}
                isOff={played.isPlaying || place.connectionId === '' || why !== null}
                whyId={why === null ? undefined : whyId}
                onRun={() => played.run(scenario)}
              />
            </li>
          ))}
        </ol>
      </Panel>
    </>
  )
}

/** Why no scenario can run now; null if one can, or if it is not known yet. */
function useWhyNot({ workspaceId, connectionId, isLoading }: SandboxPlace): string | null {
  const damage = useDamageReason()
  if (!useMay('shipments:write')) return missing('shipments:write')
  if (damage !== null) return damage
  if (connectionId !== '' || isLoading) return null
  return workspaceId === ''
    ? i18n.t('A scenario needs a workspace and a courier connection.')
    : i18n.t('A scenario needs a courier connection.')
}

type RowProps = {
  readonly scenario: Scenario
  readonly isOff: boolean
  /** The id of the element that says why it cannot run. */
  readonly whyId: string | undefined
  readonly onRun: () => void
}

function ScenarioRow({ scenario, isOff, whyId, onRun }: RowProps) {
  const { number, expected, calls } = scenario
  const { status, reason } = expected.answer
  const answer = reason === null ? String(status) : `${status} ${reason}`
  return (
    <Group gap="sm" align="start" justify="space-between" wrap="nowrap">
      <div>
        <strong>
          {number} · <ScenarioText scenario={scenario} part="title" />
        </strong>
        <br />
        <ScenarioText scenario={scenario} part="summary" />
        <br />
        <span className="reason">
          {i18n.t('Answers {answer}', { answer })}
          {' · '}
          <Trans
            id="ends: {end}"
            values={{ end: <ScenarioText scenario={scenario} part="ends" /> }}
          />
          {calls.some(({ path }) => path === '/v1/courier-connections') &&
            ` · ${i18n.t('leaves behind a connection that needs new credentials')}`}
        </span>
      </div>
      <Box flex="none">
        <SteadyButton isOff={isOff} aria-describedby={whyId} onPress={onRun}>
          {i18n.t('Run {number}', { number })}
        </SteadyButton>
      </Box>
    </Group>
  )
}
