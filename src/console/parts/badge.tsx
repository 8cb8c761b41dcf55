import { type StateLook, stateLooks } from './state-looks.ts'

type BadgeProps = {
  readonly value: string
  /** The value was read a while ago, so it is neither good nor bad news. */
  readonly isStale?: boolean
}

const unknown: StateLook = { tone: 'plain', icon: null }

/** A value of the API: an icon and a word. An unknown value is shown as it is. */
export function Badge({ value, isStale = false }: BadgeProps) {
  const { tone, icon: Icon, word = value.replaceAll('_', ' ') } = stateLooks[value] ?? unknown
  return (
    <span className="badge" data-tone={isStale ? 'plain' : tone}>
      {Icon !== null && <Icon size={14} stroke={2} aria-hidden />}
      <span>{word}</span>
    </span>
  )
}
