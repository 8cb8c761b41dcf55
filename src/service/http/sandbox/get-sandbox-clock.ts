import { z } from 'zod'
import { readAdvance } from '../../processes/sandbox/advance-progress.ts'
import type { ApiServices, App } from '../api-services.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  clockObject,
  clockSchema,
  clockWorkspace,
  requireTestMode,
  whichWorkspace,
} from './test-clock.ts'

export function getSandboxClockRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/sandbox/clock',
    config: { collectionScope: null, problems: ['sandbox_only', 'not_found', 'validation_failed'] },
    schema: {
      operationId: 'getSandboxClock',
      summary: "Read a test workspace's clock",
      description:
        'Use it to wait for the end of an advance: then `advancing_to` is `null`, and `advance.skipped` lists what could not be done. A live key gets 400 `sandbox_only`.',
      tags: ['Sandbox'],
      querystring: z.strictObject({ workspace_id: whichWorkspace }),
      response: { 200: clockSchema.meta({ description: 'The clock.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      requireTestMode(principal)
      const workspaceId = await clockWorkspace(deps, principal, request.query.workspace_id, false)
      return clockObject(workspaceId, await readAdvance(deps.db, workspaceId))
    },
  })
}
