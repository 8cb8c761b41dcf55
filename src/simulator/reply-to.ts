import { z } from 'zod'
import { protocolVersion, userNameAndPassword } from '../service/couriers/connector-description.ts'
import { everyCapability } from '../service/couriers/courier.ts'
import { type OperationName, operations, requests } from '../service/couriers/protocol.ts'
import { erasePath } from '../service/couriers/simulated-courier.ts'
import { simulatedAgencies, simulatedAgencyByCode } from './agencies.ts'
import {
  cancelGuide,
  createGuide,
  findGuides,
  guideIn,
  isDue,
  playOf,
  quote,
  type Reply,
  refusal,
  timeOf,
  unauthorized,
  unknownGuide,
  verifyCredentials,
} from './replies.ts'
import { invoice } from './simulated-invoice.ts'
import { label } from './simulated-label.ts'
import { track } from './simulated-tracking.ts'
import type { CallRow, SimulatorRecord } from './simulator-record.ts'
import { simulatedPackageProducts } from './tariffs.ts'

const eraseRequest = z.object({ client_reference: z.string().min(1).max(64) })

type PdfReply = { readonly pdf: Buffer; readonly outcome: string }

function operationAt(method: string, path: string): OperationName | null {
  for (const [name, operation] of Object.entries(operations)) {
    if (operation.method === method && operation.path === path) return name as OperationName
  }
  return null
}

const malformed = refusal('invalid_request', 'The request is not valid.', 400)

/** Finds the operation of a request, decides the reply and records the call. */
export async function replyTo(
  record: SimulatorRecord,
  method: string,
  path: string,
  body: Buffer | null,
): Promise<Reply | PdfReply> {
  if (body === null) return refusal('invalid_request', 'The request is too large.', 413)
  if (method === 'POST' && path === erasePath) return erase(record, body)
  const operation = operationAt(method, path)
  if (operation === null) return refusal('invalid_request', 'There is no such route.', 404)
  const schema = operations[operation].request
  if (schema === null) {
    const reply = listed(operation)
    recordCall(record, { ...unnamed, route: operation, outcome: reply.outcome })
    return reply
  }
  const parsed = schema.safeParse(jsonOf(body))
  if (!parsed.success) {
    recordCall(record, { ...unnamed, route: operation, outcome: malformed.outcome })
    return malformed
  }
  if (operation === 'label') return labelReply(record, requests.label.parse(parsed.data))
  return decideAndRecord(record, operation, parsed.data)
}

function listed(operation: OperationName): Reply {
  const success = true
  if (operation === 'agencies') {
    return { status: 200, body: { success, agencies: simulatedAgencies }, outcome: 'listed' }
  }
  if (operation === 'packageProducts') {
    const package_products = simulatedPackageProducts.map((product) => ({
      code: product.code,
      name: product.name,
      max_weight_kg: product.maxWeightKg,
      max_length_m: product.maxLengthM,
      max_width_m: product.maxWidthM,
      max_height_m: product.maxHeightM,
    }))
    return { status: 200, body: { success, package_products }, outcome: 'listed' }
  }
  const body = {
    protocol: protocolVersion,
    name: 'Simulated courier',
    capabilities: everyCapability,
    credential_fields: userNameAndPassword,
  }
  return { status: 200, body, outcome: 'listed' }
}

/** Decides and records in one transaction, so that the record always agrees with the answer. */
function decideAndRecord(record: SimulatorRecord, operation: OperationName, data: unknown): Reply {
  return record.atomically(() => {
    const { reply, ...call } = answered(record, operation, data)
    recordCall(record, { ...call, route: operation, outcome: reply.outcome })
    return reply
  })
}

type Answered = {
  readonly scenario: string
  readonly reference: string | null
  readonly reply: Reply
}

function answered(record: SimulatorRecord, operation: OperationName, data: unknown): Answered {
  const call = requests.verifyCredentials.parse(data)
  const play = playOf(call)
  if (play === null) return { ...unnamed, reply: malformed }
  const { scenario } = play
  if (operation === 'createGuide') {
    const create = requests.createGuide.parse(data)
    const reply = createGuide(record, create, play)
    return { scenario, reference: create.client_reference, reply }
  }
  if (operation === 'findGuides') {
    const find = requests.findGuides.parse(data)
    return { scenario, reference: find.client_reference, reply: findGuides(record, find, play) }
  }
  if (operation === 'cancelGuide') {
    const cancel = requests.cancelGuide.parse(data)
    const reply = cancelGuide(record, cancel, play)
    return { scenario, reference: cancel.client_reference, reply }
  }
  if (operation === 'track') {
    const guide = requests.track.parse(data)
    const refused = unauthorized(record, guide, play, guide.client_reference)
    const reply = refused ?? track(record, guide, play)
    return { scenario, reference: guide.client_reference, reply }
  }
  if (operation === 'quote') {
    const asked = requests.quote.parse(data)
    return { scenario, reference: asked.workspace_reference, reply: quote(record, asked, play) }
  }
  if (operation === 'invoice') {
    const reply = invoice(record, requests.invoice.parse(data), play)
    return { scenario, reference: null, reply }
  }
  return { scenario, reference: null, reply: verifyCredentials(record, call, play) }
}

async function labelReply(
  record: SimulatorRecord,
  call: z.infer<typeof requests.label>,
): Promise<Reply | PdfReply> {
  const play = playOf(call)
  if (play === null) return malformed
  const note = <T extends Reply | PdfReply>(reply: T): T => {
    const { client_reference: reference } = call
    const { scenario } = play
    recordCall(record, { route: 'label', reference, scenario, outcome: reply.outcome })
    return reply
  }
  const refused = unauthorized(record, call, play, call.client_reference)
  if (refused !== null) return note(refused)
  const guide = guideIn(record, call)
  if (guide === undefined) return note(unknownGuide)
  if (!isDue(play, timeOf(guide, play), play.script.labelAtMs)) {
    return note(refusal('label_not_ready', 'El rótulo aún no existe.', 409))
  }
  const person = record.personOf(guide.clientReference, guide.guideNumber)
  const origin = simulatedAgencyByCode.get(guide.originCode)
  const destination = simulatedAgencyByCode.get(guide.destinationCode)
  if (person === null || origin === undefined || destination === undefined) {
    return note(refusal('personal_data_erased', 'Los datos personales fueron borrados.', 410))
  }
  const pdf = await label(
    {
      guideNumber: guide.guideNumber,
      recipient: `${person.firstName} ${person.lastName}`,
      document: `${person.documentType} ${person.document}`,
      origin,
      destination,
      serviceMode: guide.serviceMode,
      weightKg: guide.weightKg,
      quantity: guide.quantity,
    },
    call.size,
  )
  return note({ pdf, outcome: 'label' })
}

function erase(record: SimulatorRecord, body: Buffer): Reply {
  const parsed = eraseRequest.safeParse(jsonOf(body))
  if (!parsed.success) return malformed
  const isErased = record.erase(parsed.data.client_reference)
  if (!isErased) return refusal('temporarily_unavailable', 'Inténtelo más tarde.', 503)
  return { status: 200, body: { success: true }, outcome: 'erased' }
}

/** The record of a call without a scenario and a reference. */
const unnamed = { scenario: 'none', reference: null } as const

function recordCall(record: SimulatorRecord, call: Omit<CallRow, 'at'>): void {
  record.addCall({ ...call, at: new Date() })
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
