import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { oldestActive, type Place } from '../../client/play-scenario.ts'
import { FilterSelect, FilterText } from '../lists/filters.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Scope, useMay } from '../parts/scopes.tsx'
import { stateWord } from '../parts/state-words.ts'
import { Failed, Loading, Refused } from '../parts/states.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'

/** A drop-down list of hundreds is not usable. */
const choicesMax = 100
/** There is one workspace per reference, so a second press or tab does not create another. */
const sandboxWorkspace = { name: 'Sandbox', external_reference: 'sandbox' } as const
/** The simulated courier accepts any password but `wrong`. */
const simulatedCourier = {
  provider_code: 'mock',
  display_name: 'Simulated courier',
  credentials: { username: 'sandbox', password: 'any' },
} as const

type Connection = Schemas['CourierConnection']
type Choices = readonly (readonly [id: string, word: string])[]

/**
 * Where scenarios are played: the chosen workspace and connection, or the first of each; empty
 * without any.
 */
export type SandboxPlace = Place & {
  /** Null if this key cannot list them, so the operator types an id. */
  readonly workspaces: Choices | null
  readonly connections: Choices | null
  readonly isLoading: boolean
  readonly error: Error | null
  choose(workspaceId: string, connectionId: string): void
  /** Reloads the choices. */
  again(): void
}

export function useSandboxPlace(): SandboxPlace {
  const { filters, setFilter } = useUrlFilters(['workspace_id', 'connection'])
  const workspaces = useWorkspaces()
  const workspaceId = filters.workspace_id ?? workspaces.choices?.[0]?.[0] ?? ''
  const connections = useConnections(workspaceId)
  return {
    workspaceId,
    connectionId: filters.connection ?? oldestActive(connections.listed ?? [])?.id ?? '',
    workspaces: workspaces.choices,
    connections: connections.listed?.map(choiceOf) ?? null,
    isLoading: workspaces.isLoading || connections.isLoading,
    error: workspaces.error ?? connections.error,
    choose(workspace, connection) {
      setFilter('workspace_id', workspace)
      setFilter('connection', connection)
    },
    again() {
      workspaces.again()
      connections.again()
    },
  }
}

function useWorkspaces() {
  const { client, key } = useSession()
  const isEnabled = useMay('workspaces:read') && key.workspace_id === null
  const query = useQuery({
    queryKey: ['workspaces', 'choices'],
    queryFn: ({ signal }) => client.workspaces.list({ limit: choicesMax }, { signal }),
    enabled: isEnabled,
  })
  const { data, error, isPending, refetch } = useShown(query)
  const listed = data?.data.map(({ id, name }) => [id, name] as const) ?? null
  const own: Choices | null =
    key.workspace_id === null ? null : [[key.workspace_id, key.workspace_id]]
  return {
    choices: own ?? listed,
    isLoading: isEnabled && isPending,
    error: data === undefined ? error : null,
    again: () => void (isEnabled && refetch()),
  }
}

function useConnections(workspaceId: string) {
  const { client } = useSession()
  const mayRead = useMay('connections:read')
  const isEnabled = mayRead && workspaceId !== ''
  const input = { workspace_id: workspaceId, limit: choicesMax }
  const query = useQuery({
    queryKey: ['connections', 'choices', workspaceId],
    queryFn: ({ signal }) => client.courierConnections.list(input, { signal }),
    enabled: isEnabled,
  })
  const { data, error, isPending, refetch } = useShown(query, workspaceId)
  return {
    listed: mayRead ? (data?.data ?? []) : null,
    isLoading: isEnabled && isPending,
    error: data === undefined ? error : null,
    again: () => void (isEnabled && refetch()),
  }
}

function choiceOf({ id, display_name: name, status }: Connection): Choices[number] {
  return [id, `${name} · ${stateWord(status)}`]
}

type PlaceProps = { readonly place: SandboxPlace }

/** Chooses the workspace and connection, or creates what is missing. */
export function ChoosePlace({ place }: PlaceProps) {
  const { workspaceId, connectionId, workspaces, connections, choose } = place
  const make = useMakePlace(place)
  if (place.isLoading && workspaceId === '') return <Loading />
  return (
    <>
      <search className="filters">
        <Choice
          label={i18n.t('Workspace')}
          value={workspaceId}
          choices={workspaces}
          onChange={(id) => choose(id, '')}
        />
        <Choice
          label={i18n.t('Courier connection')}
          value={connectionId}
          choices={connections}
          onChange={(id) => choose(workspaceId, id)}
        />
      </search>
      {place.error !== null ? (
        <Failed error={place.error} again={place.again} />
      ) : connectionId === '' && !place.isLoading ? (
        <MakePlace place={place} make={make} />
      ) : make.isSuccess ? (
        <Made />
      ) : null}
    </>
  )
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
  const options = isListed
    ? choices
    : [[value, value === '' ? i18n.t('none') : value] as const, ...choices]
  return <FilterSelect label={label} value={value} options={options} onChange={onChange} />
}

/** The button that created them is gone, so the focus moves here. */
function Made() {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p role="status" tabIndex={-1} ref={place}>
      {i18n.t('The sandbox is ready. Run a scenario.')}
    </p>
  )
}

type MakeProps = PlaceProps & { readonly make: ReturnType<typeof useMakePlace> }

/** Explains what is missing and offers to create it. */
function MakePlace({ place, make }: MakeProps) {
  const mayConnect = useMay('connections:write')
  const isWorkspaceMissing = place.workspaceId === ''
  const words = {
    both: i18n.t('Create a workspace and a connection'),
    workspace: i18n.t('Create a workspace'),
    connection: i18n.t('Create a connection'),
  }
  const made = !isWorkspaceMissing ? 'connection' : mayConnect ? 'both' : 'workspace'
  const scope: Scope = isWorkspaceMissing ? 'workspaces:write' : 'connections:write'
  return (
    <Panel title={i18n.t('Set up the sandbox')} name={i18n.t('Set up')}>
      <p>
        <WhatIsMissing place={place} />
      </p>
      <div className="actions">
        <ActButton
          word={make.isPending ? i18n.t('Creating…') : words[made]}
          scope={scope}
          isPending={make.isPending}
          onAct={() => make.mutate()}
        />
      </div>
      <Refused error={make.error} />
    </Panel>
  )
}

function WhatIsMissing({ place: { workspaceId, workspaces, connections } }: PlaceProps) {
  if (workspaceId === '' && workspaces === null) return <TypeTheWorkspace />
  if (workspaceId === '') {
    return i18n.t(
      'A scenario is played in a workspace, over a courier connection. There is no workspace yet.',
    )
  }
  if (connections === null) return <TypeTheConnection />
  return i18n.t('A scenario is played over a courier connection. This workspace has no active one.')
}

const code = { code: <code /> }

function TypeTheWorkspace() {
  return (
    <Trans
      id="This key does not have the <code>workspaces:read</code> scope, so your workspaces are not listed. Enter the id of a workspace above, or create one."
      components={code}
    />
  )
}

function TypeTheConnection() {
  return (
    <Trans
      id="This key does not have the <code>connections:read</code> scope, so your connections are not listed. Enter the id of a connection above, or create one."
      components={code}
    />
  )
}

/** Creates what is missing and selects it. Retrying after a lost response creates nothing twice. */
function useMakePlace({ workspaceId, choose }: SandboxPlace) {
  const { client } = useSession()
  const queries = useQueryClient()
  const mayConnect = useMay('connections:write')
  const [attempt] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: async () => {
      const workspace =
        workspaceId === '' ? (await client.workspaces.create(sandboxWorkspace)).id : workspaceId
      if (!mayConnect) return { workspace, connection: '' }
      const { id } = await client.courierConnections.create(
        { ...simulatedCourier, workspace_id: workspace },
        { idempotencyKey: `console-${attempt}-${workspace}` },
      )
      return { workspace, connection: id }
    },
    onSuccess: async ({ workspace, connection }) => {
      choose(workspace, connection)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['workspaces'] }),
        queries.invalidateQueries({ queryKey: ['connections'] }),
      ])
    },
  })
}
