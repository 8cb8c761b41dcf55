import { useQuery } from '@tanstack/react-query'
import { useMay } from '../parts/scopes.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'

/** With more than these, choose by id: a drop-down list of hundreds is not usable. */
const choicesMax = 100

/** The chosen connection, or the only active one of the shop. */
export function useConnectionId(chosen: string | null, workspaceId: string): string {
  const { listed } = useConnections(workspaceId)
  const [first, second] = listed.filter(({ status }) => status === 'active')
  return chosen ?? (second === undefined ? (first?.id ?? '') : '')
}

export function useConnections(workspaceId: string) {
  const { client } = useSession()
  const mayRead = useMay('connections:read')
  const query = useQuery({
    queryKey: ['connections', 'choices', workspaceId],
    queryFn: ({ signal }) =>
      client.courierConnections.list({ workspace_id: workspaceId, limit: choicesMax }, { signal }),
    enabled: mayRead && workspaceId !== '',
  })
  const { data, error } = useShown(query, workspaceId)
  return { mayRead, listed: data?.data ?? [], error }
}
