import { z } from 'zod'
import { Problem } from '../../errors.ts'
import {
  type ConnectionRow,
  connectionToApi,
} from '../../processes/connections/connection-to-api.ts'
import { placeOf } from '../../processes/connections/courier-accounts.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { exampleConnectionRequest } from '../openapi/examples.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import { checkedCredentials } from './checked-credentials.ts'
import { connectionSchema, connections, credentials, displayName } from './connection-schema.ts'

const body = z
  .strictObject({
    display_name: displayName.optional(),
    credentials: credentials.optional().meta({
      description:
        'The new credentials. They replace the old ones, and a connection that was `needs_reauth` becomes `active`.',
    }),
    status: z.enum(['active', 'disabled']).optional().meta({
      description:
        '`disabled`: no more creations or quotes, but operations in progress are finished. `active`: enables it again.',
    }),
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ credentials: exampleConnectionRequest().credentials }],
  })
type Body = z.infer<typeof body>

export function updateCourierConnectionRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'PATCH',
    url: '/v1/courier-connections/:id',
    config: {
      resource: connections.resource(deps, 'connections:write'),
      // Operations in progress cannot be reconciled without accepted credentials.
      whileSuspended: true,
      isVersioned: true,
      problems: ['courier_not_available'],
    },
    schema: {
      operationId: 'updateCourierConnection',
      summary: 'Rename, rotate the credentials, disable or enable',
      description:
        'After a 424 `connection_needs_reauth`, send new `credentials` here and repeat the creation with the same key. With `If-Match`, 412 `precondition_failed` if the connection has changed since you read it.',
      tags: ['Courier connections'],
      params: pathId('ccn'),
      body,
      response: { 200: connectionSchema.meta({ description: 'The connection after the change.' }) },
    },
    handler: (request) =>
      connections.change(deps, request, async (row) =>
        connectionToApi(await changeConnection(deps, authenticated(request), row, request.body)),
      ),
  })
}

type Change = Partial<
  Pick<
    ConnectionRow,
    'display_name' | 'status' | 'credentials' | 'credentials_version' | 'verified_at'
  >
>

/** Changes the connection. New credentials unpark it at once. */
export async function changeConnection(
  deps: ApiServices,
  caller: Caller,
  row: ConnectionRow,
  asked: Body,
): Promise<ConnectionRow> {
  const { id } = row
  const body = await withCheckedCredentials(deps, row, asked)
  const change = changeOf(deps, row, body)
  if (change === null) return row
  if (body.credentials !== undefined) {
    await auditAct(deps, caller, row.workspace_id, {
      type: 'CourierCredentialsReplaced',
      data: { courier_connection_id: id, credentials_version: row.credentials_version + 1 },
    })
  }
  const fields = (['display_name', 'status'] as const).filter(
    (field) => field in change && change[field] !== row[field],
  )
  if (fields.length > 0) {
    await auditAct(deps, caller, row.workspace_id, {
      type: 'CourierConnectionChanged',
      data: { courier_connection_id: id, fields, ...auditedChanges(row, change) },
    })
  }
  return write(deps, row, change)
}

async function withCheckedCredentials(
  deps: ApiServices,
  { livemode, provider_code: providerCode }: ConnectionRow,
  body: Body,
): Promise<Body> {
  const { credentials } = body
  if (credentials === undefined) return body
  const mode = { livemode, providerCode }
  if (deps.couriers.courierFor(mode) === null) throw new Problem('courier_not_available')
  return { ...body, credentials: await checkedCredentials(deps, mode, credentials) }
}

/** The status before and after, for the audit. A name may be personal data, so it is left out. */
function auditedChanges({ status: before }: ConnectionRow, { status: after }: Change) {
  return after === undefined || after === before ? {} : { changes: { status: { before, after } } }
}

function changeOf(deps: ApiServices, row: ConnectionRow, body: Body): Change | null {
  const change: Change = {}
  if (body.display_name !== undefined && body.display_name !== row.display_name) {
    change.display_name = body.display_name
  }
  if (body.credentials !== undefined) {
    change.credentials = deps.sealer.seal({
      organizationId: row.organization_id,
      connectionId: row.id,
      credentials: body.credentials,
    })
    change.credentials_version = row.credentials_version + 1
    change.verified_at = null
  }
  const status = statusAfter(row, body)
  // Another request may have parked the connection in the meantime because of the old credentials.
  if (status !== row.status || body.credentials !== undefined) change.status = status
  return Object.keys(change).length === 0 ? null : change
}

/** Without new credentials a parked connection stays parked: the old ones were refused. */
function statusAfter(row: ConnectionRow, body: Body): ConnectionRow['status'] {
  if (body.status === 'disabled') return 'disabled'
  const parked = row.status === 'needs_reauth' && body.credentials === undefined
  if (parked) return 'needs_reauth'
  if (body.status === 'active') return 'active'
  return row.status === 'needs_reauth' ? 'active' : row.status
}

async function write(
  deps: ApiServices,
  row: ConnectionRow,
  change: Change,
): Promise<ConnectionRow> {
  const written = await deps.db
    .updateTable('courier_connections')
    .set((eb) => ({ ...change, updated_at: deps.clock.now(), version: eb('version', '+', 1) }))
    .where('organization_id', '=', row.organization_id)
    .where(asRead(row))
    .returningAll()
    .executeTakeFirst()
  deps.accounts.forget(placeOf(row))
  return requireWritten(written)
}
