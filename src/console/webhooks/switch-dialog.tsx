import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'

/** Disables or enables an endpoint, at the version that the operator saw. */
export function SwitchDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const isEnabled = endpoint.status === 'enabled'
  const change = useMutation({
    mutationFn: () =>
      client.webhookEndpoints.update(
        { id: endpoint.id, status: isEnabled ? 'disabled' : 'enabled' },
        ifUnchanged(endpoint),
      ),
    onSuccess: async (changed) => {
      queries.setQueryData(['endpoint', endpoint.id], changed)
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={isEnabled ? 'Disable the endpoint?' : 'Enable the endpoint?'}
      does={isEnabled ? 'Disable it' : 'Enable it'}
      onLeave={onClose}
      isPending={change.isPending}
      onConfirm={() => change.mutate()}
    >
      <p>
        {isEnabled
          ? 'Pending deliveries are discarded, and events that happen meanwhile are not sent. Recover the period later to send them.'
          : 'New events will be sent again. Recover the period in between to send those events too.'}
      </p>
      <Refused error={change.error} />
    </ConfirmDialog>
  )
}
