import type { ReactNode } from 'react'
import { Link } from 'wouter'

type FigureProps = {
  readonly name: string
  /** Where the things that it counts are listed. */
  readonly href: string
  readonly icon: ReactNode
  /** Null: not known yet. */
  readonly value: number | null
  /** There are more than that. */
  readonly isMore?: boolean
  readonly note: string
  /** It is no bad news if it is not zero. */
  readonly isCalm?: boolean
}

const format = new Intl.NumberFormat('en')

/** A number that leads to its list. */
export function Figure(props: FigureProps) {
  const { name, href, icon, value, isMore = false, note, isCalm = false } = props
  const tone = value === null || value === 0 ? 'none' : isCalm ? 'calm' : 'bad'
  return (
    <Link href={href} className="figure" data-tone={tone}>
      <span className="figure-name">
        {icon}
        {name}
      </span>
      <strong className="figure-value">
        {value === null ? '…' : format.format(value)}
        {isMore && '+'}
      </strong>
      <span className="figure-note">{note}</span>
    </Link>
  )
}
