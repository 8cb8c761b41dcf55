import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Button, Checkbox, Group, NativeSelect, SimpleGrid } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { errorAt } from '../forms/field-errors.ts'
import type { Scope } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { roleScopes } from './generated-roles.ts'
import { aboutRoles, aboutScopes, type Role } from './role-words.ts'

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
  const roles = Object.entries(aboutRoles()) as [Role, string][]
  const about = aboutScopes()
  const { role, setRole, scopes, setScopes } = chosen
  const isBeyond = (one: Role) =>
    one !== 'custom' && roleScopes[one].some((scope) => !own.includes(scope))
  return (
    <>
      <NativeSelect
        label={i18n.t('Role')}
        description={i18n.t(
          'What the key is for. A role that needs scopes which your own key lacks cannot be chosen.',
        )}
        required
        withAsterisk={false}
        value={role}
        error={errorAt(error, '/role')}
        data={[
          { value: '', label: i18n.t('Choose a role'), disabled: true },
          ...roles.map(([one, label]) => ({
            value: one,
            label,
            disabled: isBeyond(one),
          })),
        ]}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
      />
      {role === 'custom' && (
        <ScopeChoice value={scopes} error={scopesError(error, scopes)} onChange={setScopes} />
      )}
      {role !== '' && role !== 'custom' && (
        <p>
          <Trans
            id="It can: {scopes}"
            values={{
              scopes: roleScopes[role].map((scope, index) => (
                <span key={scope}>
                  {index === 0 ? '' : ', '}
                  <code title={about[scope]}>{scope}</code>
                </span>
              )),
            }}
          />
        </p>
      )}
    </>
  )
}

/** Replaces the API's message for an empty list, which is about arrays. */
function scopesError(error: unknown, scopes: readonly Scope[]): ReactNode {
  const said = errorAt(error, '/scopes')
  return said !== null && scopes.length === 0 ? i18n.t('Choose at least one scope.') : said
}

type ChoiceProps = {
  readonly value: readonly Scope[]
  readonly error: ReactNode
  readonly onChange: (scopes: Scope[]) => void
}

/** Chooses among the scopes of the session's key, because a new key cannot have others. */
function ScopeChoice({ value, error, onChange }: ChoiceProps) {
  const own = useOwnScopes()
  const about = aboutScopes()
  return (
    <Checkbox.Group
      label={i18n.t('Scopes')}
      description={i18n.t('A new key can have at most the scopes of your own key.')}
      value={[...value]}
      error={error}
      // The error is above the choices, because below them it would be off screen on a phone.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      onChange={(chosen) => onChange(own.filter((scope) => chosen.includes(scope)))}
    >
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" variant="default" onClick={() => onChange([...own])}>
          {i18n.t('Select all')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
          {i18n.t('Select none')}
        </Button>
      </Group>
      <SimpleGrid minColWidth="15rem" spacing="md" verticalSpacing="xs" mt="xs">
        {own.map((scope) => (
          <Checkbox
            key={scope}
            size="xs"
            value={scope}
            label={<code>{scope}</code>}
            description={about[scope]}
            aria-invalid={error !== null}
          />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}

function useOwnScopes(): readonly Scope[] {
  const { key } = useSession()
  const all = Object.keys(aboutScopes()) as Scope[]
  return all.filter((scope) => key.scopes.includes(scope))
}
