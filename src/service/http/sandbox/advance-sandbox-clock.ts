import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { advanceLimits } from '../../processes/sandbox/advance-limits.ts'
import { advanceEnded, startAdvance } from '../../processes/sandbox/sandbox-clock.ts'
import type { ApiServices, App } from '../api-services.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  clockObject,
  clockSchema,
  clockWorkspace,
  requireTestMode,
  whichWorkspace,
} from './test-clock.ts'

const durationForm =
  /^P(?:(?<weeks>\d{1,4})W)?(?:(?<days>\d{1,5})D)?(?:T(?:(?<hours>\d{1,6})H)?(?:(?<minutes>\d{1,8})M)?(?:(?<seconds>\d{1,9}(?:\.\d{1,3})?)S)?)?$/

export function advanceSandboxClockRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/sandbox/clock/advance',
    config: {
      collectionScope: 'shipments:write',
      problems: ['sandbox_only', 'not_found', 'clock_advancing'],
    },
    schema: {
      operationId: 'advanceSandboxClock',
      summary: "Advance a test workspace's clock and do what falls due on the way",
      description:
        'Use it to see in seconds what takes days: looks, tracking, webhook retries, retention. A clock never goes back. While it advances, another advance and creations in the workspace are 409 `clock_advancing`. Jobs of different shipments that fall due within minutes are done at once; the jobs of one shipment are done in order.',
      tags: ['Sandbox'],
      body: z
        .strictObject({
          workspace_id: whichWorkspace,
          by: z.string().max(40).meta({
            description:
              'How far to advance: an ISO 8601 duration, longer than zero and at most 60 days.',
            example: 'P2D',
          }),
        })
        .meta({ description: 'How far to advance the clock.', examples: [{ by: 'P2D' }] }),
      response: {
        200: clockSchema.meta({ description: 'The clock, which has arrived at the time.' }),
        202: clockSchema.meta({
          description: 'The clock, which continues to advance in the background.',
        }),
      },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      requireTestMode(principal)
      const workspaceId = await clockWorkspace(deps, principal, request.body.workspace_id, true)
      const byMs = parseDuration(request.body.by)
      if (byMs === null || byMs <= 0 || byMs > advanceLimits.byMsMax) {
        const detail =
          'It must be an ISO 8601 duration such as PT6H, longer than zero and at most P60D.'
        throw new Problem('validation_failed', {
          errors: [{ pointer: '/by', reason: 'invalid_duration', detail }],
        })
      }
      if (!(await startAdvance(deps.db, workspaceId, byMs))) {
        throw new Problem('clock_advancing', { retryAfterSeconds: 1 })
      }
      deps.workAdded.notify()
      const reading = await advanceEnded(deps, workspaceId)
      return reply
        .code(reading.advancingTo === null ? 200 : 202)
        .send(clockObject(workspaceId, reading))
    },
  })
}

/**
 * The milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; else null.
 */
function parseDuration(text: string): number | null {
  const groups = durationForm.exec(text)?.groups
  if (groups === undefined || text.endsWith('T') || text === 'P') return null
  const part = (name: string) => Number(groups[name] ?? 0)
  const days = part('weeks') * 7 + part('days')
  return Math.round(
    ((days * 24 + part('hours')) * 3_600 + part('minutes') * 60 + part('seconds')) * 1_000,
  )
}
