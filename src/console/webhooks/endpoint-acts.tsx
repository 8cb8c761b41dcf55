import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Box } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { RemoveDialog } from '../forms/remove-dialog.tsx'
import { SecretWindow } from '../forms/secret-window.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { FilterSelect } from '../lists/filters.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { type EndpointDialogProps, enableEndpoint, readAgain } from './endpoint-dialog.ts'
import { bodyOf, type EndpointDraft, EndpointFields, endpointFields } from './endpoint-fields.tsx'
import { RecoverDialog } from './recover-dialog.tsx'
import { type WebhookType, webhookTypes } from './subscribable-types.ts'

const dialogs = {
  test: TestEventDialog,
  recover: RecoverDialog,
  rotate: RotateDialog,
  switch: SwitchDialog,
  change: ChangeEndpointDialog,
  delete: DeleteEndpointDialog,
} as const

/** The actions on an endpoint, each in its own dialog. */
export function EndpointActs({ endpoint }: Pick<EndpointDialogProps, 'endpoint'>) {
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const isEnabled = endpoint.status === 'enabled'
  const Opened = opened === null ? null : dialogs[opened]
  const button = (word: string, act: keyof typeof dialogs) => (
    <ActButton word={word} scope="webhooks:write" onAct={() => setOpened(act)} />
  )
  return (
    <section className="actions endpoint-acts" aria-label={i18n.t('Actions')}>
      {button(i18n.t('Send a test event…'), 'test')}
      {button(i18n.t('Recover a period…'), 'recover')}
      {button(i18n.t('Change…'), 'change')}
      {button(i18n.t('Rotate the secret…'), 'rotate')}
      {button(isEnabled ? i18n.t('Disable…') : i18n.t('Enable…'), 'switch')}
      <Box ml="auto" pl="xl">
        <ActButton
          word={i18n.t('Delete…')}
          scope="webhooks:write"
          isDanger
          onAct={() => setOpened('delete')}
        />
      </Box>
      {Opened !== null && <Opened endpoint={endpoint} onClose={() => setOpened(null)} />}
    </section>
  )
}

/** Sends an example event, then opens its delivery to show the receiver's response. */
function TestEventDialog({ endpoint, onClose }: EndpointDialogProps) {
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
      title={i18n.t('Send a test event?')}
      does={isDisabled ? i18n.t('Enable and send it') : i18n.t('Send it')}
      onLeave={onClose}
      isPending={send.isPending}
      onConfirm={() => send.mutate()}
    >
      <p>
        <Trans
          id="<code>{url}</code> gets an example, signed like every other event. Its ids do not belong to real objects. It is sent immediately, even while the endpoint is failing."
          values={{ url: endpoint.url }}
          components={{ code: <code /> }}
        />
      </p>
      {isDisabled && (
        <p>{i18n.t('The endpoint is disabled. New events will be sent to it again.')}</p>
      )}
      <FilterSelect
        label={i18n.t('Event type')}
        value={type}
        onChange={(value) => setType(value as WebhookType)}
        options={webhookTypes.map((one) => [one, one] as const)}
      />
      <Refused error={send.error} />
    </ConfirmDialog>
  )
}

/** Changes the version of the endpoint that the dialog opened with. */
function ChangeEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
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
      title={i18n.t('Change the endpoint')}
      does={i18n.t('Save')}
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
          {i18n.t(
            'From now on everything is sent to the new address, including pending deliveries. The secret stays the same.',
          )}
        </p>
      )}
    </FormDialog>
  )
}

/** Creates a new secret and shows it once. */
function RotateDialog({ endpoint, onClose }: EndpointDialogProps) {
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
        title={i18n.t('Rotate the secret?')}
        does={i18n.t('Create a new secret')}
        onLeave={onClose}
        isPending={rotate.isPending}
        onConfirm={() => rotate.mutate()}
      >
        <p>
          {i18n.t(
            'Deliveries are signed with the new secret and, for 24 hours, also with the current one, so you can update the receiver without downtime.',
          )}
        </p>
        <Refused error={rotate.error} />
      </ConfirmDialog>
    )
  }
  const { secret, previous_secret_expires_at: until } = data
  return (
    <SecretWindow
      title={i18n.t('The new secret')}
      secret={secret}
      otherwise={i18n.t('rotate the secret again.')}
      onClose={onClose}
    >
      {until !== null && (
        <p>
          <Trans
            id="The previous secret is also used until {at}."
            values={{ at: <Time at={until} /> }}
          />
        </p>
      )}
    </SecretWindow>
  )
}

/** Disables or enables the endpoint at the version that the operator saw. */
function SwitchDialog({ endpoint, onClose }: EndpointDialogProps) {
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
      title={isEnabled ? i18n.t('Disable the endpoint?') : i18n.t('Enable the endpoint?')}
      does={isEnabled ? i18n.t('Disable it') : i18n.t('Enable it')}
      onLeave={onClose}
      isPending={change.isPending}
      onConfirm={() => change.mutate()}
    >
      <p>
        {isEnabled
          ? i18n.t(
              'Pending deliveries are discarded, and events are not sent while it is disabled. Recover the period later to send them.',
            )
          : i18n.t(
              'New events will be sent again. To send the events in between, recover that period.',
            )}
      </p>
      <Refused error={change.error} />
    </ConfirmDialog>
  )
}

/** Deletes the endpoint at the version that the operator saw. */
function DeleteEndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { client } = useSession()
  return (
    <RemoveDialog
      title={i18n.t('Delete the endpoint?')}
      does={i18n.t('Delete it')}
      remove={() => client.webhookEndpoints.delete({ id: endpoint.id }, ifUnchanged(endpoint))}
      list={{ key: 'endpoints', path: '/webhooks' }}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'Its pending deliveries are discarded, and it cannot be restored. To stop sending for a while, disable it instead.',
        )}
      </p>
    </RemoveDialog>
  )
}
