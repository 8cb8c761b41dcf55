import { z } from 'zod'
import type { Language } from '../../domain/language.ts'
import { Problem } from '../../errors.ts'
import { timesIn } from '../../ledger/evidence/report/times.ts'
import type { Principal } from '../../security/api-keys.ts'
import { languageParameter } from '../rules/asked-language.ts'
import { requireScope } from '../rules/authenticate.ts'

/** The query parameters that choose what a bundle of evidence shows. */
export const evidenceParameters = {
  include_personal: z.enum(['true', 'false']).optional().meta({
    description:
      '`true` includes the personal data of the vault: the recipient, notes, the bodies of requests to the courier, and labels. Operators are then shown by name rather than only by id. Also requires the scopes `shipments:read` and `operations:read`. If the data was erased, the bundle says so. The default is `false`.',
  }),
  time_zone: z.string().optional().meta({
    description:
      'The time zone of the report, by its name in the time zone database. The report also has every time in UTC. The default is `UTC`.',
    example: 'Europe/Madrid',
  }),
  ...languageParameter,
}

export const evidenceQuery = z.strictObject(evidenceParameters)

/**
 * Reads what a query asks of bundles. Throws `forbidden_scope`, and `invalid_filter` for an unknown
 * time zone.
 */
export function evidenceAsked(
  principal: Principal,
  { include_personal: includes, time_zone: zone = 'UTC' }: z.output<typeof evidenceQuery>,
  language: Language,
) {
  const includePersonal = includes === 'true'
  if (includePersonal) {
    requireScope(principal, 'shipments:read')
    // The bundle then has comments, notes and the names of those who decided.
    requireScope(principal, 'operations:read')
  }
  const times = timesIn(zone)
  if (times === null) {
    throw new Problem('invalid_filter', { detail: 'time_zone is not a known time zone.' })
  }
  const { organizationId } = principal
  return { organizationId, includePersonal, times, language }
}
