import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Radio, TextInput } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answered, Input, Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ifUnchanged } from '../forms/if-unchanged.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { CloseButton, ConfirmDialog, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

type Operator = Answered<Schemas['Operator']>
type ChangedOperator = Schemas['ChangedOperator']

/** The API's own limits. */
const nameMax = 100
const emailMax = 254
const subjectMax = 255

const fields = ['/name', '/email', '/subject'] as const

type Person = {
  readonly name: string
  readonly email: string
  /** An empty text for none. */
  readonly subject: string
}

function bodyOf({ subject, ...person }: Person) {
  return { ...person, subject: subject.trim() === '' ? null : subject }
}

/** Why this key cannot create or change operators regardless of its scopes; null if it can. */
export function useOperatorsRefusal(): string | null {
  const { key } = useSession()
  return key.workspace_id === null
    ? null
    : i18n.t('Operators act on every workspace, but this key is limited to one.')
}

async function showOperator(queries: QueryClient, changed: Operator): Promise<void> {
  queries.setQueryData(['operator', changed.id], changed)
  await queries.invalidateQueries({ queryKey: ['operators'] })
}

type CreateProps = {
  readonly onClose: () => void
  readonly onCreated: (operator: Operator) => void
}

export function CreateOperatorDialog({ onClose, onCreated }: CreateProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [person, setPerson] = useState<Person>({ name: '', email: '', subject: '' })
  const sending = useSendOnce({
    send: (idempotencyKey) => client.operators.create(bodyOf(person), { idempotencyKey }),
    onSent: async (operator) => {
      await queries.invalidateQueries({ queryKey: ['operators'] })
      onCreated(operator)
    },
  })
  return (
    <FormDialog
      title={i18n.t('Create an operator')}
      does={i18n.t('Create it')}
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'A person who decides operations. Events contain only the operator’s id, not the name or e-mail.',
        )}
      </p>
      <PersonFields value={person} error={sending.error} onChange={setPerson} />
    </FormDialog>
  )
}

type ChangeProps = { readonly operator: Operator; readonly onClose: () => void }

type Change = Omit<Input<'updateOperator'>, 'id'>

/** Changes the version of the operator that the dialog opened with. */
function useChange(
  { operator, onClose }: ChangeProps,
  change: () => Change,
  onChanged: (changed: ChangedOperator) => void = onClose,
) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [opened] = useState(operator)
  return useSendOnce({
    send: () => client.operators.update({ id: opened.id, ...change() }, ifUnchanged(opened)),
    onSent: async (changed) => {
      await showOperator(queries, changed)
      onChanged(changed)
    },
  })
}

export function ChangeOperatorDialog(props: ChangeProps) {
  const { name, email, subject } = props.operator
  const [person, setPerson] = useState<Person>({
    name,
    email: email ?? '',
    subject: subject ?? '',
  })
  const sending = useChange(props, () => bodyOf(person))
  return (
    <FormDialog
      title={i18n.t('Change the operator')}
      does={i18n.t('Save')}
      sending={sending}
      fields={fields}
      onClose={props.onClose}
    >
      <PersonFields value={person} error={sending.error} onChange={setPerson} />
    </FormDialog>
  )
}

export function EnableOperatorDialog(props: ChangeProps) {
  const sending = useChange(props, () => ({ status: 'active' }))
  return (
    <ConfirmDialog
      title={i18n.t('Enable {name}?', { name: props.operator.name })}
      does={i18n.t('Enable the operator')}
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={props.onClose}
    >
      <p>
        {i18n.t('The operator’s keys work again, except those that were revoked or have expired.')}
      </p>
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}

export function DisableOperatorDialog(props: ChangeProps) {
  const { key } = useSession()
  const { id, name } = props.operator
  const [revokes, setRevokes] = useState<boolean | null>(null)
  const [created, setCreated] = useState<CreatedKeys>([])
  const change = () => ({ status: 'disabled', revoke_created_keys: revokes === true }) as const
  const sending = useChange(props, change, ({ created_keys: keys }) => {
    if (keys === null || keys.length === 0) props.onClose()
    else setCreated(keys)
  })
  if (created.length > 0) return <CreatedKeysWindow name={name} keys={created} {...props} />
  return (
    <ConfirmDialog
      title={i18n.t('Disable {name}?', { name })}
      does={i18n.t('Disable the operator')}
      isDangerous
      isIncomplete={revokes === null}
      isPending={sending.isPending}
      onConfirm={sending.submit}
      onLeave={props.onClose}
    >
      <p>
        {i18n.t(
          'The operator’s keys stop working within 5 seconds. The operator’s decisions stay.',
        )}
      </p>
      <Radio.Group
        label={i18n.t('Program keys created with these keys')}
        description={i18n.t('They are listed afterwards.')}
        value={revokes === null ? null : String(revokes)}
        onChange={(value) => setRevokes(value === 'true')}
      >
        <Radio
          value="false"
          label={i18n.t('Keep them')}
          description={i18n.t('The programs continue to work.')}
        />
        <Radio
          value="true"
          label={i18n.t('Revoke them')}
          description={i18n.t('The operator may have kept a copy. The programs need new keys.')}
        />
      </Radio.Group>
      {key.operator_id === id && (
        <p>
          <Trans
            id="<strong>You are signed in with one of these keys.</strong> You will be signed out."
            components={{ strong: <strong /> }}
          />
        </p>
      )}
      <Refused error={sending.error} />
    </ConfirmDialog>
  )
}

type CreatedKeys = NonNullable<ChangedOperator['created_keys']>

type CreatedProps = {
  readonly name: string
  readonly keys: CreatedKeys
  readonly onClose: () => void
}

/** Lists the program keys that still work, or were revoked with the operator. */
function CreatedKeysWindow({ name, keys, onClose }: CreatedProps) {
  const { key: own } = useSession()
  return (
    <DialogWindow
      title={i18n.t('{name} is disabled', { name })}
      open
      isQuestion
      onOpenChange={onClose}
    >
      <p>{i18n.t('Program keys created with {name}’s keys:', { name })}</p>
      <ul>
        {keys.map(({ id, livemode, last4, revoked_at: revokedAt }) => (
          <li key={id}>
            {livemode === own.livemode ? (
              <Link href={hrefOf(id)} style={{ textDecoration: 'underline' }}>
                …{last4}
              </Link>
            ) : (
              `…${last4}`
            )}{' '}
            {livemode ? i18n.t('live') : i18n.t('test')},{' '}
            {revokedAt === null ? i18n.t('still works') : i18n.t('revoked')}
          </li>
        ))}
      </ul>
      <DialogActions>
        <CloseButton onClose={onClose} />
      </DialogActions>
    </DialogWindow>
  )
}

type PersonProps = {
  readonly value: Person
  readonly error: unknown
  readonly onChange: (value: Person) => void
}

function PersonFields({ value, error, onChange }: PersonProps) {
  return (
    <>
      <TextInput
        label={i18n.t('Name')}
        description={i18n.t('Shown with the operator’s decisions.')}
        required
        withAsterisk={false}
        maxLength={nameMax}
        value={value.name}
        error={errorAt(error, '/name')}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      <TextInput
        label={i18n.t('E-mail')}
        inputMode="email"
        required
        withAsterisk={false}
        maxLength={emailMax}
        spellCheck={false}
        value={value.email}
        error={errorAt(error, '/email')}
        onChange={(event) => onChange({ ...value, email: event.currentTarget.value })}
      />
      <TextInput
        label={i18n.t('Id at the company’s sign-in (sub)')}
        description={i18n.t(
          'Optional. The claim “sub” of the person’s ID token; Keycloak shows it as the user’s ID, and Google as the account’s. With it the person is no longer known by the e-mail address.',
        )}
        autoComplete="off"
        maxLength={subjectMax}
        spellCheck={false}
        value={value.subject}
        error={errorAt(error, '/subject')}
        onChange={(event) => onChange({ ...value, subject: event.currentTarget.value })}
      />
    </>
  )
}
