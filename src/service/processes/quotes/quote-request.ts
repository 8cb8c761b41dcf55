import type { Parcel, Service, Sums } from '../../domain/quote.ts'

type Measures = Omit<Parcel['package'], 'product_id'>

/** One agency for all couriers, or at most one for each courier. */
type AgencyChoice = { readonly agency_id: string } | { readonly agency_ids: readonly string[] }
type ProductChoice = { readonly product_id: string } | { readonly product_ids: readonly string[] }

/** A request for the rates of several connections. */
export type RatesRequest = Sums & {
  readonly workspace_id: string
  readonly courier_connection_ids: readonly string[]
  readonly origin: AgencyChoice
  readonly destination: AgencyChoice
  readonly package: ProductChoice & Measures
  readonly service?: Service | null | undefined
}

/** A request for the rates of one connection or of several. */
export type QuoteRequest =
  | (Parcel &
      Sums & { readonly workspace_id: string; readonly service?: Service | null | undefined })
  | RatesRequest

export function agencyIdsOf(choice: AgencyChoice): readonly string[] {
  return 'agency_ids' in choice ? choice.agency_ids : [choice.agency_id]
}

export function productIdsOf(choice: ProductChoice): readonly string[] {
  return 'product_ids' in choice ? choice.product_ids : [choice.product_id]
}

export function connectionIdsOf(request: QuoteRequest): readonly string[] {
  return 'courier_connection_ids' in request
    ? request.courier_connection_ids
    : [request.courier_connection_id]
}
