import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FilterSelect } from '../lists/filters.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { type EndpointDialogProps, enableEndpoint, readAgain } from './endpoint-dialog.ts'
import { type WebhookType, webhookTypes } from './subscribable-types.ts'

/** Sends an example event, then opens its delivery to show the receiver's response. */
export function TestEventDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const [type, setType] = useState<WebhookType>('shipment.created')
  const isDisabled = endpoint.status === 'disabled'
  const send = useMutation({
    mutationFn: async () => {
      if (isDisabled) await enableEndpoint(client, endpoint.id)
      return await client.webhookEndpoints.test({ id: endpoint.id, type })
    },
    onSuccess: ({ id }) => goTo(`/deliveries/${id}`),
    onSettled: () => readAgain(queries, endpoint.id),
  })
  return (
    <ConfirmDialog
      title="Send a test event?"
      does={isDisabled ? 'Enable and send it' : 'Send it'}
      onLeave={onClose}
      isPending={send.isPending}
      onConfirm={() => send.mutate()}
    >
      <p>
        <code>{endpoint.url}</code> gets an example, signed like every other event. The ids in it
        belong to no real object. It is sent at once, even while the endpoint is paused.
      </p>
      {isDisabled && <p>The endpoint is disabled. New events will be sent to it again.</p>}
      <FilterSelect
        label="Event type"
        value={type}
        onChange={(value) => setType(value as WebhookType)}
        options={webhookTypes.map((one) => [one, one] as const)}
      />
      <Refused error={send.error} />
    </ConfirmDialog>
  )
}
