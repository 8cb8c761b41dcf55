import type { z } from 'zod'
import type { requests } from '../service/couriers/protocol.ts'
import { connectorLimits, notBilledCode } from '../service/couriers/protocol-codes.ts'
import type { CourierScript } from '../service/couriers/scenarios/courier-script.ts'
import { isScenarioName, scenarios } from '../service/couriers/scenarios/scenarios.ts'
import { billedMonth } from '../service/domain/invoices/billed-month.ts'
import {
  accountOf,
  derivedGuideNumber,
  type Play,
  type Reply,
  refusal,
  unauthorized,
} from './replies.ts'
import type { ChargedGuide, SimulatorRecord } from './simulator-record.ts'

const currency = 'PEN'
/** The billed amount of the guide that was never created. */
const unknownGuideAmount = 1_200

/**
 * The account's invoice for a month so far: the guides that were requested in it, each as its
 * scenario bills it, in the order of their requests, with its cash on delivery once it is handed over;
 * then a guide that was never created.
 */
export function invoice(
  record: SimulatorRecord,
  call: z.infer<typeof requests.invoice>,
  play: Play,
): Reply {
  const account = accountOf(record, call, play)
  const refused = unauthorized(record, call, play, account)
  if (refused !== null) return refused
  const { beginsAt, endsAt } = billedMonth(call.month)
  const charged = record.chargesOf(account, { from: new Date(beginsAt), before: new Date(endsAt) })
  const isBegun = play.now.getTime() >= beginsAt
  if (!isBegun || charged.length === 0) {
    return refusal(notBilledCode, 'El mes aún no tiene factura.', 409)
  }
  const unknown = {
    kind: 'charge',
    guide_number: derivedGuideNumber('unknown guide', account, call.month),
    amount: unknownGuideAmount,
    currency,
    weight_kg: null,
    date: null,
    client_reference: null,
  }
  const lines = [...charged.flatMap((each) => linesOf(each, play.now)), unknown]
  if (lines.length > connectorLimits.invoiceLinesMax) {
    return refusal('invoice_too_large', 'La factura tiene demasiadas líneas.')
  }
  const body = { success: true, reference: `SIM-${call.month}`, lines }
  return { status: 200, body, outcome: 'billed' }
}

function linesOf(charged: ChargedGuide, now: Date): readonly object[] {
  const { scenario, guideNumber, clientReference, attemptAt, amount, isCancelled } = charged
  if (!isScenarioName(scenario)) return []
  const { billing, script } = scenarios[scenario]
  if (isCancelled && !billing.billsCancelled) return []
  const of = {
    guide_number: guideNumber,
    date: attemptAt.toISOString().slice(0, 10),
    client_reference: clientReference,
  }
  const charges = billing.lines.map((more) => ({
    kind: 'charge',
    ...of,
    amount: amount + more.amount,
    currency,
    weight_kg: Math.round((charged.weightKg + more.weightKg) * 1_000) / 1_000,
  }))
  const { cashOnDelivery: cash } = charged
  if (cash === null || isCancelled || !isHandedOver(script, attemptAt, now)) return charges
  const kept = billing.lines.reduce((sum, more) => sum + more.amount, 0)
  const paid = { amount: Math.max(0, cash.amount - kept), currency: cash.currency }
  return [...charges, { kind: 'cash_on_delivery', ...of, ...paid, weight_kg: null }]
}

/** Whether the recipient has the parcel, and has paid for it. */
function isHandedOver({ timeline }: CourierScript, attemptAt: Date, now: Date): boolean {
  const ageMs = now.getTime() - attemptAt.getTime()
  return timeline.some(({ code, atMs }) => handedOver.has(code) && atMs <= ageMs)
}

const handedOver: ReadonlySet<string> = new Set(['collected', 'delivered'])
