import { i18n } from '@lingui/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { SecretWindow } from '../forms/secret-window.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { useOnlyWorkspace, WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { useSession } from '../session.tsx'
import { bodyOf, type EndpointDraft, EndpointFields, endpointFields } from './endpoint-fields.tsx'

const fields = ['/workspace_id', ...endpointFields] as const

type CreateProps = {
  /** Null if the user chooses it. */
  readonly workspaceId: string | null
  readonly onClose: () => void
}

/** Creates an endpoint and shows its secret, which is never shown again. */
export function CreateEndpointDialog({ workspaceId, onClose }: CreateProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const only = useOnlyWorkspace()
  const [chosen, setChosen] = useState(workspaceId)
  const [draft, setDraft] = useState<EndpointDraft>({
    url: '',
    types: ['shipment.*', 'tracking.*'],
    description: '',
  })
  const [made, setMade] = useState<Schemas['WebhookEndpointWithSecret'] | null>(null)
  const workspace = chosen ?? only
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.webhookEndpoints.create(
        { workspace_id: workspace, ...bodyOf(draft) },
        { idempotencyKey },
      ),
    onSent: async (created) => {
      await queries.invalidateQueries({ queryKey: ['endpoints'] })
      setMade(created)
    },
  })
  if (made !== null) {
    return (
      <SecretWindow
        title={i18n.t('The endpoint’s secret')}
        secret={made.secret}
        otherwise={i18n.t('rotate the secret on the endpoint’s screen.')}
        onClose={() => goTo(`/webhooks/${made.id}`)}
      >
        <p>{i18n.t('The receiver uses it to verify that events come from this service.')}</p>
      </SecretWindow>
    )
  }
  return (
    <FormDialog
      title={i18n.t('Create an endpoint')}
      does={i18n.t('Create it')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <WorkspaceChoice
        label={i18n.t('Workspace')}
        value={workspace}
        error={errorAt(sending.error, '/workspace_id')}
        onChange={setChosen}
      />
      <EndpointFields
        draft={draft}
        error={sending.error}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}
