import { MultiSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Input, Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { SecretWindow } from '../forms/secret-window.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { useOnlyWorkspace, WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { useSession } from '../session.tsx'
import { webhookTypes } from './subscribable-types.ts'

type Subscription = Input<'createWebhookEndpoint'>['event_types'][number]

/** The API's own limits. */
const urlMax = 2_048
const descriptionMax = 500

const fields = ['/workspace_id', '/url', '/description', '/event_types'] as const

/** A family is every type of the same beginning, those that are added later included. */
const families = [...new Set(webhookTypes.map((type) => `${type.split('.')[0]}.*`))]

type CreateProps = {
  /** Null: to be chosen. */
  readonly workspaceId: string | null
  readonly onClose: () => void
}

/** Creates an endpoint and shows its secret, which nothing shows again. */
export function CreateEndpointDialog({ workspaceId, onClose }: CreateProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  const only = useOnlyWorkspace()
  const [draft, setDraft] = useState<Draft>({
    workspace: workspaceId,
    url: '',
    types: ['shipment.*', 'tracking.*'],
    description: '',
  })
  const [made, setMade] = useState<Schemas['WebhookEndpointWithSecret'] | null>(null)
  const workspace = draft.workspace ?? only
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.webhookEndpoints.create(
        {
          workspace_id: workspace,
          url: draft.url,
          event_types: draft.types as Subscription[],
          description: draft.description.trim() === '' ? null : draft.description,
        },
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
        title="The endpoint’s secret"
        secret={made.secret}
        otherwise="rotate the secret on the endpoint’s screen."
        onClose={() => goTo(`/webhooks/${made.id}`)}
      >
        <p>The receiver verifies with it that an event comes from this service.</p>
      </SecretWindow>
    )
  }
  return (
    <FormDialog
      title="Create an endpoint"
      does="Create it"
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <EndpointFields
        draft={{ ...draft, workspace }}
        error={sending.error}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}

type Draft = {
  readonly workspace: string | null
  readonly url: string
  readonly types: readonly string[]
  readonly description: string
}

type FieldsProps = {
  readonly draft: Draft
  readonly error: unknown
  readonly onChange: (part: Partial<Draft>) => void
}

function EndpointFields({ draft, error, onChange }: FieldsProps) {
  const { key } = useSession()
  const { workspace, url, types, description } = draft
  return (
    <>
      <WorkspaceChoice
        label="Workspace"
        value={workspace ?? ''}
        error={errorAt(error, '/workspace_id')}
        onChange={(id) => onChange({ workspace: id })}
      />
      <TextInput
        label="Address"
        description={key.livemode ? 'Where events are sent: https only.' : 'Where events are sent.'}
        inputMode="url"
        placeholder="https://shop.example/webhooks"
        required
        withAsterisk={false}
        maxLength={urlMax}
        spellCheck={false}
        value={url}
        error={errorAt(error, '/url')}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <MultiSelect
        label="Subscribed to"
        description="Types of events, or whole families such as shipment.*"
        data={[...families, ...webhookTypes]}
        value={[...types]}
        error={typesError(error, types)}
        onChange={(chosen) => onChange({ types: chosen })}
      />
      <TextInput
        label="Description"
        maxLength={descriptionMax}
        value={description}
        error={errorAt(error, '/description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </>
  )
}

/** The API's own words for an empty list are about arrays. */
function typesError(error: unknown, types: readonly string[]): string | null {
  const said = errorAt(error, '/event_types')
  return said !== null && types.length === 0 ? 'Choose at least one type.' : said
}
