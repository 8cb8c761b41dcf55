import type { Courier } from '../../couriers/courier.ts'
import type { Couriers } from '../../couriers/couriers.ts'
import type { Guard } from './ledger-guard.ts'

const notSent = { kind: 'not_sent', cause: 'unreachable' } as const

/**
 * The same couriers, except that calls about shipments fail as not sent while the ledger is
 * damaged. The answer of a call already in flight is passed on.
 */
export function stoppedWhileDamaged(couriers: Couriers, guard: Pick<Guard, 'damage'>): Couriers {
  const wrapped = new WeakMap<Courier, Courier>()
  return {
    ...couriers,
    courierFor(mode) {
      const courier = couriers.courierFor(mode)
      if (courier === null) return null
      const known = wrapped.get(courier) ?? stopping(courier, guard)
      wrapped.set(courier, known)
      return known
    },
  }
}

function stopping(courier: Courier, guard: Pick<Guard, 'damage'>): Courier {
  const unlessDamaged =
    <Call, Answer>(call: (asked: Call) => Promise<Answer>) =>
    async (asked: Call): Promise<Answer | typeof notSent> =>
      guard.damage === null ? await call(asked) : notSent
  return {
    createGuide: unlessDamaged((call) => courier.createGuide(call)),
    createGuideBody: (call) => courier.createGuideBody(call),
    findGuides: unlessDamaged((call) => courier.findGuides(call)),
    cancelGuide: unlessDamaged((call) => courier.cancelGuide(call)),
    track: unlessDamaged((call) => courier.track(call)),
    label: unlessDamaged((call) => courier.label(call)),
    invoice: unlessDamaged((call) => courier.invoice(call)),
    quote: (call) => courier.quote(call),
    verifyCredentials: (call) => courier.verifyCredentials(call),
    agencies: () => courier.agencies(),
    packageProducts: () => courier.packageProducts(),
    describe: () => courier.describe(),
    ...(courier.erase === undefined
      ? {}
      : { erase: (reference: string) => courier.erase?.(reference) ?? Promise.resolve(false) }),
  }
}
