import { useQuery } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import { useMay } from '../parts/scopes.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

/** A program, or another tab, may do a step meanwhile. */
const everyMs = 5_000

type Named = { readonly id: string; readonly name: string }

/** The parts of an organization's first shipment that already exist. */
export type FirstSteps = {
  readonly workspace: Named | null
  /** An active connection and its workspace. */
  readonly connection: (Named & { readonly workspaceId: string }) | null
}

/** Null if a shipment exists, or if this key cannot see whether one does. */
export function useFirstSteps(): FirstSteps | null {
  const { client } = useSession()
  const maySee = useMay('shipments:read')
  const maySeeWorkspaces = useMay('workspaces:read')
  const maySeeConnections = useMay('connections:read')
  const hasShipment = useQuery({
    queryKey: ['shipments', 'has-any'],
    queryFn: async ({ signal }) =>
      (await client.shipments.list({ limit: 1 }, { signal })).data.length > 0,
    enabled: maySee && maySeeWorkspaces && maySeeConnections,
    // Shipments are never deleted.
    staleTime: ({ state }) => (state.data === true ? Number.POSITIVE_INFINITY : 0),
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: (query) => query.state.data === false && polledEvery(everyMs)(query),
  })
  const isEmpty = hasShipment.data === false
  const whileEmpty = { enabled: isEmpty, refetchInterval: polledEvery(everyMs) } as const
  const workspace = useQuery({
    ...whileEmpty,
    queryKey: ['workspaces', 'first'],
    queryFn: ({ signal }) => readWorkspace(client, signal),
  })
  const connection = useQuery({
    ...whileEmpty,
    queryKey: ['connections', 'first'],
    queryFn: ({ signal }) => readConnection(client, signal),
  })
  if (!isEmpty || workspace.data === undefined || connection.data === undefined) return null
  return { workspace: workspace.data, connection: connection.data }
}

async function readWorkspace(client: Client, signal: AbortSignal) {
  const [first] = (await client.workspaces.list({ limit: 1 }, { signal })).data
  return first === undefined ? null : { id: first.id, name: first.name }
}

async function readConnection(client: Client, signal: AbortSignal) {
  const input = { status: 'active', limit: 1 } as const
  const [first] = (await client.courierConnections.list(input, { signal })).data
  if (first === undefined) return null
  return { id: first.id, name: first.display_name, workspaceId: first.workspace_id }
}
