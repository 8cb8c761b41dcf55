import { i18n } from '@lingui/core'
import { Group, VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { Link } from 'wouter'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { useScreenKeys } from '../parts/use-screen-keys.ts'
import type { PagedList } from './paged-list.ts'
import { type RowKind, rowWords } from './row-words.ts'

export type Column<T> = {
  readonly name: string
  /** A track of a CSS grid. */
  readonly width: string
  /** On narrow screens, where rows are cards, this fact has a line of its own. */
  readonly isLong?: boolean
  /** The column holds a control, and its name is only for screen readers. */
  readonly isNameHidden?: boolean
  readonly cell: (row: T) => ReactNode
}

export type TableProps<T> = {
  readonly what: RowKind
  readonly list: PagedList<T>
  /** The first fact links to the row's screen if `href` is given. */
  readonly columns: readonly Column<T>[]
  readonly href?: (row: T) => string
  /** The row open next to the list. */
  readonly openedId?: string | null
  readonly whenEmpty: ReactNode
  /** Shown after the number of rows. */
  readonly summary?: ReactNode
  /** Actions shown next to the number of rows. */
  readonly aside?: ReactNode
}

/** The height of a line of text, and a row's padding, at the browser's default text size. */
const linePx = 22
const paddingPx = 16
/**
 * The same width as in the style sheet: on narrower screens a row is a card with two facts per line
 * and one line for each long fact.
 */
const narrow = window.matchMedia('(width < 48em)')
/** Rows rendered beyond the visible ones for smooth scrolling. */
const overscanRows = 8
/** The next page is requested this many rows before the last one. */
const reachRows = 30

/** A list of any length: it draws only the rows in view and loads pages as they are reached. */
export function Table<T extends { readonly id: string }>(props: TableProps<T>) {
  const { list, what, whenEmpty, summary, aside } = props
  const words = rowWords[what]
  if (list.error !== null && list.rows.length === 0) {
    return <Failed error={list.error} again={list.again} />
  }
  if (list.rows.length === 0 && (list.isLoading || list.isLoadingMore)) return <Loading />
  if (list.rows.length === 0) return <Empty title={words.none()}>{whenEmpty}</Empty>
  return (
    <>
      <Group justify="space-between" gap="xs" mih="1.6rem" flex="none">
        <div className="table-counts">
          <p className="count" role="status">
            {countText(list, words.count(list.rows.length))}
          </p>
          {summary}
        </div>
        {aside}
      </Group>
      <Rows {...props} />
    </>
  )
}

function countText<T>({ hasMore, error }: PagedList<T>, rows: string): string {
  const count = hasMore ? i18n.t('{rows} and more', { rows }) : rows
  return error === null
    ? count
    : i18n.t('{count} · not up to date: the last read failed', { count })
}

function Rows<T extends { readonly id: string }>(props: TableProps<T>) {
  const { what, list, columns, href, openedId = null } = props
  const area = useRef<HTMLDivElement>(null)
  const heightPx = useRowHeight(columns)
  const name = rowWords[what].name()
  const { rows, hasMore, isLoadingMore, more, look } = list
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    // All rows have the same height: measuring each of ten thousand would be noticeable.
    estimateSize: () => heightPx,
    overscan: overscanRows,
    initialOffset: leftAtPx,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const firstInView = items.at(0)?.index ?? 0
  const lastInView = items.at(-1)?.index ?? 0
  useEffect(() => look(firstInView, lastInView), [firstInView, lastInView, look])
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastInView >= rows.length - reachRows) more()
  }, [lastInView, rows.length, hasMore, isLoadingMore, more])
  const onKeyDown = useRowKeys(area, virtual.scrollToIndex, {
    count: rows.length,
    firstInView,
    openedAt: rows.findIndex(({ id }) => id === openedId),
  })
  // Keyboard users reach the table through the links in its rows; without links, the table itself.
  const reached = href === undefined ? { tabIndex: 0, role: 'group', 'aria-label': name } : {}
  const tracks = { '--tracks': columns.map(({ width }) => width).join(' ') } as CSSProperties
  return (
    <div className="table-area" ref={area} style={tracks} onScrollEnd={keepPlace} {...reached}>
      <table aria-label={name} aria-rowcount={hasMore ? -1 : rows.length + 1} onKeyDown={onKeyDown}>
        <TableHead columns={columns} />
        <tbody className="table-rows" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <tr
                key={item.key}
                aria-rowindex={item.index + 2}
                data-index={item.index}
                className="table-row"
                data-chosen={row.id === openedId || undefined}
                style={{ height: heightPx, transform: `translateY(${item.start}px)` }}
              >
                <Cells
                  columns={columns}
                  row={row}
                  href={href?.(row) ?? null}
                  isOpened={row.id === openedId}
                />
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function indexOf(target: EventTarget | null): number | null {
  const row = (target as HTMLElement | null)?.closest<HTMLElement>('[data-index]') ?? null
  return row === null ? null : Number(row.dataset.index)
}

type Place = {
  readonly count: number
  readonly firstInView: number
  /** -1 if no row is open next to the list. */
  readonly openedAt: number
}

/**
 * On the whole screen, j and k move between rows and x selects one. Returns the handler of the
 * arrow keys in the table.
 */
function useRowKeys(
  area: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
  { count, firstInView, openedAt }: Place,
) {
  const goToRow = (index: number) => {
    const next = Math.min(count - 1, Math.max(0, index))
    scrollTo(next)
    const focus = () => {
      const link = area.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`) ?? null
      link?.focus()
      return link !== null
    }
    // Focus at once if the row is rendered, so that the next keystroke reaches it.
    if (!focus()) requestAnimationFrame(focus)
  }
  const step = (by: number) => () => {
    const { activeElement } = document
    const at = area.current?.contains(activeElement) === true ? indexOf(activeElement) : null
    if (at === null && openedAt === -1) goToRow(firstInView)
    else goToRow((at ?? openedAt) + by)
  }
  const choose = () => {
    const at = indexOf(document.activeElement)
    const box = `[data-index="${at}"] input[type="checkbox"]`
    if (at !== null) area.current?.querySelector<HTMLInputElement>(box)?.click()
  }
  useScreenKeys([
    ['j', step(1)],
    ['k', step(-1)],
    ['x', choose],
  ])
  return (event: KeyboardEvent) => {
    const at = indexOf(event.target)
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || at === null) return
    event.preventDefault()
    goToRow(at + by)
  }
}

/** Stored in the tab's history entry, so that going back restores the list's scroll position. */
function leftAtPx(): number {
  return Number(history.state?.leftAtPx ?? 0)
}

function keepPlace({ currentTarget }: UIEvent<HTMLElement>) {
  history.replaceState({ ...history.state, leftAtPx: currentTarget.scrollTop }, '')
}

function TableHead<T>({ columns }: { readonly columns: readonly Column<T>[] }) {
  return (
    <thead className="table-head">
      <tr aria-rowindex={1} className="table-names">
        {columns.map(({ name, isNameHidden }) => (
          <th key={name} scope="col">
            {isNameHidden === true ? <VisuallyHidden>{name}</VisuallyHidden> : name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type CellsProps<T> = {
  readonly columns: readonly Column<T>[]
  readonly row: T
  readonly href: string | null
  readonly isOpened: boolean
}

function CellsOf<T>({ columns, row, href, isOpened }: CellsProps<T>): ReactNode {
  const first = columns.findIndex(({ isNameHidden }) => isNameHidden !== true)
  return columns.map(({ name, cell, isLong, isNameHidden }, index) => (
    <td
      key={name}
      data-name={name}
      data-long={isLong}
      data-first={index === first || undefined}
      data-control={isNameHidden}
    >
      {index === first && href !== null ? (
        <Link href={href} aria-current={isOpened || undefined}>
          {cell(row)}
        </Link>
      ) : (
        cell(row)
      )}
    </td>
  ))
}

/** Scrolling renders only new rows. */
const Cells = memo(CellsOf) as typeof CellsOf

/** The row height in pixels at the browser's text size. */
function useRowHeight<T>(columns: readonly Column<T>[]): number {
  const isNarrow = useSyncExternalStore(
    (changed) => {
      narrow.addEventListener('change', changed)
      return () => narrow.removeEventListener('change', changed)
    },
    () => narrow.matches,
  )
  const facts = columns.filter(({ isNameHidden }) => isNameHidden !== true)
  const long = facts.filter(({ isLong }, index) => index === 0 || isLong).length
  const lines = isNarrow ? long + Math.ceil((facts.length - long) / 2) : 1
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
  return Math.round((lines * linePx + paddingPx) * scale)
}
