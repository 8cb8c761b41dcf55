import { i18n } from '@lingui/core'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { SecretWindow } from '../forms/secret-window.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { KeyExpiry, useKeyExpiry } from './key-expiry.tsx'
import { KeyRole, useKeyRole } from './key-role.tsx'

const fields = [
  '/role',
  '/scopes',
  '/name',
  '/workspace_id',
  '/expires_at',
  '/operator_id',
] as const
const nameMax = 100

/** Creates a key and shows it. The key is dropped when the dialog closes. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { client, key } = useSession()
  const queries = useQueryClient()
  const chosen = useKeyRole()
  const [name, setName] = useState('')
  const [workspaceId, setWorkspaceId] = useState('')
  const [operatorId, setOperatorId] = useState('')
  const expiry = useKeyExpiry()
  const [made, setMade] = useState<Schemas['ApiKeyWithSecret'] | null>(null)
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.keys.create(
        {
          name,
          ...chosen.grant,
          ...(workspaceId === '' ? {} : { workspace_id: workspaceId }),
          ...(operatorId === '' ? {} : { operator_id: operatorId }),
          ...(expiry.expiresAt === undefined ? {} : { expires_at: expiry.expiresAt }),
        },
        { idempotencyKey },
      ),
    onSent: async (created) => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      setMade(created)
    },
  })
  if (made !== null) {
    return (
      <SecretWindow
        title={i18n.t('The new key')}
        secret={made.key}
        otherwise={i18n.t('revoke this key and create another.')}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={key.livemode ? i18n.t('Create a live key') : i18n.t('Create a test key')}
      does={i18n.t('Create it')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <KeyRole chosen={chosen} error={sending.error} />
      <TextInput
        label={i18n.t('Name')}
        description={i18n.t('So that people know what stops when it is revoked.')}
        required
        withAsterisk={false}
        maxLength={nameMax}
        value={name}
        error={errorAt(sending.error, '/name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <WorkspaceChoice
        label={i18n.t('Access')}
        none={i18n.t('Every workspace')}
        value={workspaceId}
        error={errorAt(sending.error, '/workspace_id')}
        onChange={setWorkspaceId}
      />
      <KeyExpiry expiry={expiry} error={errorAt(sending.error, '/expires_at')} />
      {key.operator_id !== null && (
        <OperatorChoice
          ownId={key.operator_id}
          value={operatorId}
          error={errorAt(sending.error, '/operator_id')}
          onChange={setOperatorId}
        />
      )}
    </FormDialog>
  )
}

type OperatorProps = {
  readonly ownId: string
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (id: string) => void
}

/** The owner of the new key: nobody or the operator who is signed in. */
function OperatorChoice({ ownId, value, error, onChange }: OperatorProps) {
  const { client } = useSession()
  const own = useQuery({
    queryKey: ['operator', ownId],
    queryFn: ({ signal }) => client.operators.get({ id: ownId }, { signal }),
    enabled: useMay('operations:read'),
  })
  return (
    <NativeSelect
      label={i18n.t('Belongs to')}
      description={i18n.t(
        'A person’s key acts in that person’s name, and only that person can create it, after signing in. Their first one comes from the command line. A program’s key has no operator.',
      )}
      value={value}
      error={error}
      data={[
        { value: '', label: i18n.t('No operator') },
        {
          value: ownId,
          label:
            own.data === undefined
              ? i18n.t('You')
              : i18n.t('{name} (you)', { name: own.data.name }),
        },
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
