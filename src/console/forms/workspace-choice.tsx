import { i18n } from '@lingui/core'
import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { namesMax, useWorkspaceNames } from '../parts/names.tsx'
import { useSession } from '../session.tsx'

type ChoiceProps = {
  readonly label: string
  readonly value: string
  /** The label for no workspace. Without it, a workspace is required. */
  readonly none?: string
  readonly error: ReactNode
  readonly onChange: (id: string) => void
}

/**
 * Chooses a workspace by name. If the key cannot list workspaces, or there are too many, the user
 * types an id. A key of one workspace has nothing to choose.
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
        description={
          isRequired
            ? i18n.t('The id of a workspace: ws_…')
            : i18n.t('The id of a workspace: ws_… Empty: {none}', { none })
        }
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
        { value: '', label: none ?? i18n.t('Choose a workspace') },
        ...[...names.data].map(([id, name]) => ({ value: id, label: name })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The id of the only workspace, or an empty string if there are several. */
export function useOnlyWorkspace(): string {
  const { key } = useSession()
  const names = useWorkspaceNames()
  if (key.workspace_id !== null) return key.workspace_id
  const [first, second] = names.data?.keys() ?? []
  return second === undefined ? (first ?? '') : ''
}
