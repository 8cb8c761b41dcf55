import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import { ActButton } from '../parts/act-button.tsx'
import { FilterSelect, FilterText } from '../parts/filters.tsx'
import type { Scenario } from '../parts/play-scenario.ts'
import { usePlay } from '../parts/played.ts'
import { useMay } from '../parts/scopes.tsx'
import { Empty, Failed, Loading, Refused } from '../parts/states.tsx'
import { useUrlFilters } from '../parts/url-filters.ts'
import { useSession } from '../session.tsx'
import { SandboxClock } from './sandbox-clock.tsx'
import { ScenarioPlay } from './scenario-play.tsx'

/** More are chosen by their id: nobody finds one of hundreds in a list that drops down. */
const choicesMax = 100

/** The nineteen things that the simulated courier can do, played and watched. */
export function Sandbox() {
  const { key } = useSession()
  if (key.livemode) {
    return (
      <Empty title="There is no sandbox in live mode">
        A live key makes real guides at real couriers, and its time cannot be advanced. Sign out and
        enter with a test key.
      </Empty>
    )
  }
  return (
    <>
      <h1>Sandbox</h1>
      <Stage />
    </>
  )
}

function Stage() {
  const { filters, setFilter } = useUrlFilters(['workspace_id', 'connection'])
  const workspaces = useWorkspaces()
  const workspaceId = filters.workspace_id ?? workspaces?.[0]?.[0] ?? ''
  const connections = useConnections(workspaceId)
  const connectionId = filters.connection ?? oldestActive(connections)
  const chooseWorkspace = (id: string) => {
    setFilter('connection', '')
    setFilter('workspace_id', id)
  }
  return (
    <>
      <search className="filters">
        <Choice
          label="Workspace"
          value={workspaceId}
          choices={workspaces}
          onChange={chooseWorkspace}
        />
        <Choice
          label="Courier connection"
          value={connectionId}
          choices={connections?.map(choiceOf) ?? null}
          onChange={(id) => setFilter('connection', id)}
        />
      </search>
      {workspaceId !== '' && <SandboxClock key={workspaceId} workspaceId={workspaceId} />}
      <Scenarios workspaceId={workspaceId} connectionId={connectionId} />
    </>
  )
}

type Connection = Schemas['CourierConnection']
type Choices = readonly (readonly [id: string, word: string])[]

/** Null where the key may not read them, or they are not there yet. */
function useWorkspaces(): Choices | null {
  const { client, key } = useSession()
  const read = useQuery({
    queryKey: ['workspaces', 'choices'],
    queryFn: ({ signal }) => client.workspaces.list({ limit: choicesMax }, { signal }),
    enabled: useMay('workspaces:read'),
  })
  if (key.workspace_id !== null) return [[key.workspace_id, key.workspace_id]]
  return read.data?.data.map(({ id, name }) => [id, name] as const) ?? null
}

function useConnections(workspaceId: string): readonly Connection[] | null {
  const { client } = useSession()
  const query = { workspace_id: workspaceId, limit: choicesMax }
  const read = useQuery({
    queryKey: ['connections', 'choices', workspaceId],
    queryFn: ({ signal }) => client.courierConnections.list(query, { signal }),
    enabled: useMay('connections:read') && workspaceId !== '',
  })
  return read.data?.data ?? null
}

/** The newest may be one that a scenario has left behind. */
function oldestActive(connections: readonly Connection[] | null): string {
  return connections?.findLast(({ status }) => status === 'active')?.id ?? ''
}

function choiceOf({ id, display_name: name, status }: Connection): Choices[number] {
  return [id, `${name} · ${status.replaceAll('_', ' ')}`]
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly choices: Choices | null
  readonly onChange: (id: string) => void
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  if (choices === null) return <FilterText label={label} value={value} onChange={onChange} />
  const isListed = choices.some(([id]) => id === value)
  const options = isListed ? choices : [[value, value === '' ? 'none' : value] as const, ...choices]
  return <FilterSelect label={label} value={value} options={options} onChange={onChange} />
}

type PlaceProps = { readonly workspaceId: string; readonly connectionId: string }

function Scenarios({ workspaceId, connectionId }: PlaceProps) {
  const { client } = useSession()
  const scenarios = useQuery({
    queryKey: ['scenarios'],
    queryFn: ({ signal }) => client.sandbox.listScenarios({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const played = usePlay({ workspaceId, connectionId }, scenarios.data?.data ?? null)
  if (scenarios.data === undefined) {
    if (scenarios.isPending) return <Loading what="the scenarios" />
    return <Failed error={scenarios.error} again={() => void scenarios.refetch()} />
  }
  const refused = connectionId === '' ? 'Choose a courier connection first.' : null
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
      {played.isForgotten && <p className="reason">The play of this address is not known.</p>}
      <section className="panel" aria-label="Scenarios">
        <h2>Scenarios</h2>
        <ol className="scenarios">
          {scenarios.data.data.map((scenario) => (
            <li key={scenario.name}>
              <ScenarioRow
                scenario={scenario}
                isPlaying={played.isPlaying}
                refused={refused}
                onRun={() => played.run(scenario)}
              />
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

type RowProps = {
  readonly scenario: Scenario
  readonly isPlaying: boolean
  readonly refused: string | null
  readonly onRun: () => void
}

function ScenarioRow({ scenario, isPlaying, refused, onRun }: RowProps) {
  const { number, name, summary, ends, expected, calls } = scenario
  const { status, reason } = expected.answer
  return (
    <>
      <div>
        <strong>
          {number} · {name.replaceAll('_', ' ')}
        </strong>
        <br />
        {summary.replaceAll('`', '')}
        <br />
        <span className="reason">
          Answers {status}
          {reason !== null && ` ${reason}`} · ends: {ends}
          {calls.some(({ path }) => path === '/v1/courier-connections') &&
            ' · leaves behind a connection that needs new credentials'}
        </span>
      </div>
      <div className="actions">
        <ActButton
          word={`Run ${number}`}
          scope="shipments:write"
          isPending={isPlaying}
          refused={refused}
          onAct={onRun}
        />
      </div>
    </>
  )
}
