import { namesMax, useWorkspaceNames } from '../parts/names.tsx'
import { FilterSelect, FilterText } from './filters.tsx'

type WorkspaceFilterProps = {
  readonly value: string
  readonly onChange: (workspaceId: string) => void
}

/** By its name. A key that cannot list the names, or has too many of them, enters an id. */
export function WorkspaceFilter({ value, onChange }: WorkspaceFilterProps) {
  const names = useWorkspaceNames().data
  if (names === undefined || names.size >= namesMax) {
    return <FilterText label="Workspace (ws_…)" value={value} onChange={onChange} />
  }
  return (
    <FilterSelect
      label="Workspace"
      value={value}
      onChange={onChange}
      options={[['', 'Any'], ...names]}
    />
  )
}
