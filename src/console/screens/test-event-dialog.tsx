import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { FilterSelect } from '../parts/filters.tsx'
import { Refused } from '../parts/states.tsx'
import { type WebhookType, webhookTypes } from '../parts/webhook-types.ts'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'

/** Sends an event that names nothing, and goes to its delivery to see what the receiver says. */
export function TestEventDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const [type, setType] = useState<WebhookType>('shipment.created')
  const send = useMutation({
    mutationFn: () => client.webhookEndpoints.test({ id: endpoint.id, type }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
      goTo(`/deliveries/${id}`)
    },
  })
  return (
    <ConfirmDialog
      title="Send a test event?"
      does="Send it"
      onLeave={onClose}
      isPending={send.isPending}
      onConfirm={() => send.mutate()}
    >
      <p>
        <code>{endpoint.url}</code> gets an example, signed like every other. The ids within it name
        nothing.
      </p>
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
