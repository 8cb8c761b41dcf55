import type { ReactNode } from 'react'

type WideTableProps = {
  /** The name for screen readers. */
  readonly name: string
  readonly columns: readonly string[]
  readonly children: ReactNode
}

/** A table that scrolls sideways on narrow screens, also by keyboard. */
export function WideTable({ name, columns, children }: WideTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <section className="wide" tabIndex={0} aria-label={name}>
      <table className="evidence">
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
