import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import {
  givenSums,
  type Parcel,
  type QuoteTerms,
  type Rate,
  type RateError,
  type Sums,
} from '../../domain/quote.ts'
import { inTenantScope, type TenantScope } from '../../security/tenant-scope.ts'
import type { QuoteRequest, RatesRequest } from './quote-request.ts'

export type Quote = QuoteTerms & {
  readonly id: string
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly request: QuoteRequest
  readonly errors: readonly RateError[]
  readonly scenario: string | null
  readonly createdAt: Instant
}

type OfOne = Omit<Parcel, 'courier_connection_id'> & Sums
/** The request, and what each courier was asked for. */
type OfSeveral = Omit<RatesRequest, 'workspace_id' | 'service'> & {
  readonly parcels: readonly Parcel[]
}

type Row = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  /** Null if several connections were asked. */
  courier_connection_id: string | null
  request: (OfOne | OfSeveral) & { readonly service: RatesRequest['service'] }
  /** Those of one connection may lack its id, as in the rows of earlier versions. */
  rates: readonly (Omit<Rate, 'courier_connection_id'> & Partial<Rate>)[]
  errors: readonly (Omit<RateError, 'courier_connection_id'> & Partial<RateError>)[]
  sandbox_scenario: string | null
  created_at: Date
  expires_at: Date
}

export async function keepQuote(db: Kysely<Tables>, quote: Quote): Promise<void> {
  const {
    workspace_id: _,
    service = null,
    declared_value,
    cash_on_delivery,
    ...asked
  } = quote.request
  const sums = givenSums({ declared_value, cash_on_delivery })
  const [connectionId, request] =
    'courier_connection_id' in asked
      ? [asked.courier_connection_id, { ...withoutConnection(asked), ...sums, service }]
      : [null, { ...asked, ...sums, service, parcels: quote.parcels }]
  await sql`
    INSERT INTO quotes (id, organization_id, workspace_id, livemode, courier_connection_id,
      request, rates, errors, sandbox_scenario, created_at, expires_at)
    VALUES (${quote.id}, ${quote.organizationId}, ${quote.workspaceId}, ${quote.livemode},
      ${connectionId}, ${JSON.stringify(request)}::jsonb, ${JSON.stringify(quote.rates)}::jsonb,
      ${JSON.stringify(quote.errors)}::jsonb, ${quote.scenario}, ${rfc3339(quote.createdAt)},
      ${rfc3339(quote.expiresAt)})`.execute(db)
}

function withoutConnection({ origin, destination, package: parcel }: Parcel): OfOne {
  return { origin, destination, package: parcel }
}

/** The quote; null for one outside the key's scope, as for a nonexistent id. */
export async function findQuote(
  db: Kysely<Tables>,
  scope: TenantScope,
  quoteId: string,
): Promise<Quote | null> {
  // A query builder rather than SQL text, so that the tenant restriction of the database object
  // applies.
  const row = await db
    .withTables<{ quotes: Row }>()
    .selectFrom('quotes')
    .selectAll()
    .where('id', '=', quoteId)
    .where(inTenantScope(scope))
    .executeTakeFirst()
  return row === undefined ? null : quoteOf(row)
}

function quoteOf(row: Row): Quote {
  const own = row.courier_connection_id
  const ofConnection = own === null ? {} : { courier_connection_id: own }
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    livemode: row.livemode,
    ...askedOf(row),
    rates: row.rates.map((rate) => ({ ...ofConnection, ...rate }) as Rate),
    errors: row.errors.map((error) => ({ ...ofConnection, ...error }) as RateError),
    scenario: row.sandbox_scenario,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  }
}

function askedOf(row: Row): Pick<Quote, 'request' | 'parcels' | 'sums'> {
  const { workspace_id, courier_connection_id } = row
  const sums = givenSums(row.request)
  if ('parcels' in row.request) {
    const { parcels, ...request } = row.request
    return { parcels, sums, request: { workspace_id, ...request } }
  }
  if (courier_connection_id === null) throw new Error(`quote ${row.id} names no connection`)
  const { service, origin, destination, package: parcel } = row.request
  const own = { courier_connection_id, origin, destination, package: parcel }
  return { parcels: [own], sums, request: { workspace_id, ...own, ...sums, service } }
}

export const quoteLimits = {
  /** In real time. Questions about prices arise within a week; the creation has its own copy. */
  keptMs: 7 * 24 * 60 * 60_000,
  /** Rows deleted by one statement: well under a second of work. */
  deletedMax: 5_000,
  /**
   * Statements per run, every five minutes: 14 million quotes a day, more than any installation
   * makes.
   */
  batchesMax: 10,
} as const

/** Deletes expired quotes. Returns the number. */
export async function forgetQuotes(db: Kysely<Tables>): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < quoteLimits.batchesMax; batch++) {
    const { numAffectedRows } = await sql`
      DELETE FROM quotes WHERE id IN (
        SELECT id FROM quotes
        WHERE stored_at < now() - ${quoteLimits.keptMs} * interval '1 millisecond'
        ORDER BY stored_at LIMIT ${quoteLimits.deletedMax}
        FOR UPDATE SKIP LOCKED)`.execute(db)
    const count = Number(numAffectedRows ?? 0)
    deleted += count
    if (count < quoteLimits.deletedMax) break
  }
  return deleted
}
