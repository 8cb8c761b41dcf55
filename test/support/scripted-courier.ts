import { userNameAndPassword } from '../../src/service/couriers/connector-description.ts'
import type {
  CancelGuide,
  CancelGuideAnswer,
  Courier,
  CourierFailure,
  FindGuides,
  FindGuidesAnswer,
  GuideCall,
  LabelAnswer,
  LabelSize,
  TrackAnswer,
} from '../../src/service/couriers/courier.ts'
import { everyCapability } from '../../src/service/couriers/courier.ts'

/** A courier that follows the test's script and records its calls. */
export type ScriptedCourier = Courier & {
  find: (call: FindGuides) => FindGuidesAnswer | Promise<FindGuidesAnswer>
  tracking: () => TrackAnswer
  labels: (size: LabelSize) => LabelAnswer
  cancel: (call: CancelGuide) => CancelGuideAnswer | Promise<CancelGuideAnswer>
  /** Whether it confirms the erasure of a person. */
  forgets: boolean
  canFind: boolean
  canCancel: boolean
  readonly found: readonly FindGuides[]
  readonly tracked: readonly GuideCall[]
  readonly cancelled: readonly CancelGuide[]
  readonly labelled: readonly LabelSize[]
  /** References of the people whose erasure was requested. */
  readonly erased: readonly string[]
}

const unheard: CourierFailure = { kind: 'unknown', cause: 'response_lost' }

export function scriptedCourier(): ScriptedCourier {
  const found: FindGuides[] = []
  const tracked: GuideCall[] = []
  const labelled: LabelSize[] = []
  const cancelled: CancelGuide[] = []
  const erased: string[] = []
  const courier: ScriptedCourier = {
    found,
    tracked,
    labelled,
    cancelled,
    erased,
    forgets: true,
    canFind: true,
    canCancel: true,
    cancel: () => unheard,
    find: () => ({ kind: 'found', guides: [] }),
    tracking: () => ({ kind: 'tracked', events: [], malformed: 0, eta: null }),
    labels: () => ({ kind: 'not_ready' }),
    async findGuides(call) {
      found.push(call)
      return await courier.find(call)
    },
    async track(call) {
      tracked.push(call)
      return courier.tracking()
    },
    async label({ size }) {
      labelled.push(size)
      return courier.labels(size)
    },
    describe: async () => ({
      capabilities: {
        ...everyCapability,
        find: courier.canFind,
        cancel: courier.canCancel,
        cash_on_delivery: false,
        declared_value: false,
        recipient_phone: false,
      },
      credentialFields: userNameAndPassword,
    }),
    async erase(reference) {
      erased.push(reference)
      return courier.forgets
    },
    createGuide: async () => unheard,
    createGuideBody: () => Buffer.from('{}'),
    async cancelGuide(call) {
      cancelled.push(call)
      return await courier.cancel(call)
    },
    quote: async () => unheard,
    verifyCredentials: async () => ({ kind: 'accepted' }),
    agencies: async () => ({ kind: 'listed', items: [] }),
    packageProducts: async () => ({ kind: 'listed', items: [] }),
    invoice: async () => unheard,
  }
  return courier
}
