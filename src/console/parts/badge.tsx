/** The color of a word, by how much attention it needs. */
const tones: Readonly<Record<string, 'bad' | 'warn' | 'good'>> = {
  needs_review: 'bad',
  human_review: 'bad',
  unknown_outcome: 'bad',
  rejected: 'bad',
  dead: 'bad',
  lost: 'bad',
  contradicted: 'bad',
  unreachable: 'bad',
  disabled: 'bad',
  degraded: 'bad',
  stopped: 'bad',
  limit_reached: 'bad',
  revoked: 'bad',
  expired: 'bad',
  failing: 'bad',
  reconciling: 'warn',
  creating: 'warn',
  cancelling: 'warn',
  pending: 'warn',
  unconfirmed: 'warn',
  escalated: 'warn',
  inconclusive: 'warn',
  ambiguous: 'warn',
  discarded: 'warn',
  created: 'good',
  guide_exists: 'good',
  found: 'good',
  delivered: 'good',
  enabled: 'good',
  ok: 'good',
  working: 'good',
  reachable: 'good',
}

type BadgeProps = {
  readonly value: string
  /** The value was read a while ago, so it is neither good nor bad news. */
  readonly isStale?: boolean
}

/** A value of the API in words. An unknown value is shown as it is. */
export function Badge({ value, isStale = false }: BadgeProps) {
  return (
    <span className="badge" data-tone={(!isStale && tones[value]) || 'plain'}>
      {value.replaceAll('_', ' ')}
    </span>
  )
}
