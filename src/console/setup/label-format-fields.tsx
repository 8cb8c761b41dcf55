import { i18n } from '@lingui/core'
import { Checkbox, NativeSelect, SimpleGrid } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { errorAt } from '../forms/field-errors.ts'
import { savedFormatChoices } from '../parts/label-format.ts'

type SavedFormat = NonNullable<Schemas['Workspace']['label_format']>

/** What the API prints for a shop that has saved nothing. */
const standard: SavedFormat = { format: 'pdf', size: 'a6', dpi: 203, caption: false }

type Props = {
  readonly value: SavedFormat | null
  readonly error: unknown
  readonly onChange: (value: SavedFormat) => void
}

/** How the labels of a shop are printed if a request does not say. */
export function LabelFormatFields({ value, error, onChange }: Props) {
  const saved = value ?? standard
  const choices = savedFormatChoices()
  const field = (name: 'format' | 'size' | 'dpi', label: string) => (
    <NativeSelect
      label={label}
      data={choices[name]}
      value={String(saved[name])}
      error={errorAt(error, `/label_format/${name}`)}
      onChange={({ currentTarget }) => {
        const chosen = name === 'dpi' ? Number(currentTarget.value) : currentTarget.value
        onChange({ ...saved, [name]: chosen })
      }}
    />
  )
  return (
    <>
      <SimpleGrid cols={saved.format === 'pdf' ? 2 : 3}>
        {field('format', i18n.t('Labels as'))}
        {field('size', i18n.t('Size of labels'))}
        {saved.format !== 'pdf' && field('dpi', i18n.t('Resolution'))}
      </SimpleGrid>
      <Checkbox
        label={i18n.t('Print the order and the name of the shop above each label')}
        checked={saved.caption}
        error={errorAt(error, '/label_format/caption')}
        onChange={({ currentTarget }) => onChange({ ...saved, caption: currentTarget.checked })}
      />
    </>
  )
}
