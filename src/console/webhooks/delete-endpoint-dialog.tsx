import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'

/** Deletes the endpoint at the version that the operator saw. */
export function DeleteEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const { id, lastAnswer } = endpoint
  const sending = useSendOnce({
    send: () =>
      client.webhookEndpoints.delete(
        { id },
        lastAnswer.etag === null ? {} : { ifMatch: lastAnswer.etag },
      ),
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
      goTo('/webhooks')
    },
  })
  return (
    <ConfirmDialog
      title="Delete the endpoint?"
      does="Delete it"
      isDangerous
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={onClose}
    >
      <p>
        Its pending deliveries are discarded, and it cannot be restored. Disable it instead to stop
        sending for a while.
      </p>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}
