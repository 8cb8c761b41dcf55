import { WorkspaceName } from '../parts/names.tsx'
import { FilterBar, FilterSelect, FilterText, WorkspaceFilter } from './filters.tsx'

/** A filter of a list: a choice, a text, a date or a workspace. */
export type FilterField = {
  readonly label: string
  /** The values and their words; without them the filter is a text. */
  readonly options?: readonly (readonly [value: string, word: string])[]
  readonly kind?: 'date' | 'workspace'
}

type FieldsProps<Name extends string> = {
  readonly fields: Readonly<Record<Name, FilterField>>
  readonly filters: Readonly<Partial<Record<Name, string>>>
  readonly setFilter: (name: Name, value: string) => void
  readonly clear: () => void
}

/** The filters of a list, and a chip for each active one that removes it. */
export function FilterFields<Name extends string>(props: FieldsProps<Name>) {
  const { fields, filters, setFilter, clear } = props
  const names = Object.keys(fields) as Name[]
  const active = names.filter((name) => filters[name] !== undefined)
  const chips = active.map((name) => ({
    label: fields[name].label,
    value: <Chosen field={fields[name]} value={filters[name] ?? ''} />,
    onRemove: () => setFilter(name, ''),
  }))
  return (
    <FilterBar count={active.length} onClear={clear} chips={chips}>
      {names.map((name) => (
        <Control
          key={name}
          field={fields[name]}
          value={filters[name] ?? ''}
          onChange={(value) => setFilter(name, value)}
        />
      ))}
    </FilterBar>
  )
}

type ControlProps = {
  readonly field: FilterField
  readonly value: string
  readonly onChange: (value: string) => void
}

function Control({ field, ...held }: ControlProps) {
  const { label, options, kind } = field
  if (kind === 'workspace') return <WorkspaceFilter {...held} />
  if (options !== undefined) return <FilterSelect label={label} options={options} {...held} />
  return <FilterText label={label} type={kind === 'date' ? 'date' : 'text'} {...held} />
}

type ChosenProps = Pick<ControlProps, 'field' | 'value'>

/** The chosen value in words. */
function Chosen({ field: { options = [], kind }, value }: ChosenProps) {
  if (kind === 'workspace') return <WorkspaceName id={value} />
  return <bdi>{options.find(([one]) => one === value)?.[1] ?? value}</bdi>
}
