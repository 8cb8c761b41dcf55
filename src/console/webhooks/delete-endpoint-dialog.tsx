import { ifUnchanged } from '../forms/if-unchanged.ts'
import { RemoveDialog } from '../forms/remove-dialog.tsx'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'

/** Deletes the endpoint at the version that the operator saw. */
export function DeleteEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  return (
    <RemoveDialog
      title="Delete the endpoint?"
      does="Delete it"
      remove={() => client.webhookEndpoints.delete({ id: endpoint.id }, ifUnchanged(endpoint))}
      list={{ key: 'endpoints', path: '/webhooks' }}
      onClose={onClose}
    >
      <p>
        Its pending deliveries are discarded, and it cannot be restored. Disable it instead to stop
        sending for a while.
      </p>
    </RemoveDialog>
  )
}
