import type { Attributes, Tracing } from '../tracing/tracing.ts'
import type { CallContext, Courier } from './courier.ts'
import type { Couriers } from './couriers.ts'
import type { OperationName } from './protocol.ts'

/** The same couriers, with a span for each call that concerns a shipment, quote or account. */
export function tracedCouriers(couriers: Couriers, tracing: Tracing | undefined): Couriers {
  if (tracing === undefined) return couriers
  const wrapped = new WeakMap<Courier, Courier>()
  return {
    ...couriers,
    courierFor(mode) {
      const courier = couriers.courierFor(mode)
      if (courier === null) return null
      const known = wrapped.get(courier) ?? tracedCourier(courier, mode.providerCode, tracing)
      wrapped.set(courier, known)
      return known
    },
  }
}

type TracedCall = CallContext & { readonly clientReference?: string }

function tracedCourier(courier: Courier, code: string, tracing: Tracing): Courier {
  const inSpan =
    <Call extends TracedCall, Answer extends { readonly kind: string }>(
      name: OperationName,
      call: (asked: Call) => Promise<Answer>,
    ) =>
    (asked: Call): Promise<Answer> => {
      const attributes = attributesOf(code, name, asked)
      return tracing.traced(`courier ${name}`, { kind: 'client', attributes }, async (span) => {
        const answer = await call(asked)
        span.add({ 'shipping.courier.answer': answer.kind })
        return answer
      })
    }
  const { erase } = courier
  return {
    createGuide: inSpan('createGuide', (call) => courier.createGuide(call)),
    createGuideBody: (call) => courier.createGuideBody(call),
    findGuides: inSpan('findGuides', (call) => courier.findGuides(call)),
    cancelGuide: inSpan('cancelGuide', (call) => courier.cancelGuide(call)),
    track: inSpan('track', (call) => courier.track(call)),
    label: inSpan('label', (call) => courier.label(call)),
    invoice: inSpan('invoice', (call) => courier.invoice(call)),
    quote: inSpan('quote', (call) => courier.quote(call)),
    verifyCredentials: inSpan('verifyCredentials', (call) => courier.verifyCredentials(call)),
    agencies: () => courier.agencies(),
    packageProducts: () => courier.packageProducts(),
    describe: () => courier.describe(),
    ...(erase === undefined ? {} : { erase: (reference) => erase.call(courier, reference) }),
  }
}

function attributesOf(code: string, name: OperationName, call: TracedCall): Attributes {
  const { clientReference, attempt } = call
  return {
    'shipping.courier.code': code,
    'shipping.courier.call': name,
    ...(attempt === undefined ? {} : { 'shipping.courier.attempt': attempt }),
    // Our reference at the courier is the shipment's id.
    ...(clientReference === undefined ? {} : { 'shipping.shipment.id': clientReference }),
  }
}
