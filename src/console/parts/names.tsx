import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Client } from '../../client/create-client.ts'
import type { CallOptions, Schemas } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { useSession } from '../session.tsx'
import { hrefOf } from './object-links.ts'
import { type Scope, useMay } from './scopes.tsx'

/** Names change rarely. */
const freshMs = 60_000
/** Workspaces beyond this number are not in the list of names. */
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

/** The workspace whose clock a test key's statistics follow; undefined for real time. */
export function useClockWorkspace(): string | undefined {
  const { key } = useSession()
  const names = useWorkspaceNames()
  if (key.livemode) return undefined
  return key.workspace_id ?? names.data?.keys().next().value
}

/** The name of a workspace, or its id if the name is unknown. */
export function WorkspaceName({ id }: { readonly id: string }) {
  const names = useWorkspaceNames()
  const name = names.data?.get(id)
  return <span title={id}>{name ?? id}</span>
}

/** Reads the object with an id, if the key may. Undefined if it is unknown or deleted. */
function useNamed<Named>(
  id: string,
  scope: Scope | null,
  read: (client: Client, input: { readonly id: string }, options: CallOptions) => Promise<Named>,
): Named | undefined {
  const { client, key } = useSession()
  const { data } = useQuery({
    queryKey: ['names', id],
    queryFn: ({ signal }) => read(client, { id }, { signal }).catch(nullIfGone),
    enabled: scope === null || key.scopes.includes(scope),
    ...forever,
  })
  return data ?? undefined
}

/** Caches "not found", so that a deleted object is requested only once. */
function nullIfGone(error: unknown): null {
  if (error instanceof ShippingLedgerError && error.reason === 'not_found') return null
  throw error
}

type NamedProps = { readonly id: string }

export function WorkspaceLink({ id }: NamedProps) {
  return (
    <Link href={hrefOf(id)}>
      <WorkspaceName id={id} />
    </Link>
  )
}

/** Every key may read agencies. */
function useAgency(id: string): Schemas['Agency'] | undefined {
  return useNamed(id, null, ({ couriers }, ...of) => couriers.getAgency(...of))
}

/** The name and place of a courier's branch, or its id if they are unknown. */
export function AgencyName({ id }: NamedProps) {
  const agency = useAgency(id)
  return <span title={id}>{agency === undefined ? id : `${agency.name}, ${agency.district}`}</span>
}

export function AgencyLink({ id }: NamedProps) {
  return (
    <Link href={hrefOf(id)}>
      <AgencyName id={id} />
    </Link>
  )
}

/** A courier's branch with its street, as support tells it to a customer. */
export function AgencyAddress({ id }: NamedProps) {
  const agency = useAgency(id)
  return (
    <>
      <AgencyLink id={id} />
      {agency !== undefined && <span className="street">{agency.address}</span>}
    </>
  )
}

/** The name of a courier connection, or its id if the name is unknown. */
export function ConnectionName({ id }: NamedProps) {
  const connection = useNamed(id, 'connections:read', ({ courierConnections }, ...of) =>
    courierConnections.get(...of),
  )
  return (
    <span title={id}>
      {connection === undefined ? id : `${connection.display_name} (${connection.provider_code})`}
    </span>
  )
}

export function ConnectionLink({ id }: NamedProps) {
  return (
    <Link href={hrefOf(id)}>
      <ConnectionName id={id} />
    </Link>
  )
}

/** The address of a webhook endpoint, or its id if it is deleted. */
export function EndpointAddress({ id }: NamedProps) {
  const endpoint = useNamed(id, 'webhooks:read', ({ webhookEndpoints }, ...of) =>
    webhookEndpoints.get(...of),
  )
  const shown = endpoint?.url ?? id
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

const actors: Readonly<Record<string, () => string>> = {
  api_key: () => i18n.t('api key'),
  operator: () => i18n.t('operator'),
  reconciliation: () => i18n.t('reconciliation'),
  poller: () => i18n.t('poller'),
  system: () => i18n.t('system'),
  cli: () => i18n.t('cli'),
}

/** The actor of an event: an operator by name, others by their type. */
export function ActorName({ actor }: ActorProps) {
  const { type, operator_id: operatorId } = actor
  if (operatorId === undefined) return <>{actors[type]?.() ?? type.replaceAll('_', ' ')}</>
  return <OperatorName id={operatorId} />
}

function OperatorName({ id }: NamedProps) {
  const operator = useNamed(id, 'operations:read', ({ operators }, ...of) => operators.get(...of))
  return <bdi title={id}>{operator?.name ?? id}</bdi>
}
