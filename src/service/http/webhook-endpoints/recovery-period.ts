import { z } from 'zod'
import { instant } from '../../domain/decider.ts'
import { idOf, timestamp } from '../openapi/schemas.ts'
import { exampleRecovery } from '../openapi/webhook-examples.ts'

/** The longest period of one call. */
export const recoverDaysMax = 14
const dayMs = 24 * 60 * 60 * 1_000

/** What a request says of the period. */
export const requestedPeriod = z
  .strictObject({
    since: z.iso.datetime({ offset: true }).meta({
      description: 'The start of the period, inclusive: RFC 3339, with an offset or `Z`.',
      example: exampleRecovery.since,
    }),
    until: z.iso.datetime({ offset: true }).meta({
      description: `The end of the period, exclusive, at most ${recoverDaysMax} days after \`since\`: RFC 3339, with an offset or \`Z\`.`,
      example: exampleRecovery.until,
    }),
  })
  .superRefine(({ since, until }, context) => {
    const lengthMs = instant(until) - instant(since)
    if (lengthMs > 0 && lengthMs <= recoverDaysMax * dayMs) return
    const message =
      lengthMs > 0 ? `At most ${recoverDaysMax} days after since.` : 'It must be after since.'
    context.addIssue({
      code: 'custom',
      path: ['until'],
      message,
      params: { reason: 'invalid_range' },
    })
  })
  .meta({
    description: "The period, on the workspace's clock.",
    examples: [{ since: exampleRecovery.since, until: exampleRecovery.until }],
  })

/** The members of an answer that repeat the period. */
export const answeredPeriod = {
  endpoint_id: idOf('whe').meta({ description: 'The endpoint that missed events.' }),
  since: timestamp.meta({ description: 'The start of the period, inclusive.' }),
  until: timestamp.meta({ description: 'The end of the period, exclusive.' }),
}
