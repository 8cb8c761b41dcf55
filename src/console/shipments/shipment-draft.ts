import type { Schemas } from '../../client/methods.ts'
import { useConnections } from '../batches/batch-draft.ts'
import type { ChosenAgency } from '../forms/agency-choice.tsx'
import { useDraft } from '../forms/use-draft.ts'
import { useOnlyWorkspace } from '../forms/workspace-choice.tsx'
import { readSums, type Sum, type TypedSum } from './sums.ts'
import { useUsualCurrency } from './use-usual-currency.ts'

/** The API's own limit. */
export const comparedMax = 10

export type Connection = Schemas['CourierConnection']
export type Quote = Schemas['Quote']
export type Rate = Quote['rates'][number]

/** By the courier's code: agencies and products belong to a courier. */
type ByCourier<T> = Readonly<Record<string, T | undefined>>

export const measures = ['quantity', 'weight_kg', 'height_m', 'length_m', 'width_m'] as const
export type Measure = (typeof measures)[number]

/** What the user chose and typed. It is kept until the shipment is created or the session ends. */
type Draft = {
  readonly workspaceId: string | null
  /** Null until the user changes the choice: every active connection, as far as the limit allows. */
  readonly connectionIds: readonly string[] | null
  readonly origins: ByCourier<ChosenAgency>
  readonly destinations: ByCourier<ChosenAgency>
  readonly products: ByCourier<string>
  readonly measures: Readonly<Record<Measure, string>>
  /** A currency of null is the usual one. */
  readonly sums: Readonly<
    Record<Sum, { readonly amount: string; readonly currency: string | null }>
  >
  /** The last quote, with the request that it answers. */
  readonly quoted: { readonly quote: Quote; readonly asked: string } | null
  /** The place of the chosen rate in the quote. */
  readonly rate: number | null
  readonly order: Readonly<Record<OrderField, string>>
}

export const requiredFields = [
  ...(['/external_reference', '/declared_content'] as const),
  ...(['/recipient/document_type', '/recipient/document'] as const),
  ...(['/recipient/first_name', '/recipient/last_name'] as const),
]
export const contactFields = ['/recipient/phone', '/recipient/email'] as const
export type OrderField =
  | (typeof requiredFields)[number]
  | (typeof contactFields)[number]
  | '/metadata'

const empty: Draft = {
  workspaceId: null,
  connectionIds: null,
  origins: {},
  destinations: {},
  products: {},
  measures: { quantity: '1', weight_kg: '', height_m: '', length_m: '', width_m: '' },
  sums: {
    declared_value: { amount: '', currency: null },
    cash_on_delivery: { amount: '', currency: null },
  },
  quoted: null,
  rate: null,
  order: {
    '/external_reference': '',
    '/declared_content': '',
    '/recipient/document_type': 'DNI',
    '/recipient/document': '',
    '/recipient/first_name': '',
    '/recipient/last_name': '',
    '/recipient/phone': '',
    '/recipient/email': '',
    '/metadata': '',
  },
}

export type ShipmentDraft = ReturnType<typeof useShipmentDraft>

/** The draft of a new shipment, with the requests that it makes. */
export function useShipmentDraft() {
  const only = useOnlyWorkspace()
  const [draft, set, forget] = useDraft<Draft>('new-shipment', empty)
  const workspaceId = draft.workspaceId ?? only
  const connections = useConnections(workspaceId)
  const active = connections.listed.filter(({ status }) => status === 'active')
  const chosenIds = draft.connectionIds ?? active.slice(0, comparedMax).map(({ id }) => id)
  const chosen = connections.listed.filter(({ id }) => chosenIds.includes(id))
  const couriers = couriersOf(chosen)
  const usualCurrency = useUsualCurrency(workspaceId)
  const typedSum = ({ amount, currency }: Draft['sums'][Sum]): TypedSum => ({
    amount,
    currency: currency ?? usualCurrency,
  })
  const sums = {
    declared_value: typedSum(draft.sums.declared_value),
    cash_on_delivery: typedSum(draft.sums.cash_on_delivery),
  }
  const { sent, faults } = readSums(sums)
  const request = { ...quoteRequest(draft, workspaceId, chosen, couriers), ...sent }
  // A sum that cannot be read is not in the request, so that an earlier quote may look the same.
  const isQuoted = faults.size === 0 && draft.quoted?.asked === JSON.stringify(request)
  const quote = isQuoted ? (draft.quoted?.quote ?? null) : null
  return {
    draft,
    change: (changed: Partial<Draft>) => set({ ...draft, ...changed }),
    forget,
    workspaceId,
    connections,
    /** What can be chosen: a chosen one stays, although it needs new credentials by now. */
    choices: connections.listed.filter((each) => active.includes(each) || chosen.includes(each)),
    chosen,
    couriers,
    sums,
    /** What is wrong with the sums. The rest is for the API to say. */
    faults,
    request,
    /** Null if none was asked for, or the parcel has changed since. */
    quote,
    rate: quote?.rates[draft.rate ?? -1] ?? null,
  }
}

/** Each courier once, with a connection to ask about its agencies. */
function couriersOf(chosen: readonly Connection[]): readonly Connection[] {
  return chosen.filter(
    (one, place) => chosen.findIndex((other) => isSameCourier(one, other)) === place,
  )
}

function isSameCourier(one: Connection, other: Connection): boolean {
  return one.provider_code === other.provider_code
}

function quoteRequest(
  draft: Draft,
  workspaceId: string,
  chosen: readonly Connection[],
  couriers: readonly Connection[],
): Schemas['QuoteRequest'] {
  const codes = couriers.map(({ provider_code: code }) => code)
  const idsOf = (agencies: Draft['origins']) => codes.map((code) => agencies[code]?.id ?? '')
  return {
    workspace_id: workspaceId,
    courier_connection_ids: chosen.map(({ id }) => id),
    origin: { agency_ids: idsOf(draft.origins) },
    destination: { agency_ids: idsOf(draft.destinations) },
    package: {
      product_ids: codes.map((code) => draft.products[code] ?? ''),
      quantity: Number(draft.measures.quantity),
      weight_kg: Number(draft.measures.weight_kg),
      height_m: Number(draft.measures.height_m),
      length_m: Number(draft.measures.length_m),
      width_m: Number(draft.measures.width_m),
    },
  }
}
