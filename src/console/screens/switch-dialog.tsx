import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'

/** Disables an endpoint or enables it again, in the version that was looked at. */
export function SwitchDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const isEnabled = endpoint.status === 'enabled'
  const { etag } = endpoint.lastAnswer
  const change = useMutation({
    mutationFn: () =>
      client.webhookEndpoints.update(
        { id: endpoint.id, status: isEnabled ? 'disabled' : 'enabled' },
        etag === null ? {} : { ifMatch: etag },
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
          ? 'What is still to be sent is discarded, and what happens meanwhile is not sent either. Recovering the period brings it back.'
          : 'What happens from now on is sent again. Recover the period in between to send that too.'}
      </p>
      <Refused error={change.error} />
    </ConfirmDialog>
  )
}
