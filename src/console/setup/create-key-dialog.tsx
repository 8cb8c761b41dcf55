import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { SecretWindow } from '../forms/secret-window.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { type Scope, useMay } from '../parts/scopes.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const fields = ['/scopes', '/workspace_id', '/expires_at', '/operator_id'] as const

/** Creates a key and shows it. The key is dropped when the dialog closes. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { client, key } = useSession()
  const queries = useQueryClient()
  const usual = useUsualScopes()
  const [scopes, setScopes] = useState<readonly Scope[]>(usual)
  const [workspaceId, setWorkspaceId] = useState('')
  const [operatorId, setOperatorId] = useState('')
  const expiry = useKeyExpiry()
  const [made, setMade] = useState<Schemas['ApiKeyWithSecret'] | null>(null)
  const sending = useSendOnce({
    send: (idempotencyKey) =>
      client.keys.create(
        {
          scopes: [...scopes],
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
        title="The new key"
        secret={made.key}
        otherwise="revoke this key and create another."
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={`Create a ${key.livemode ? 'live' : 'test'} key`}
      does="Create it"
      sending={sending}
      fields={fields}
      onClose={onClose}
    >
      <ScopeChoice value={scopes} error={scopesError(sending.error, scopes)} onChange={setScopes} />
      <WorkspaceChoice
        label="Access"
        none="Every workspace"
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

/** Replaces the API's message for an empty list, which is about arrays. */
function scopesError(error: unknown, scopes: readonly Scope[]): string | null {
  const said = errorAt(error, '/scopes')
  return said !== null && scopes.length === 0 ? 'Choose at least one scope.' : said
}

type OperatorProps = {
  readonly ownId: string
  readonly value: string
  readonly error: string | null
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
      label="Belongs to"
      description="A person’s key acts in that person’s name. A program’s key has no operator."
      value={value}
      error={error}
      data={[
        { value: '', label: 'No operator' },
        { value: ownId, label: own.data === undefined ? 'You' : `${own.data.name} (you)` },
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The scopes in the order in which they are shown, with what they allow. */
const words: Readonly<Record<Scope, string>> = {
  'shipments:read': 'Read shipments, tracking, labels and quotes',
  'shipments:write': 'Create and cancel shipments',
  'connections:read': 'Read courier connections',
  'connections:write': 'Connect couriers, replace credentials',
  'webhooks:read': 'Read endpoints, events and deliveries',
  'webhooks:write': 'Change endpoints, redeliver events',
  'workspaces:read': 'Read workspaces and the list of keys',
  'workspaces:write': 'Create and change workspaces',
  'operations:read': 'Read operations, operators and health',
  'operations:review': 'Decide operations',
  'ledger:read': 'Read histories, proofs and the audit',
  'keys:write': 'Create and revoke keys',
  'operators:write': 'Create and change operators',
}

const all = Object.keys(words) as readonly Scope[]

/** Scopes for decisions and other keys, which programs rarely need. */
const seldomNeeded: ReadonlySet<Scope> = new Set([
  'operations:review',
  'keys:write',
  'operators:write',
])

type ChoiceProps = {
  readonly value: readonly Scope[]
  readonly error: string | null
  readonly onChange: (scopes: Scope[]) => void
}

/** Chooses among the scopes of the session's key, because a new key cannot have others. */
function ScopeChoice({ value, error, onChange }: ChoiceProps) {
  const own = useOwnScopes()
  return (
    <Checkbox.Group
      label="Scopes"
      description="A new key can have at most the scopes of your own key."
      value={[...value]}
      error={error}
      // The error is above the choices, because below them it would be off screen on a phone.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      onChange={(chosen) => onChange(all.filter((scope) => chosen.includes(scope)))}
    >
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" variant="default" onClick={() => onChange([...own])}>
          Select all
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
          Select none
        </Button>
      </Group>
      <div className="scope-choice">
        {own.map((scope) => (
          <Checkbox
            key={scope}
            size="xs"
            value={scope}
            label={<code>{scope}</code>}
            description={words[scope]}
            aria-invalid={error !== null}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}

function useOwnScopes(): readonly Scope[] {
  const { key } = useSession()
  return all.filter((scope) => key.scopes.includes(scope))
}

/** The initial scopes of the form: those that programs usually need. */
function useUsualScopes(): readonly Scope[] {
  return useOwnScopes().filter((scope) => !seldomNeeded.has(scope))
}

const dayMs = 86_400_000

/** With the creating key, after a number of days, or on a date. */
const choices = ['own', '30', '90', '365', 'date'] as const
type Choice = (typeof choices)[number]

/**
 * The expiry of a new key for the API; undefined for that of the creating key. Days count from the
 * opening of the form, so that a retry asks for the same expiry.
 */
function useKeyExpiry() {
  const [openedAt] = useState(() => Date.now())
  const [choice, setChoice] = useState<Choice>('own')
  const [date, setDate] = useState('')
  const endOf = () => {
    if (choice === 'own') return undefined
    if (choice === 'date') return `${date}T23:59:59Z`
    return new Date(openedAt + Number(choice) * dayMs).toISOString()
  }
  return { choice, setChoice, date, setDate, expiresAt: endOf() }
}

type ExpiryProps = {
  readonly expiry: ReturnType<typeof useKeyExpiry>
  readonly error: string | null
}

function KeyExpiry({ expiry, error }: ExpiryProps) {
  const { key } = useSession()
  const { choice, setChoice, date, setDate } = expiry
  const words: Readonly<Record<Choice, string>> = {
    own: key.expires_at === null ? 'Never' : 'When your own key does',
    '30': 'In 30 days',
    '90': 'In 90 days',
    '365': 'In a year',
    date: 'On a date',
  }
  const isDate = choice === 'date'
  return (
    <>
      <NativeSelect
        label="Expires"
        {...(key.expires_at === null
          ? {}
          : {
              description: (
                <>
                  Your own key expires at <Time at={key.expires_at} />. The keys it creates cannot
                  last longer.
                </>
              ),
            })}
        value={choice}
        error={isDate ? null : error}
        data={choices.map((one) => ({ value: one, label: words[one] }))}
        onChange={(event) => setChoice(event.currentTarget.value as Choice)}
      />
      {isDate && (
        <TextInput
          type="date"
          label="Last day (UTC)"
          required
          withAsterisk={false}
          value={date}
          error={error}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
      )}
    </>
  )
}
