import { Button, Checkbox, Group } from '@mantine/core'
import type { Scope } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

/** What each scope allows, in the order in which scopes are shown. */
const words: Readonly<Record<Scope, string>> = {
  'shipments:read': 'Read shipments, tracking, labels and quotes',
  'shipments:write': 'Create and cancel shipments',
  'connections:read': 'Read courier connections',
  'connections:write': 'Connect couriers, replace credentials',
  'webhooks:read': 'Read endpoints, events and deliveries',
  'webhooks:write': 'Change endpoints, send events again',
  'workspaces:read': 'Read workspaces and the list of keys',
  'workspaces:write': 'Create and change workspaces',
  'operations:read': 'Read operations, operators and health',
  'operations:review': 'Decide operations',
  'ledger:read': 'Read histories, proofs and the audit',
  'keys:write': 'Create and revoke keys',
  'operators:write': 'Create and change operators',
}

const all = Object.keys(words) as readonly Scope[]

/** Power over people's decisions and over other keys. A program seldom needs it. */
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

/** Chooses among the scopes of the key that is signed in: a new key gets no other. */
export function ScopeChoice({ value, error, onChange }: ChoiceProps) {
  const own = useOwnScopes()
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the new key may do: at most what your own key may do."
      value={[...value]}
      error={error}
      // Above the choices: below them a phone would not show it.
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      onChange={(chosen) => onChange(all.filter((scope) => chosen.includes(scope)))}
    >
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" variant="default" onClick={() => onChange([...own])}>
          Choose all
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
          Choose none
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

/** What the form begins with: what programs need. */
export function useUsualScopes(): readonly Scope[] {
  return useOwnScopes().filter((scope) => !seldomNeeded.has(scope))
}
