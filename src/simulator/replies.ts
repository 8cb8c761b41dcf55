import { createHash, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  requests,
  WireCall,
  WireCreateGuide,
  WireQuote,
} from '../service/couriers/protocol.ts'
import { priceChangedCode } from '../service/couriers/protocol-codes.ts'
import { type CourierScript, dropOffMs } from '../service/couriers/scenarios/courier-script.ts'
import {
  defaultScenario,
  isScenarioName,
  type ScenarioName,
  scenarios,
} from '../service/couriers/scenarios/scenarios.ts'
import { derivedValue } from '../service/domain/ids.ts'
import type { GuideRow, SimulatorRecord } from './simulator-record.ts'
import { raisedPercent, refusalOf, simulatedModes, tariffFor } from './tariffs.ts'

/** The simulated courier's answer, and how it is sent. */
export type Reply = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
  /** `cut` closes the connection without an answer, `half` in the middle of the answer. */
  readonly sent?: 'whole' | 'cut' | 'half'
  readonly delayMs?: number
  /** The outcome of the call for the record. */
  readonly outcome: string
}

/**
 * The script and the times of a call: those of the sandbox or, for a call without a sandbox, real
 * time.
 */
export type Play = {
  readonly scenario: ScenarioName
  readonly script: CourierScript
  /** Null = use the guide's own T. */
  readonly attemptAt: Date | null
  readonly now: Date
  readonly account: string | null
}

/** The only password that the simulated courier refuses. */
const refusedPassword = 'wrong'

export function playOf({ sandbox }: WireCall): Play | null {
  const scenario = sandbox?.scenario ?? defaultScenario
  if (!isScenarioName(scenario)) return null
  return {
    scenario,
    script: scenarios[scenario].script,
    attemptAt: sandbox === undefined ? null : new Date(sandbox.attempt_at),
    now: sandbox === undefined ? new Date() : new Date(sandbox.now),
    account: sandbox?.account ?? null,
  }
}

export function refusal(code: string, message: string, status = 200): Reply {
  return { status, body: { success: false, code, message }, outcome: code }
}

const tooLate: Reply = {
  status: 412,
  body: { success: false, executed: false, code: 'too_late', message: 'The call came too late.' },
  outcome: 'too_late',
}

export function createGuide(record: SimulatorRecord, call: WireCreateGuide, play: Play): Reply {
  if (Date.now() > Date.parse(call.not_after)) return tooLate
  const { create, prices } = play.script
  const refused = unauthorized(record, call, play, call.client_reference)
  if (refused !== null) return refused
  if (create.throttledCalls > throttledCalls(record, call.client_reference)) {
    return {
      ...refusal('slow_down', 'Too many requests.', 429),
      headers: { 'retry-after': '1' },
      outcome: 'throttled',
    }
  }
  if (create.refusal !== null) return refusal(create.refusal.code, create.refusal.message)
  const route = routeOf(call)
  const wrong = refusalOf(route, call.package) ?? serviceRefusal(call.service.mode)
  if (wrong !== null) return refusal(wrong.code, wrong.message)
  const percent = prices === 'raised' ? raisedPercent : 100
  const { price } = tariffFor(route, call.package, call.service.mode, percent)
  const { quoted_amount: quoted } = call
  if (quoted && (quoted.amount !== price.amount || quoted.currency !== price.currency)) {
    const refused = refusal(priceChangedCode, 'El precio cotizado ya no rige.')
    return { ...refused, body: { ...refused.body, price } }
  }
  const guides = Array.from({ length: create.guides }, () => {
    return addGuide(record, call, play, price.amount)
  })
  recordCharge(record, call, play, { guides, amount: price.amount })
  return {
    status: 200,
    body: { success: true, guide: guides[0] ?? null },
    sent: create.answer,
    delayMs: create.answerDelayMs,
    outcome: guides.length === 0 ? 'nothing_created' : 'created',
  }
}

function throttledCalls(record: SimulatorRecord, clientReference: string): number {
  return record.callsOf(clientReference).filter(({ outcome }) => outcome === 'throttled').length
}

type MadeGuide = {
  readonly guide_number: string
  readonly pickup_code: string
  readonly price: { readonly amount: number; readonly currency: string }
}

/**
 * Records what the account will be billed. For a call that created nothing, derives a guide number.
 */
function recordCharge(
  record: SimulatorRecord,
  call: WireCreateGuide,
  play: Play,
  made: { readonly guides: readonly MadeGuide[]; readonly amount: number },
): void {
  const { client_reference: clientReference, package: parcel } = call
  const numbers = made.guides.map(({ guide_number }) => guide_number)
  const never = derivedGuideNumber('never made', clientReference, play.scenario)
  for (const guideNumber of numbers.length === 0 ? [never] : numbers) {
    record.addCharge({
      account: accountOf(record, call, play),
      attemptAt: play.attemptAt ?? play.now,
      guideNumber,
      clientReference,
      scenario: play.scenario,
      amount: made.amount,
      weightKg: parcel.weight_kg * parcel.quantity,
    })
  }
}

/** The account of a call: from the sandbox context, else from the credentials. */
export function accountOf(record: SimulatorRecord, call: WireCall, play: Play): string {
  return play.account ?? `user:${record.digest(call.credentials.username ?? '')}`
}

/** Couriers do not know idempotency keys, so every executed call creates another guide. */
function addGuide(
  record: SimulatorRecord,
  call: WireCreateGuide,
  play: Play,
  priceAmount: number,
): MadeGuide {
  const { client_reference: clientReference, recipient } = call
  const ordinal = record.guidesOf(clientReference).length
  const guideNumber = guideNumberOf(clientReference, play.scenario, ordinal)
  const pickupCode = digitsOf(4, 'pickup', clientReference, play.scenario, String(ordinal))
  record.addGuide(
    {
      guideNumber,
      clientReference,
      scenario: play.scenario,
      attemptAt: play.attemptAt ?? play.now,
      createdAt: new Date(),
      originCode: call.origin.agency_code,
      destinationCode: call.destination.agency_code,
      serviceMode: call.service.mode,
      quantity: call.package.quantity,
      weightKg: call.package.weight_kg,
      priceAmount,
      cashOnDelivery: call.cash_on_delivery,
    },
    {
      documentType: recipient.document_type,
      document: recipient.document,
      firstName: recipient.first_name,
      lastName: recipient.last_name,
      declaredContent: call.declared_content,
      pickupCode,
      phone: recipient.phone,
      email: recipient.email,
    },
  )
  return {
    guide_number: guideNumber,
    pickup_code: pickupCode,
    price: { amount: priceAmount, currency: 'PEN' },
  }
}

function guideNumberOf(clientReference: string, scenario: string, ordinal: number): string {
  return derivedGuideNumber('guide', clientReference, scenario, String(ordinal))
}

/** A guide number that is derived from these texts. */
export function derivedGuideNumber(...parts: readonly string[]): string {
  return `SG${digitsOf(14, ...parts)}`
}

function digitsOf(length: number, ...parts: readonly string[]): string {
  const hash = createHash('sha256')
    .update(derivedValue(...parts))
    .digest('hex')
  return (BigInt(`0x${hash}`) % 10n ** BigInt(length)).toString().padStart(length, '0')
}

export function findGuides(
  record: SimulatorRecord,
  call: z.infer<typeof requests.findGuides>,
  play: Play,
): Reply {
  const refused = unauthorized(record, call, play, call.client_reference)
  if (refused !== null) return refused
  const { create, looksFailUntilMs } = play.script
  const made = record.guidesOf(call.client_reference)
  if (made.some((guide) => isYounger(guide, play, looksFailUntilMs))) {
    return { ...refusal('out_of_order', 'Sistema no disponible.', 500), outcome: 'failed' }
  }
  const shown = made.filter(
    (guide) =>
      (guide.cancelledAt === null || call.include_cancelled === true) &&
      !isYounger(guide, play, create.shownAtMs),
  )
  const guides = shown.map((guide) => ({
    ...(guide.cancelledAt === null ? {} : { status: 'cancelled' }),
    guide_number: guide.guideNumber,
    pickup_code: record.personOf(guide.clientReference, guide.guideNumber)?.pickupCode ?? null,
    price: { amount: guide.priceAmount, currency: 'PEN' },
  }))
  return { status: 200, body: { success: true, guides }, outcome: `found_${guides.length}` }
}

/**
 * Uses the guide's own T: the ledger may have lost the attempt that created it, and ask with a
 * later one. A guide from ahead of the workspace's clock is not younger, because an advance can be
 * lost too.
 */
function isYounger(guide: GuideRow, play: Play, ageMs: number): boolean {
  const guideAgeMs = play.now.getTime() - guide.attemptAt.getTime()
  return guideAgeMs >= 0 && guideAgeMs < ageMs
}

export function cancelGuide(
  record: SimulatorRecord,
  call: z.infer<typeof requests.cancelGuide>,
  play: Play,
): Reply {
  if (Date.now() > Date.parse(call.not_after)) return tooLate
  const refused = unauthorized(record, call, play, call.client_reference)
  if (refused !== null) return refused
  const guide = guideIn(record, call)
  if (guide === undefined) return unknownGuide
  if (guide.cancelledAt === null && isDue(play, timeOf(guide, play), dropOffMs(play.script))) {
    return refusal('not_cancellable', 'El envío ya fue recibido.')
  }
  record.cancel(guide.clientReference, guide.guideNumber, play.now)
  const sent = play.script.cancelAnswer
  return { status: 200, body: { success: true }, sent, outcome: 'cancelled' }
}

export const unknownGuide: Reply = refusal('guide_not_found', 'La guía no existe.', 404)

export function verifyCredentials(record: SimulatorRecord, call: WireCall, play: Play): Reply {
  const scope = `user:${record.digest(call.credentials.username ?? '')}`
  const refused = unauthorized(record, call, play, scope)
  return refused ?? { status: 200, body: { success: true }, outcome: 'accepted' }
}

export function quote(record: SimulatorRecord, call: WireQuote, play: Play): Reply {
  const refused = unauthorized(record, call, play, call.workspace_reference)
  if (refused !== null) return refused
  const route = routeOf(call)
  const asked = call.service
  const wrong = refusalOf(route, call.package) ?? serviceRefusal(asked?.mode ?? 'terrestrial')
  if (wrong !== null) return refusal(wrong.code, wrong.message)
  const raised = play.script.prices === 'raised'
  const own = randomUUID()
  const isFirst = !raised || record.first('quoted', call.workspace_reference, own) === own
  const percent = isFirst ? 100 : raisedPercent
  const services = raised || asked === null ? everyService(asked) : [asked]
  const priced = raised ? services.slice(0, 1) : services
  const rates = priced.map((service) => {
    const { price, breakdown, transitDays } = tariffFor(route, call.package, service.mode, percent)
    return { service, price, breakdown, transit_days: transitDays }
  })
  const errors = services.slice(priced.length).map((service) => ({
    service,
    reason: 'no_capacity',
    text: 'Sin capacidad en esta ruta.',
  }))
  return { status: 200, body: { success: true, rates, errors }, outcome: 'quoted' }
}

/** All services, the requested one first. */
function everyService(asked: WireQuote['service']) {
  const payer = asked?.payer ?? 'sender'
  const modes = simulatedModes.toSorted(
    (a, b) => Number(b === asked?.mode) - Number(a === asked?.mode),
  )
  return modes.map((mode) => ({ mode, payer }))
}

function serviceRefusal(mode: string): { code: string; message: string } | null {
  const known = simulatedModes.some((own) => own === mode)
  return known ? null : { code: 'unknown_service', message: 'El servicio no existe.' }
}

function routeOf(call: Pick<WireQuote, 'origin' | 'destination'>) {
  return { origin: call.origin.agency_code, destination: call.destination.agency_code }
}

/**
 * Returns 401 for the wrong password. In some scenarios, also for the first credentials that the
 * account (or, without an account, the reference) used, until others arrive.
 */
export function unauthorized(
  record: SimulatorRecord,
  call: WireCall,
  play: Play,
  reference: string,
): Reply | null {
  const { username = '', password = '' } = call.credentials
  const no = refusal('credentials_refused', 'Credenciales no válidas.', 401)
  if (password === refusedPassword) return no
  if (play.script.create.credentials === 'accepted') return null
  const own = record.digest(username, password)
  const scope = play.account === null ? `reference:${reference}` : `account:${play.account}`
  return record.first('refused_credentials', scope, own) === own ? no : null
}

export function guideIn(
  record: SimulatorRecord,
  call: { readonly client_reference: string; readonly guide_number: string },
): GuideRow | undefined {
  const guides = record.guidesOf(call.client_reference)
  return guides.find(({ guideNumber }) => guideNumber === call.guide_number)
}

/** T of the guide: from the call if present, else from its creation. */
export function timeOf(guide: GuideRow, play: Play): Date {
  return play.attemptAt ?? guide.attemptAt
}

export function isDue(play: Play, from: Date, afterMs: number): boolean {
  return play.now.getTime() >= from.getTime() + afterMs
}
