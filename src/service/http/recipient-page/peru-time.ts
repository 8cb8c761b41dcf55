import type { Instant } from '../../domain/decider.ts'

/** Recipients are in Peru, wherever the service and the courier are. */
export const timeZone = 'America/Lima'

const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })

/** The day in Peru, like 2026-03-03. Days in order are texts in order. */
export function peruDay(at: Instant): string {
  return days.format(at)
}
