import type { Recorded } from '../decider.ts'
import {
  type EventData,
  event,
  guidesNamedMax,
  type LookAnswer,
} from '../shipment/shipment-events.ts'
import type { Evidence, Kind } from './kind.ts'
import {
  evolveOperation,
  type Guide,
  initialOperation,
  isAnswerRecorded,
  isUnconfirmed,
  type Look,
  lookOf,
  type Money,
  type OperationCore,
} from './machine.ts'
import { contradicted, foundGuideData, lateAnswer, reviewRequired } from './operation-decisions.ts'
import { type OperationEvent, sharedEvents } from './transitions.ts'

/** One attempt of a key to get a guide, with everything known about how it ended. */
export type Creation = OperationCore & {
  readonly type: 'shipment_creation'
  /** Set if the courier refused because its price differs from the quoted one. */
  readonly priceChanged: { readonly to: Money | null } | null
  readonly guide: Guide | null
  /** Guides seen so far. Those already known when a guide was concluded to exist do not contradict it. */
  readonly knownGuides: readonly string[]
}

export const creation: Kind<Creation> = {
  events: {
    succeeded: 'GuideIssued',
    refused: 'GuideRejected',
    not_sent: 'GuideNotSent',
    outcome_unknown: 'GuideOutcomeUnknown',
    looked_up: 'GuideLookedUp',
    found: 'GuideFound',
    not_found: 'GuideNotCreated',
    ...sharedEvents,
  },
  success: 'issued',
  results: { carriedOut: 'guide_exists', notCarriedOut: 'nothing_created' },
  isSuccessFinal: false,

  isSuccessRecorded: (operation, { guides }) =>
    isAnswerRecorded(operation, 'issued') &&
    guides.every((guide) => operation.knownGuides.includes(guide.guideNumber)),

  findingOf(_operation, result) {
    if (result.kind !== 'guides') return { answer: 'inconclusive', guideNumbers: [], guides: [] }
    const guides = uniqueGuides(result.guides)
    const guideNumbers = numbersOf(guides)
    return { answer: answerOf(guides), guideNumbers, guides }
  },

  lookEventFields: (operation, { guideNumbers, guides }) => ({
    guide_numbers: [...guideNumbers],
    ...confirmation(operation, guides),
  }),

  onEvidenceWhileOpen({ operation }, { guides, source }) {
    const [guide] = guides
    if (guide === undefined) return []
    if (guides.length === 1) {
      const names = { operation_id: operation.operationId, evidence: source } as const
      const data = { ...names, ...foundGuideData(operation, guide) }
      return [event('GuideFound', data)]
    }
    return operation.state === 'needs_review'
      ? []
      : reviewRequired(operation, 'ambiguous', numbersOf(guides))
  },

  onEvidenceAfterFailure: ({ operation }, { guides, source }) =>
    contradicted(operation, numbersOf(guides), source),

  /** Evidence of guides other than the concluded one. */
  onEvidenceAfterSuccess({ operation }, evidence) {
    const { guides, source } = evidence
    const numbers = numbersOf(guides)
    const isShown = numbers.includes(operation.guide?.guideNumber ?? '')
    // If only a person has named the guide, a different guide contradicts it.
    const isAgainst = isUnconfirmed(operation) && !isShown
    const against = isAgainst
      ? numbers
      : numbers.filter((number) => !operation.knownGuides.includes(number))
    if (against.length > 0) return contradicted(operation, against, source)
    return source === 'late_answer' && isUnconfirmed(operation)
      ? [creation.lateSuccessEvent(operation, evidence)]
      : []
  },

  onCountedDenial: () => [],

  lateSuccessEvent: (operation, { guides }) =>
    lateAnswer(operation, 'issued', {
      guide_number: guides[0]?.guideNumber ?? null,
      detail_ref: null,
      ...confirmation(operation, guides),
    }),

  namesGuide: ({ guide }, claimed) =>
    claimed === null || guide?.guideNumber === claimed.guideNumber,
}

/** The guides without duplicates, up to the number that an event may name. */
function uniqueGuides(guides: readonly Guide[]): readonly Guide[] {
  const each = new Map(guides.map((guide) => [guide.guideNumber, guide]))
  return [...each.values()].slice(0, guidesNamedMax)
}

function answerOf(guides: readonly Guide[]): LookAnswer {
  if (guides.length === 0) return 'absent'
  return guides.length === 1 ? 'found' : 'ambiguous'
}

function numbersOf(guides: Evidence['guides']): readonly string[] {
  return guides.map((guide) => guide.guideNumber)
}

/** The event data by which these guides confirm a decision that the courier had not confirmed. */
function confirmation(operation: Creation, guides: readonly Guide[]) {
  const named = guides.find((each) => each.guideNumber === operation.guide?.guideNumber)
  if (named === undefined || !isUnconfirmed(operation)) return {}
  return { confirms: { price: named.price, pickup_code_ref: named.pickupCodeRef } }
}

export function initialCreation(
  data: EventData<'GuideRequested'>,
  recorded: Recorded<object>,
): Creation {
  return {
    ...initialOperation(data, recorded),
    type: 'shipment_creation',
    guide: null,
    priceChanged: null,
    knownGuides: [],
  }
}

export function evolveCreation(before: Creation, recorded: Recorded<OperationEvent>): Creation {
  const after = evolveOperation(creation, before, recorded)
  switch (recorded.type) {
    case 'GuideIssued': {
      const guide = guideOf(recorded.data)
      return { ...after, guide, knownGuides: [guide.guideNumber] }
    }
    case 'GuideRejected':
      return { ...after, priceChanged: recorded.data.price_changed ?? null }
    case 'GuideLookedUp': {
      const { guide_numbers: guideNumbers, confirms } = recorded.data
      const looks: readonly Look[] = [...before.looks, lookOf(recorded, guideNumbers)]
      return confirmedBy({ ...after, looks }, guideNumbers, confirms)
    }
    case 'GuideFound':
      return withSeenGuides({ ...after, guide: guideOf(recorded.data) })
    case 'GuideNotCreated':
      return withSeenGuides({ ...after, priceChanged: recorded.data.price_changed ?? null })
    case 'OperationResolved': {
      const { guide_number: guideNumber, price, pickup_code_ref } = recorded.data
      const named = { guide_number: guideNumber ?? '', price, pickup_code_ref }
      return withSeenGuides({ ...after, guide: guideNumber === null ? null : guideOf(named) })
    }
    case 'OperationContradicted':
      return { ...withKnownGuides(after, recorded.data.guide_numbers), guide: null }
    case 'LateAnswerRecorded': {
      const { guide_number: guideNumber, confirms } = recorded.data
      const reported = guideNumber === null ? [] : [guideNumber]
      return confirmedBy(withKnownGuides(after, reported), reported, confirms)
    }
    default:
      return after
  }
}

function guideOf(data: {
  readonly guide_number: string
  readonly price: Guide['price']
  readonly pickup_code_ref: string | null
}): Guide {
  return { guideNumber: data.guide_number, price: data.price, pickupCodeRef: data.pickup_code_ref }
}

function withKnownGuides(operation: Creation, guideNumbers: readonly string[]): Creation {
  return { ...operation, knownGuides: [...new Set([...operation.knownGuides, ...guideNumbers])] }
}

/** A conclusion takes every guide seen so far into account. */
function withSeenGuides(operation: Creation): Creation {
  const looked = operation.looks.flatMap((look) => look.guideNumbers)
  return withKnownGuides(
    operation,
    operation.guide === null ? looked : [...looked, operation.guide.guideNumber],
  )
}

/**
 * Applies the guides that the courier reported: a guide named only by an operator becomes confirmed
 * and takes the courier's data.
 */
function confirmedBy(
  operation: Creation,
  guideNumbers: readonly string[],
  confirms: EventData<'GuideLookedUp'>['confirms'],
): Creation {
  const { guide, resolution, resolutions } = operation
  if (guide === null || resolution?.confirmed !== false) return operation
  if (!guideNumbers.includes(guide.guideNumber)) return operation
  const confirmed = { ...resolution, confirmed: true }
  return {
    ...operation,
    guide:
      confirms === undefined ? guide : guideOf({ ...confirms, guide_number: guide.guideNumber }),
    resolution: confirmed,
    resolutions: resolutions.with(-1, confirmed),
  }
}
