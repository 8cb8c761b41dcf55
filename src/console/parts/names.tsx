import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { useSession } from '../session.tsx'
import { hrefOf } from './object-links.ts'
import { useMay } from './scopes.tsx'

/** Names change seldom, and only when a person changes them. */
const freshMs = 60_000
/** Beyond these, a name is read alone. */
export const namesMax = 100
const forever = { staleTime: freshMs, gcTime: Number.POSITIVE_INFINITY } as const

/** The names of the newest workspaces, by id. */
export function useWorkspaceNames() {
  const { client, key } = useSession()
  return useQuery({
    queryKey: ['names', 'workspaces'],
    queryFn: async ({ signal }) => {
      const { data } = await client.workspaces.list({ limit: namesMax }, { signal })
      return new Map(data.map(({ id, name }) => [id, name]))
    },
    enabled: useMay('workspaces:read') && key.workspace_id === null,
    ...forever,
  })
}

/** The workspace whose clock a test key's statistics follow; undefined: the real time. */
export function useClockWorkspace(): string | undefined {
  const { key } = useSession()
  const names = useWorkspaceNames()
  if (key.livemode) return undefined
  return key.workspace_id ?? names.data?.keys().next().value
}

/** The name of a shop; its id where the name is not known. */
export function WorkspaceName({ id }: { readonly id: string }) {
  const names = useWorkspaceNames()
  const name = names.data?.get(id)
  return <span title={id}>{name ?? id}</span>
}

type NamedProps = { readonly id: string }

export function WorkspaceLink({ id }: NamedProps) {
  return (
    <Link href={hrefOf(id)}>
      <WorkspaceName id={id} />
    </Link>
  )
}

/** The name and place of a courier's branch; its id where they are not known. */
export function AgencyName({ id }: NamedProps) {
  const { client } = useSession()
  const agency = useQuery({
    queryKey: ['names', 'agency', id],
    queryFn: ({ signal }) => client.couriers.getAgency({ id }, { signal }),
    enabled: useMay('connections:read'),
    ...forever,
  })
  const { data } = agency
  return <span title={id}>{data === undefined ? id : `${data.name}, ${data.district}`}</span>
}

export function AgencyLink({ id }: NamedProps) {
  return (
    <Link href={hrefOf(id)}>
      <AgencyName id={id} />
    </Link>
  )
}

/** The name of an account with a courier. */
export function ConnectionLink({ id }: NamedProps) {
  const { client } = useSession()
  const connection = useQuery({
    queryKey: ['names', 'connection', id],
    queryFn: ({ signal }) => client.courierConnections.get({ id }, { signal }),
    enabled: useMay('connections:read'),
    ...forever,
  })
  const { data } = connection
  return (
    <Link href={hrefOf(id)} title={id}>
      {data === undefined ? id : `${data.display_name} (${data.provider_code})`}
    </Link>
  )
}

/** The address of a webhook endpoint; its id once it is deleted. */
export function EndpointAddress({ id }: NamedProps) {
  const { client } = useSession()
  const endpoint = useQuery({
    queryKey: ['names', 'endpoint', id],
    queryFn: ({ signal }) => client.webhookEndpoints.get({ id }, { signal }),
    enabled: useMay('webhooks:read'),
    ...forever,
  })
  const shown = endpoint.data?.url ?? id
  return <span title={shown}>{shown}</span>
}

export function EndpointLink({ id }: NamedProps) {
  return (
    <Link href={hrefOf(id)}>
      <EndpointAddress id={id} />
    </Link>
  )
}

type ActorProps = { readonly actor: Schemas['LedgerEvent']['actor'] }

/** What caused an event: an operator by name, others by their kind. */
export function ActorName({ actor }: ActorProps) {
  const { type, operator_id: operatorId } = actor
  if (operatorId === undefined) return <>{type.replaceAll('_', ' ')}</>
  return <OperatorName id={operatorId} />
}

function OperatorName({ id }: NamedProps) {
  const { client } = useSession()
  const operator = useQuery({
    queryKey: ['names', 'operator', id],
    queryFn: ({ signal }) => client.operators.get({ id }, { signal }),
    enabled: useMay('operations:read'),
    ...forever,
  })
  return <bdi title={id}>{operator.data?.name ?? id}</bdi>
}
