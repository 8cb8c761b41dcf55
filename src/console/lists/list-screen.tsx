import { type ReactNode, useState } from 'react'
import { ActButton } from '../parts/act-button.tsx'
import type { Scope } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { type Item, type ListSource, usePagedList } from './paged-list.ts'
import { Table, type TableProps } from './table.tsx'

type ListScreenProps<T> = Pick<ListSource<T>, 'queryKey' | 'read'> &
  Pick<TableProps<T>, 'what' | 'columns' | 'href' | 'whenEmpty'> & {
    readonly title: string
    /** Explains the list, below the title. */
    readonly about?: ReactNode
    readonly acts?: ReactNode
    readonly filters?: ReactNode
    /** The button and the dialog that create another one. */
    readonly create?: {
      readonly word: string
      readonly scope: Scope
      readonly refused?: string | null
      dialog(onClose: () => void): ReactNode
    }
  }

/** A screen with one list, newest first. */
export function ListScreen<T extends Item>(props: ListScreenProps<T>) {
  const { title, about, acts, filters, create, queryKey, read, ...table } = props
  const [isCreating, setCreating] = useState(false)
  const list = usePagedList<T>({ queryKey, read })
  return (
    <>
      <ScreenHead
        title={title}
        acts={
          <>
            {acts}
            {create !== undefined && (
              <ActButton
                word={create.word}
                scope={create.scope}
                isPrimary
                refused={create.refused ?? null}
                onAct={() => setCreating(true)}
              />
            )}
          </>
        }
      >
        {about !== undefined && <p className="reason">{about}</p>}
      </ScreenHead>
      {filters}
      <Table list={list} {...table} />
      {isCreating && create?.dialog(() => setCreating(false))}
    </>
  )
}
