import type { FastifyReply } from 'fastify'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import type { CreationAnswer } from '../../processes/calls/create-shipment.ts'
import { refusalOf } from '../../processes/calls/creation-refusal.ts'
import type { RouteDeps } from '../server-deps.ts'
import { decryptKnown, type ShipmentObject, shipmentObject } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'processes'>

/** The answer for each end of a creation. */
export async function answerCreation(
  deps: Deps,
  reply: FastifyReply,
  answer: CreationAnswer,
): Promise<ShipmentObject> {
  const state = existing(answer.snapshot)
  if (answer.by !== 'made') reply.header('idempotent-replayed', 'true')
  const refusal = await refusalOf(deps.processes, answer)
  if (refusal === null) return await created(deps, reply, answer, state)
  if (refusal.reason !== 'courier_rejected') throw refusal
  const decrypted = await decryptKnown(deps.processes.vault, state, answer.known)
  const { failure } = shipmentObject(answer.shipmentId, state, decrypted)
  throw new Problem('courier_rejected', {
    ...refusal.options,
    ...(failure?.detail == null ? {} : { detail: failure.detail }),
  })
}

async function created(
  deps: Deps,
  reply: FastifyReply,
  { shipmentId, known }: CreationAnswer,
  state: Shipment,
): Promise<ShipmentObject> {
  const decrypted = await decryptKnown(deps.processes.vault, state, known).catch(
    (cause: unknown) => {
      throw new Problem('dependency_unavailable', {
        shipment: { id: shipmentId, version: state.version },
        outcome: 'executed',
        retryAfterSeconds: 1,
        detail: 'The shipment was created but cannot be shown now. Repeat with the same key only.',
        cause,
      })
    },
  )
  reply.code(201).header('location', `/v1/shipments/${shipmentId}`)
  return shipmentObject(shipmentId, state, decrypted)
}
