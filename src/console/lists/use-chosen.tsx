import { i18n } from '@lingui/core'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Column } from './table.tsx'

type Row = { readonly id: string }

/** The selected rows of a list, up to a limit, and the column with their checkboxes. */
export function useChosen<T extends Row>(
  rows: readonly T[],
  chosenMax: number,
  nameOf: (row: T) => string = ({ id }) => id,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setIds((before) => {
      const after = new Set(before)
      if (!after.delete(id) && after.size < chosenMax) after.add(id)
      return after
    })
  const choice: Column<T> = {
    name: i18n.t('Select'),
    isNameHidden: true,
    width: '1.4rem',
    cell: (row) => (
      <Checkbox
        size="xs"
        className="over-link choose"
        aria-label={i18n.t('Select {name}', { name: nameOf(row) })}
        checked={ids.has(row.id)}
        onChange={() => toggle(row.id)}
      />
    ),
  }
  return {
    chosen: rows.filter(({ id }) => ids.has(id)),
    isFull: ids.size === chosenMax,
    choice,
    clear: () => setIds(new Set()),
    chooseFirst: () => setIds(new Set(rows.slice(0, chosenMax).map(({ id }) => id))),
  }
}
