import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SecretWindow } from '../forms/secret-window.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'

/** Creates a new secret. This dialog shows it, and nothing shows it again. */
export function RotateDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => client.webhookEndpoints.rotateSecret({ id: endpoint.id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['endpoint', endpoint.id] }),
    // The secret is forgotten when the dialog closes.
    gcTime: 0,
  })
  const { data } = rotate
  if (data === undefined) {
    return (
      <ConfirmDialog
        title="Rotate the secret?"
        does="Make a new secret"
        onLeave={onClose}
        isPending={rotate.isPending}
        onConfirm={() => rotate.mutate()}
      >
        <p>
          Deliveries are signed with the new secret and, for 24 hours, with the present one too, so
          that the receiver can be changed without a gap.
        </p>
        <Refused error={rotate.error} />
      </ConfirmDialog>
    )
  }
  const { secret, previous_secret_expires_at: until } = data
  return (
    <SecretWindow
      title="The new secret"
      secret={secret}
      otherwise="rotate the secret again."
      onClose={onClose}
    >
      {until !== null && (
        <p>
          The one before is used as well until <Time at={until} />.
        </p>
      )}
    </SecretWindow>
  )
}
