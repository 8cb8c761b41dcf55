import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { resource } from '../rules/resources/resource.ts'
import { auditEventObject, auditEventSchema, exampleAuditEvent } from './audit-event-schema.ts'
import { findAuditEvent } from './find-audit-event.ts'

export function getAuditEventRoute(app: App, deps: ApiServices): void {
  const act = resource('ledger:read', ({ principal }, id) => findAuditEvent(deps.db, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/audit-events/:id',
    config: { resource: act, isVersioned: true },
    schema: {
      operationId: 'getAuditEvent',
      summary: 'Read an administrative act',
      description: 'Use it with the id of an event in an export.',
      tags: ['Audit events'],
      params: z.strictObject({
        id: z.uuid().meta({
          description:
            'The `id` of the act. One that does not exist, or that the key does not reach, is 404 `not_found`.',
          example: exampleAuditEvent.id,
        }),
      }),
      response: { 200: auditEventSchema.meta({ description: 'The act.' }) },
    },
    handler: async (request) => auditEventObject(act.of(request)),
  })
}
