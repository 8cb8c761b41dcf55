import { i18n } from '@lingui/core'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { useOnlyWorkspace, WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { type Credentials, CredentialsFields, filledIn, pointersOf } from './credentials-fields.tsx'
import { type Courier, useCouriers } from './use-couriers.ts'

/** The API's own limit. */
export const displayNameMax = 200

const fields = ['/workspace_id', '/provider_code', '/display_name'] as const

type CreateProps = {
  /** Null if the user chooses it. */
  readonly workspaceId: string | null
  readonly onClose: () => void
  readonly onCreated: (connection: Answered<Schemas['CourierConnection']>) => void
}

/**
 * Connects a courier account to a workspace. The credentials are only kept while the dialog is
 * open.
 */
export function CreateConnectionDialog({ workspaceId, onClose, onCreated }: CreateProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const couriers = useCouriers()
  const only = useOnlyWorkspace()
  const [chosen, setChosen] = useState({
    workspace: workspaceId,
    courier: null as string | null,
    name: null as string | null,
  })
  const [credentials, setCredentials] = useState<Credentials>({})
  const workspace = chosen.workspace ?? only
  const courier = couriers.data?.find(isCode(chosen.courier)) ?? couriers.data?.[0]
  const name = chosen.name ?? courier?.display_name ?? ''
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.courierConnections.create(
        {
          workspace_id: workspace,
          provider_code: courier?.provider_code ?? '',
          display_name: name,
          credentials: filledIn(courier, credentials),
        },
        { idempotencyKey },
      ),
    onSent: async (connection) => {
      await queries.invalidateQueries({ queryKey: ['connections'] })
      onCreated(connection)
    },
  })
  return (
    <FormDialog
      title={i18n.t('Connect a courier')}
      does={i18n.t('Connect it')}
      sending={sending}
      fields={[...fields, ...pointersOf(courier)]}
      onClose={onClose}
    >
      <WorkspaceChoice
        label={i18n.t('Workspace')}
        value={workspace}
        error={errorAt(sending.error, '/workspace_id')}
        onChange={(id) => setChosen({ ...chosen, workspace: id })}
      />
      <CourierChoice
        couriers={couriers.data}
        value={courier?.provider_code ?? ''}
        error={errorAt(sending.error, '/provider_code')}
        onChange={(code) => setChosen({ ...chosen, courier: code })}
      />
      <Refused error={couriers.error} />
      <TextInput
        label={i18n.t('Name')}
        description={i18n.t('The name of this account in the console.')}
        required
        withAsterisk={false}
        maxLength={displayNameMax}
        value={name}
        error={errorAt(sending.error, '/display_name')}
        onChange={(event) => setChosen({ ...chosen, name: event.currentTarget.value })}
      />
      <CredentialsFields
        courier={courier}
        value={credentials}
        error={sending.error}
        onChange={setCredentials}
      />
    </FormDialog>
  )
}

function isCode(code: string | null) {
  return ({ provider_code }: Courier) => provider_code === code
}

type CourierProps = {
  /** Undefined while loading. */
  readonly couriers: readonly Courier[] | undefined
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (code: string) => void
}

function CourierChoice({ couriers, value, error, onChange }: CourierProps) {
  return (
    <NativeSelect
      label={i18n.t('Courier')}
      required
      withAsterisk={false}
      value={value}
      error={couriers?.length === 0 ? i18n.t('No courier is registered for this mode yet.') : error}
      data={(couriers ?? []).map(({ provider_code: code, display_name: word }) => ({
        value: code,
        label: `${word} (${code})`,
      }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
