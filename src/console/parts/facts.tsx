import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

/** A list of names and values. A missing value is shown as a dash. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <DataList orientation="vertical" className="facts">
      {facts.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel fz="xs">{name}</DataList.ItemLabel>
          <DataList.ItemValue>{value ?? '–'}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}
