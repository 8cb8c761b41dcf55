import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { useSession } from '../session.tsx'
import type { EndpointDialogProps } from './endpoint-dialog.ts'
import { bodyOf, type EndpointDraft, EndpointFields, endpointFields } from './endpoint-fields.tsx'

/** Changes the version of the endpoint that was there when the window opened. */
export function ChangeEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [opened] = useState(endpoint)
  const { id, url } = opened
  const [draft, setDraft] = useState<EndpointDraft>({
    url,
    types: opened.event_types,
    description: opened.description ?? '',
  })
  const sending = useSendOnce({
    send: () => client.webhookEndpoints.update({ id, ...bodyOf(draft) }, ifUnchanged(opened)),
    onSent: async (changed) => {
      queries.setQueryData(['endpoint', id], changed)
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change the endpoint"
      does="Save"
      sending={sending}
      fields={endpointFields}
      onClose={onClose}
    >
      <EndpointFields
        draft={draft}
        error={sending.error}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      {draft.url !== url && (
        <p role="status">
          Everything that is sent from now on goes to the new address, pending deliveries too. The
          secret stays the same.
        </p>
      )}
    </FormDialog>
  )
}
