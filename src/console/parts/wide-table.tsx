import type { ReactNode } from 'react'

type WideTableProps = {
  /** The name for screen readers. */
  readonly name: string
  readonly columns: readonly string[]
  /** On narrow screens each row is a card. Its cells name their columns in `data-name`. */
  readonly isStacked?: boolean
  readonly children: ReactNode
}

/** A table that scrolls sideways on narrow screens, also by keyboard. */
export function WideTable({ name, columns, isStacked = false, children }: WideTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <section className="wide" tabIndex={0} aria-label={name}>
      <table className={isStacked ? 'evidence stacked' : 'evidence'}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
