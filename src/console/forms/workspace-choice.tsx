import { NativeSelect, TextInput } from '@mantine/core'
import { namesMax, useWorkspaceNames } from '../parts/names.tsx'
import { useSession } from '../session.tsx'

type ChoiceProps = {
  readonly label: string
  readonly value: string
  /** The word for no workspace. Without it, one must be chosen. */
  readonly none?: string
  readonly error: string | null
  readonly onChange: (id: string) => void
}

/**
 * Chooses a workspace by its name. A key that cannot list them, or has more than a list of choices
 * can hold, enters an id. A key of one workspace has nothing to choose.
 */
export function WorkspaceChoice({ label, value, none, error, onChange }: ChoiceProps) {
  const { key } = useSession()
  const names = useWorkspaceNames()
  const isRequired = none === undefined
  if (key.workspace_id !== null) return null
  if (names.data === undefined || names.data.size >= namesMax) {
    return (
      <TextInput
        label={label}
        description={`The id of a workspace: ws_…${isRequired ? '' : ` Empty: ${none}`}`}
        required={isRequired}
        withAsterisk={false}
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    )
  }
  return (
    <NativeSelect
      label={label}
      required={isRequired}
      withAsterisk={false}
      value={value}
      error={error}
      data={[
        { value: '', label: none ?? 'Choose a workspace' },
        ...[...names.data].map(([id, name]) => ({ value: id, label: name })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The workspace that a form begins with: the only one, or none. */
export function useOnlyWorkspace(): string {
  const { key } = useSession()
  const names = useWorkspaceNames()
  if (key.workspace_id !== null) return key.workspace_id
  const [first, second] = names.data?.keys() ?? []
  return second === undefined ? (first ?? '') : ''
}
