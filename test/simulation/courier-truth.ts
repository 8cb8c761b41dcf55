import { userNameAndPassword } from '../../src/service/couriers/connector-description.ts'
import type {
  CallContext,
  CancelGuide,
  CancelGuideAnswer,
  Courier,
  CourierFailure,
  CreateGuide,
  CreateGuideAnswer,
  Credentials,
  FindGuides,
  FindGuidesAnswer,
} from '../../src/service/couriers/courier.ts'
import type { Deadline } from '../../src/service/couriers/deadline.ts'
import { overWire } from './courier-wire.ts'
import type { VirtualProcess } from './virtual-process.ts'
import type { World } from './virtual-time.ts'

/** What the courier really created. */
export type TrueGuide = {
  readonly number: string
  readonly reference: string
  /** The document number of the recipient. */
  readonly document: string
  /** Visible to requests from then on. */
  readonly visibleAt: number
  /** Whether the courier created a second guide for the same call. */
  readonly isTwin: boolean
  isCancelled: boolean
}

/** A definite answer to a process, which must be recorded unless the process ended. */
type DefiniteReply = {
  readonly process: VirtualProcess
  readonly what: 'created' | 'cancelled'
  readonly reference: string
  readonly guideNumber: string
}

export type CourierTruth = {
  readonly guides: readonly TrueGuide[]
  readonly definiteReplies: readonly DefiniteReply[]
  of(reference: string): readonly TrueGuide[]
  /** The courier as seen from one process of the service. */
  from(process: VirtualProcess): Courier
  /** From now on every call is executed and answered at once. */
  calm(): void
}

const lost: CourierFailure = { kind: 'unknown', cause: 'response_lost' }
const unheard: CourierFailure = { kind: 'not_sent', cause: 'unreachable' }
const late: CourierFailure = { kind: 'not_sent', cause: 'too_late' }
const refused: CourierFailure = { kind: 'rejected', code: 'NO', text: 'no', newPrice: null }
const unauthorized: CourierFailure = { kind: 'unauthorized' }
const can = {
  find: true,
  cancel: true,
  tracking: false,
  label: false,
  quote: false,
  invoices: false,
  cash_on_delivery: false,
  declared_value: false,
  recipient_phone: false,
}

/** Shorter than the settling time, within which a guide may appear late. */
const showsWithinMs = 110_000

/**
 * A courier that records the truth and answers as couriers do: late, not at all, twice, or with a
 * refusal. `onGuide` is called for each guide when it is created. A mutant may ignore `notAfter`.
 */
export function courierTruth(
  world: World,
  rules: {
    readonly keepsNotAfter: boolean
    readonly takes: (credentials: Credentials) => boolean
    /** A creation sent by a process. One sent before an erasure may be executed after it. */
    readonly onCall: (call: CreateGuide) => void
    readonly onGuide: (guide: TrueGuide, notAfter: Deadline) => void
  },
): CourierTruth {
  const guides: TrueGuide[] = []
  const definiteReplies: DefiniteReply[] = []
  let isCalm = false
  const wild = (probability: number) => !isCalm && world.happens(probability)
  // Even correct credentials may be refused.
  const isRefused = ({ credentials }: CallContext) => !rules.takes(credentials) || wild(0.03)
  const of = (reference: string) => guides.filter((guide) => guide.reference === reference)

  function make(call: CreateGuide, isTwin = false): TrueGuide {
    const guide: TrueGuide = {
      number: `G${1000 + guides.length}`,
      reference: call.clientReference,
      document: call.payload.recipient.document,
      visibleAt: world.elapsed() + (wild(0.5) ? world.between(0, showsWithinMs) : 0),
      isTwin,
      isCancelled: false,
    }
    guides.push(guide)
    rules.onGuide(guide, call.notAfter)
    return guide
  }

  const isTooLate = (notAfter: Deadline) =>
    rules.keepsNotAfter && Date.now() > notAfter.at.getTime()

  async function create(call: CreateGuide): Promise<CreateGuideAnswer> {
    if (wild(0.05)) return unheard
    if (Date.now() > call.notAfter.at.getTime() && rules.keepsNotAfter) return late
    await world.sleep(wild(0.1) ? world.between(1_000, 45_000) : world.between(20, 600))
    if (isTooLate(call.notAfter)) return late
    if (isRefused(call)) return unauthorized
    if (wild(0.06)) return lost
    if (wild(0.06)) return refused
    if (wild(0.03)) return { kind: 'throttled', retryAfterMs: world.between(100, 5_000) }
    const guide = make(call)
    if (wild(0.03)) make(call, true)
    if (wild(0.2)) return lost
    if (wild(0.08)) await world.sleep(world.between(5_000, 60_000))
    else await world.sleep(world.between(5, 200))
    const price = { amount: 1_250, currency: 'USD' }
    return {
      kind: 'created',
      guide: { guideNumber: guide.number, pickupCode: guide.number, price },
    }
  }

  async function find(call: FindGuides): Promise<FindGuidesAnswer> {
    await world.sleep(world.between(10, 400))
    if (wild(0.15)) return world.happens(0.5) ? unheard : lost
    if (isRefused(call)) return unauthorized
    const shown = of(call.clientReference)
      .filter(({ visibleAt }) => visibleAt <= world.elapsed())
      .filter(({ isCancelled }) => call.includeCancelled === true || !isCancelled)
    return {
      kind: 'found',
      guides: shown.map((guide) => ({
        guideNumber: guide.number,
        pickupCode: guide.number,
        price: null,
        status: guide.isCancelled ? 'cancelled' : 'active',
      })),
    }
  }

  async function cancel(call: CancelGuide): Promise<CancelGuideAnswer> {
    if (wild(0.05)) return unheard
    await world.sleep(wild(0.1) ? world.between(1_000, 45_000) : world.between(20, 600))
    if (isTooLate(call.notAfter)) return late
    if (isRefused(call)) return unauthorized
    if (wild(0.08)) return lost
    if (wild(0.08)) return refused
    const guide = of(call.clientReference).find(({ number }) => number === call.guideNumber)
    if (guide === undefined) return refused
    guide.isCancelled = true
    if (wild(0.12)) return lost
    await world.sleep(wild(0.08) ? world.between(5_000, 60_000) : world.between(5, 200))
    return { kind: 'cancelled' }
  }

  const itself = { createGuide: create, findGuides: find, cancelGuide: cancel }
  // Very late answers are possible only without the adapter, which hangs up first.
  const reached = world.happens(0.5) ? itself : overWire(world, itself, () => !isCalm)
  return {
    guides,
    definiteReplies,
    of,
    calm: () => {
      isCalm = true
    },
    from: (process) => ({
      createGuideBody: ({ clientReference }) => Buffer.from(clientReference),
      createGuide: (call) =>
        process.step(async () => {
          rules.onCall(call)
          const answer = await reached.createGuide(call)
          await process.alive()
          const { clientReference: reference } = call
          if (answer.kind === 'created') {
            const { guideNumber } = answer.guide
            definiteReplies.push({ process, what: 'created', reference, guideNumber })
          }
          return answer
        }),
      findGuides: (call) => process.step(() => reached.findGuides(call)),
      cancelGuide: (call) =>
        process.step(async () => {
          const answer = await reached.cancelGuide(call)
          await process.alive()
          const { clientReference: reference, guideNumber } = call
          if (answer.kind === 'cancelled') {
            definiteReplies.push({ process, what: 'cancelled', reference, guideNumber })
          }
          return answer
        }),
      describe: async () => ({ capabilities: can, credentialFields: userNameAndPassword }),
      track: async () => unheard,
      label: async () => unheard,
      quote: async () => unheard,
      verifyCredentials: async () => ({ kind: 'accepted' }),
      agencies: async () => unheard,
      packageProducts: async () => unheard,
      invoice: async () => unheard,
    }),
  }
}
