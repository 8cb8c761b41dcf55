import { i18n } from '@lingui/core'
import { TextInput } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { RemoveDialog } from '../forms/remove-dialog.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { displayNameMax } from './create-connection-dialog.tsx'
import { type Credentials, CredentialsFields, filledIn, pointersOf } from './credentials-fields.tsx'
import { useCouriers } from './use-couriers.ts'

type Connection = Answered<Schemas['CourierConnection']>

type DialogProps = { readonly connection: Connection; readonly onClose: () => void }

/** Shows the changed connection, and refreshes the lists and names that contain it. */
export async function showConnection(queries: QueryClient, changed: Connection): Promise<void> {
  queries.setQueryData(['connection', changed.id], changed)
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['connections'] }),
    queries.invalidateQueries({ queryKey: ['names', changed.id] }),
  ])
}

type Change = {
  readonly display_name?: string
  readonly credentials?: Credentials
  readonly status?: 'active' | 'disabled'
}

/** Changes the version of the connection that the dialog opened with. */
function useChange({ connection, onClose }: DialogProps, change: () => Change) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [opened] = useState(connection)
  return useSendOnce({
    send: () =>
      client.courierConnections.update({ id: opened.id, ...change() }, ifUnchanged(opened)),
    onSent: async (changed) => {
      await showConnection(queries, changed)
      onClose()
    },
  })
}

export function RenameDialog(props: DialogProps) {
  const [name, setName] = useState(props.connection.display_name)
  const sending = useChange(props, () => ({ display_name: name }))
  return (
    <FormDialog
      title={i18n.t('Rename the connection')}
      does={i18n.t('Save')}
      sending={sending}
      fields={['/display_name']}
      onClose={props.onClose}
    >
      <TextInput
        label={i18n.t('Name')}
        required
        withAsterisk={false}
        maxLength={displayNameMax}
        value={name}
        error={errorAt(sending.error, '/display_name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Replaces the credentials. A connection that needs new ones becomes active immediately. */
export function ReauthoriseDialog(props: DialogProps) {
  const { data: couriers, error } = useCouriers()
  const code = props.connection.provider_code
  const courier = couriers?.find(({ provider_code }) => provider_code === code)
  const [credentials, setCredentials] = useState<Credentials>({})
  const sending = useChange(props, () => ({ credentials: filledIn(courier, credentials) }))
  return (
    <FormDialog
      title={i18n.t('New credentials')}
      does={i18n.t('Replace the credentials')}
      sending={sending}
      fields={pointersOf(courier)}
      onClose={props.onClose}
    >
      <p>
        {i18n.t(
          'They replace the current ones, for new shipments and for reconciliation and tracking of existing ones. Verify them afterwards.',
        )}
      </p>
      <Refused error={error} />
      <CredentialsFields
        courier={courier}
        value={credentials}
        error={sending.error}
        onChange={setCredentials}
      />
    </FormDialog>
  )
}

export function EnableDialog(props: DialogProps) {
  const isDisabled = props.connection.status === 'disabled'
  const sending = useChange(props, () => ({ status: isDisabled ? 'active' : 'disabled' }))
  return (
    <ConfirmDialog
      title={isDisabled ? i18n.t('Enable the connection?') : i18n.t('Disable the connection?')}
      does={isDisabled ? i18n.t('Enable it') : i18n.t('Disable it')}
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={props.onClose}
    >
      <p>
        {isDisabled
          ? i18n.t('New shipments can use it again.')
          : i18n.t(
              'New shipments with it are refused. Reconciliation and tracking of existing ones continue.',
            )}
      </p>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}

export function RemoveConnectionDialog({ connection, onClose }: DialogProps) {
  const { client } = useSession()
  return (
    <RemoveDialog
      title={i18n.t('Remove the connection?')}
      does={i18n.t('Remove it')}
      remove={() =>
        client.courierConnections.delete({ id: connection.id }, ifUnchanged(connection))
      }
      list={{ key: 'connections', path: '/connections' }}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'It cannot be restored; you would have to connect the account again. Its shipments stay, and their tracking continues. To stop new shipments for a while, disable it instead.',
        )}
      </p>
    </RemoveDialog>
  )
}
