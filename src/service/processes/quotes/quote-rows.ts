import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import type { Parcel, QuoteTerms, Rate, RateError, Service } from '../../domain/quote.ts'
import { type Reach, withinReach } from '../../security/reach.ts'

export type Quote = QuoteTerms & {
  readonly id: string
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  /** The one requested service, null = all services. */
  readonly service: Service | null
  readonly errors: readonly RateError[]
  readonly scenario: string | null
  readonly createdAt: Instant
}

type Row = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  courier_connection_id: string
  request: Omit<Parcel, 'courier_connection_id'> & { readonly service: Service | null }
  rates: readonly Rate[]
  errors: readonly RateError[]
  sandbox_scenario: string | null
  created_at: Date
  expires_at: Date
}

export async function keepQuote(db: Kysely<ReadModels>, quote: Quote): Promise<void> {
  const { courier_connection_id: connectionId, origin, destination, package: parcel } = quote.parcel
  const request = { origin, destination, package: parcel, service: quote.service }
  await sql`
    INSERT INTO quotes (id, organization_id, workspace_id, livemode, courier_connection_id,
      request, rates, errors, sandbox_scenario, created_at, expires_at)
    VALUES (${quote.id}, ${quote.organizationId}, ${quote.workspaceId}, ${quote.livemode},
      ${connectionId}, ${JSON.stringify(request)}::jsonb, ${JSON.stringify(quote.rates)}::jsonb,
      ${JSON.stringify(quote.errors)}::jsonb, ${quote.scenario}, ${rfc3339(quote.createdAt)},
      ${rfc3339(quote.expiresAt)})`.execute(db)
}

/** The quote; null for one out of reach, as for an id that never existed. */
export async function findQuote(
  db: Kysely<ReadModels>,
  reach: Reach,
  quoteId: string,
): Promise<Quote | null> {
  // A query builder instead of SQL text, so that a fenced database restricts it too.
  const row = await db
    .withTables<{ quotes: Row }>()
    .selectFrom('quotes')
    .selectAll()
    .where('id', '=', quoteId)
    .where(withinReach(reach))
    .executeTakeFirst()
  return row === undefined ? null : quoteOf(row)
}

function quoteOf(row: Row): Quote {
  const { service, ...parcel } = row.request
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    livemode: row.livemode,
    parcel: { ...parcel, courier_connection_id: row.courier_connection_id },
    service,
    rates: row.rates,
    errors: row.errors,
    scenario: row.sandbox_scenario,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  }
}

export const quoteLimits = {
  /** In real time. Questions about a price come within the week; the creation has its own copy. */
  keptMs: 7 * 24 * 60 * 60_000,
  /** Rows that one statement deletes: well under a second of work. */
  deletedMax: 5_000,
  /**
   * Statements of one run, every five minutes: 14 million quotes a day, more than any API answers.
   */
  batchesMax: 10,
} as const

/** Deletes quotes older than they are kept. Returns how many. */
export async function forgetQuotes(db: Kysely<ReadModels>): Promise<number> {
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
