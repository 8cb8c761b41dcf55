import { Button, Checkbox, Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { errorAt } from '../forms/field-errors.ts'
import type { Scope } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { roleScopes } from './generated-roles.ts'

type NamedRole = keyof typeof roleScopes
type Role = NamedRole | 'custom'

/** In the order of the list, with who each role is for. */
const aboutRoles: Readonly<Record<Role, string>> = {
  integration: 'Integration: the back end of a shop',
  clerk: 'Clerk: packs and ships',
  support: 'Support: reads everything, changes nothing',
  accountant: 'Accountant: checks couriers’ invoices',
  operator: 'Operator: decides operations',
  admin: 'Admin: everything',
  custom: 'Custom: choose the scopes',
}
const roles = Object.keys(aboutRoles) as readonly Role[]

/** The role of a new key, and its scopes if it is custom. Nothing is chosen at first. */
export function useKeyRole() {
  const [role, setRole] = useState<Role | ''>('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const own = role === 'custom' ? { scopes: [...scopes] } : {}
  const grant = role === '' ? {} : { role, ...own }
  return { role, setRole, scopes, setScopes, grant }
}

type Props = { readonly chosen: ReturnType<typeof useKeyRole>; readonly error: Error | null }

export function KeyRole({ chosen, error }: Props) {
  const own = useOwnScopes()
  const { role, setRole, scopes, setScopes } = chosen
  const isBeyond = (one: Role) =>
    one !== 'custom' && roleScopes[one].some((scope) => !own.includes(scope))
  return (
    <>
      <NativeSelect
        label="Role"
        description="What the key is for. A role that needs scopes which your own key lacks cannot be chosen."
        required
        withAsterisk={false}
        value={role}
        error={errorAt(error, '/role')}
        data={[
          { value: '', label: 'Choose a role', disabled: true },
          ...roles.map((one) => ({
            value: one,
            label: aboutRoles[one],
            disabled: isBeyond(one),
          })),
        ]}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      {role === 'custom' && (
        <ScopeChoice value={scopes} error={scopesError(error, scopes)} onChange={setScopes} />
      )}
      {role !== '' && role !== 'custom' && (
        <p className="granted">
          It can:{' '}
          {roleScopes[role].map((scope, index) => (
            <span key={scope}>
              {index === 0 ? '' : ', '}
              <code title={aboutScopes[scope]}>{scope}</code>
            </span>
          ))}
        </p>
      )}
    </>
  )
}

/** Replaces the API's message for an empty list, which is about arrays. */
function scopesError(error: unknown, scopes: readonly Scope[]): string | null {
  const said = errorAt(error, '/scopes')
  return said !== null && scopes.length === 0 ? 'Choose at least one scope.' : said
}

/** The scopes in the order in which they are shown, with what they allow. */
const aboutScopes: Readonly<Record<Scope, string>> = {
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

const all = Object.keys(aboutScopes) as readonly Scope[]

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
            description={aboutScopes[scope]}
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
