import { z } from 'zod'
import { currentAttempt, openOperationOf, operationsOf } from '../../domain/shipment/shipment.ts'
import type { ShipmentVersion } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import { inFlightRetrySeconds } from '../../processes/calls/creation-refusal.ts'
import { erasePersonalData } from '../../processes/erasure/erasure.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated, requireScope } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import { clockOf, type Found, findShipment, shipmentResource } from './find-shipment.ts'
import { decryptFor, shipmentObject, shipmentSchema } from './shipment-schema.ts'

const eraseBody = z
  .strictObject({
    include_notes: z.boolean().optional().meta({
      description:
        'Also erases decision notes and comments, which may name the person. Requires the key of an operator with the scope `operations:review`. Who decided what, and when, is kept. The default is `false`.',
    }),
  })
  .nullish()
  .meta({
    description: 'What to erase. Optional.',
    examples: [{ include_notes: false }],
  })

export function erasePersonalDataRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:write')
  app.route({
    method: 'POST',
    url: '/v1/shipments/:id/erase-personal-data',
    config: {
      resource: shipment,
      whileSuspended: true,
      isIdempotent: true,
      isVersioned: true,
      problems: ['operation_open', 'legal_hold'],
    },
    schema: {
      operationId: 'erasePersonalData',
      summary: "Erase a shipment's personal data permanently",
      description:
        'Destroys the data key of the shipment: its recipient, declared content, metadata, label and all courier texts are gone from every version. The history stays, and so do decision notes and comments, unless `include_notes` is `true`. A shipment that is being created or cancelled, or whose cancellation has an unknown outcome, cannot be erased. A creation whose outcome is unknown is still reconciled. A legal hold on the shipment or its workspace blocks the erasure until it is lifted. Repeating the call changes nothing.',
      tags: ['Shipments'],
      params: pathId('shp'),
      body: eraseBody,
      response: {
        200: shipmentSchema.meta({ description: 'The shipment, without its personal data.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { id } = request.params
      const includeNotes = request.body?.include_notes === true
      if (includeNotes) requireOperator(caller.principal)
      const create = () => erase(deps, caller, id, { ...shipment.of(request), includeNotes })
      const read = () => findShipment(deps, caller.principal, id)
      const { state } = await idempotentCreate(deps, {
        request,
        reply,
        newId: () => id,
        create,
        read,
      })
      return shipmentObject(id, state, await decryptFor(deps, [state]))
    },
  })
}

function requireOperator(principal: Principal): void {
  requireScope(principal, 'operations:review')
  if (principal.operatorId !== null) return
  throw new Problem('forbidden_scope', {
    detail: 'Only an operator may erase the notes of decisions and the comments.',
  })
}

async function erase(
  deps: ApiServices,
  { principal, requestId }: Caller,
  shipmentId: string,
  { snapshot, state, includeNotes }: Found & { readonly includeNotes: boolean },
): Promise<string> {
  const erased = await erasePersonalData(deps, {
    shipmentId,
    snapshot,
    requestId,
    because: 'request',
    includeNotes,
    actor: actorOf(principal),
    now: await clockOf(deps, state),
  })
  if (erased.kind === 'open') throw stillOpen(shipmentId, erased.snapshot)
  if (erased.kind === 'held') throw held({ id: shipmentId, version: state.version }, erased.holdOn)
  return shipmentId
}

function held(shipment: ShipmentVersion, holdOn: 'shipment' | 'workspace'): Problem {
  const detail =
    holdOn === 'shipment'
      ? 'The shipment has a legal hold.'
      : 'The workspace of the shipment has a legal hold.'
  return new Problem('legal_hold', { shipment, detail })
}

function stillOpen(shipmentId: string, snapshot: Snapshot): Problem {
  const state = existing(snapshot)
  const calling = operationsOf(state).find((each) => each.state === 'calling')
  const { operationId } = calling ?? openOperationOf(state) ?? currentAttempt(state)
  return new Problem('operation_open', {
    shipment: { id: shipmentId, version: state.version },
    operationId,
    retryAfterSeconds: inFlightRetrySeconds,
    headers: { location: `/v1/operations/${operationId}` },
  })
}
