import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { invoiceLinesMax } from '../service/domain/invoices/invoice-limits.ts'
import type { Money } from '../service/domain/operation/machine.ts'
import { recordSchema } from './record-schema.ts'
import { type Sealing, sealing } from './sealing.ts'

/** The unencrypted data of a guide: no personal data and no free text. */
export type GuideRow = {
  readonly guideNumber: string
  readonly clientReference: string
  readonly scenario: string
  /** T of the attempt that created it. */
  readonly attemptAt: Date
  /** Real time. */
  readonly createdAt: Date
  readonly originCode: string
  readonly destinationCode: string
  readonly serviceMode: string
  readonly quantity: number
  readonly weightKg: number
  readonly priceAmount: number
  readonly cancelledAt: Date | null
}

type NewGuide = Omit<GuideRow, 'cancelledAt'> & {
  /** What is collected from the recipient. */
  readonly cashOnDelivery?: Money | undefined
}

/** The encrypted data of a guide; null once erased. */
type GuidePerson = {
  readonly documentType: string
  readonly document: string
  readonly firstName: string
  readonly lastName: string
  readonly declaredContent: string
  readonly pickupCode: string
  readonly phone?: string | undefined
  readonly email?: string | undefined
}

export type CallRow = {
  readonly at: Date
  readonly route: string
  /**
   * The shipment reference of a call about a guide, the workspace reference of a quote, else null.
   */
  readonly reference: string | null
  readonly scenario: string
  readonly outcome: string
}

/** A charge that the courier bills to an account. */
type Charge = {
  /** The courier account that pays. */
  readonly account: string
  /** T of the attempt. */
  readonly attemptAt: Date
  /** For an attempt that created nothing, a number that no guide has. */
  readonly guideNumber: string
  readonly clientReference: string
  readonly scenario: string
  readonly amount: number
  /** The weight of all pieces together. */
  readonly weightKg: number
}
export type ChargedGuide = Omit<Charge, 'account'> & {
  readonly isCancelled: boolean
  /** Null if nothing is collected from the recipient. */
  readonly cashOnDelivery: Money | null
}

export type SimulatorRecord = ReturnType<typeof simulatorRecord>

/**
 * The newest calls that are kept: enough for a day of load tests, about 100 MB. Guides are kept
 * forever.
 */
const callsMax = 1_000_000
/** Surplus calls are deleted after this many new ones. */
const pruneEvery = 10_000

const guideRow = z.object({
  guide_number: z.string(),
  client_reference: z.string(),
  scenario: z.string(),
  attempt_at: z.number(),
  created_at: z.number(),
  origin_code: z.string(),
  destination_code: z.string(),
  service_mode: z.string(),
  quantity: z.number(),
  weight_kg: z.number(),
  price_amount: z.number(),
  cancelled_at: z.number().nullable(),
  person: z.instanceof(Uint8Array).nullable(),
})
const callRow = z.object({
  at: z.number(),
  route: z.string(),
  reference: z.string().nullable(),
  scenario: z.string(),
  outcome: z.string(),
})
const chargeRow = z.object({
  attempt_at: z.number(),
  guide_number: z.string(),
  client_reference: z.string(),
  scenario: z.string(),
  amount: z.number(),
  weight_kg: z.number(),
  is_cancelled: z.number(),
  cash_amount: z.number().nullable(),
  cash_currency: z.string().nullable(),
})
const countRow = z.object({ count: z.number() })
const checkpointRow = z.object({ busy: z.number() })
const doubledRows = z.array(z.object({ clientReference: z.string(), guides: z.number() }))
const person = z.object({
  documentType: z.string(),
  document: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  declaredContent: z.string(),
  pickupCode: z.string(),
  phone: z.string().optional(),
  email: z.string().optional(),
})

/**
 * The simulated courier's record: every guide that it created and every call that it got, in its
 * own SQLite file. Each write is committed before the call is answered, so the record survives
 * `kill -9` and shows how many guides exist for a reference, independently of the ledger. A test or
 * tool may open it a second time while the courier runs.
 */
export function simulatorRecord(options: { readonly file: string; readonly key: Buffer }) {
  if (options.key.length !== 32) throw new Error('The key of the simulator must have 32 bytes.')
  const database = new DatabaseSync(options.file)
  chmodSync(options.file, 0o600)
  database.exec(recordSchema)
  const sealer = sealing(options.key)
  return {
    ...guideBook(database, sealer),
    ...chargeBook(database),
    ...callBook(database),

    /** Runs `work` in one transaction: all of its writes are stored, or none. */
    atomically<T>(work: () => T): T {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },

    /** A digest that reveals nothing without the key. */
    digest: sealer.digest,

    close(): void {
      database.close()
    },
  }
}

function guideBook(database: DatabaseSync, sealer: Sealing) {
  const insert = database.prepare(
    `INSERT INTO guides (guide_number, client_reference, scenario, attempt_at, created_at,
       origin_code, destination_code, service_mode, quantity, weight_kg, price_amount, person)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertCash = database.prepare(
    `INSERT INTO cash_on_delivery (client_reference, guide_number, amount, currency)
     VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const select = database.prepare('SELECT * FROM guides WHERE client_reference = ? ORDER BY id')
  const cancelled = database.prepare(
    `UPDATE guides SET cancelled_at = ?
     WHERE client_reference = ? AND guide_number = ? AND cancelled_at IS NULL`,
  )
  const forget = database.prepare('UPDATE guides SET person = NULL WHERE client_reference = ?')
  const emptyLog = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  const rowsOf = (reference: string) => select.all(reference).map((row) => guideRow.parse(row))

  return {
    addGuide({ cashOnDelivery: cash, ...guide }: NewGuide, who: GuidePerson): void {
      insert.run(
        guide.guideNumber,
        guide.clientReference,
        guide.scenario,
        guide.attemptAt.getTime(),
        guide.createdAt.getTime(),
        guide.originCode,
        guide.destinationCode,
        guide.serviceMode,
        guide.quantity,
        guide.weightKg,
        guide.priceAmount,
        sealer.seal(JSON.stringify(who), guide.guideNumber),
      )
      if (cash === undefined) return
      insertCash.run(guide.clientReference, guide.guideNumber, cash.amount, cash.currency)
    },

    /** Every guide ever created for the reference, including cancelled ones, oldest first. */
    guidesOf(clientReference: string): readonly GuideRow[] {
      return rowsOf(clientReference).map(guideOf)
    },

    personOf(clientReference: string, guideNumber: string): GuidePerson | null {
      const row = rowsOf(clientReference).find((guide) => guide.guide_number === guideNumber)
      if (!row?.person) return null
      return person.parse(JSON.parse(sealer.open(row.person, guideNumber)))
    },

    cancel(clientReference: string, guideNumber: string, at: Date): void {
      cancelled.run(at.getTime(), clientReference, guideNumber)
    },

    /** Erases the person's data, also in SQLite's log. False if another reader keeps the log. */
    erase(clientReference: string): boolean {
      forget.run(clientReference)
      return checkpointRow.parse(emptyLog.get()).busy === 0
    },

    guideCount(): number {
      return countRow.parse(database.prepare('SELECT count(*) AS count FROM guides').get()).count
    },

    /** References with more than one guide, which only a scenario may create. */
    doubled(): readonly { readonly clientReference: string; readonly guides: number }[] {
      const rows = database.prepare(
        `SELECT client_reference AS "clientReference", count(*) AS guides FROM guides
         GROUP BY client_reference HAVING count(*) > 1 ORDER BY client_reference LIMIT 1000`,
      )
      return doubledRows.parse(rows.all())
    },
  }
}

function chargeBook(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO charges
       (account, attempt_at, guide_number, client_reference, scenario, amount, weight_kg)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = database.prepare(
    `SELECT c.*, cash.amount AS cash_amount, cash.currency AS cash_currency, EXISTS (
       SELECT 1 FROM guides g WHERE g.client_reference = c.client_reference
         AND g.guide_number = c.guide_number AND g.cancelled_at IS NOT NULL
     ) AS is_cancelled
     FROM charges c LEFT JOIN cash_on_delivery cash USING (client_reference, guide_number)
     WHERE c.account = ? AND c.attempt_at >= ? AND c.attempt_at < ?
     ORDER BY c.attempt_at, c.id LIMIT ?`,
  )

  return {
    addCharge(charge: Charge): void {
      insert.run(
        charge.account,
        charge.attemptAt.getTime(),
        charge.guideNumber,
        charge.clientReference,
        charge.scenario,
        charge.amount,
        charge.weightKg,
      )
    },

    /**
     * The account's charges of the period, in the order of their attempts; one more than the limit
     * at most.
     */
    chargesOf(
      account: string,
      { from, before }: { readonly from: Date; readonly before: Date },
    ): readonly ChargedGuide[] {
      const max = invoiceLinesMax + 1
      return select.all(account, from.getTime(), before.getTime(), max).map((row) => {
        const charge = chargeRow.parse(row)
        const { cash_amount: amount, cash_currency: currency } = charge
        return {
          attemptAt: new Date(charge.attempt_at),
          guideNumber: charge.guide_number,
          clientReference: charge.client_reference,
          scenario: charge.scenario,
          amount: charge.amount,
          weightKg: charge.weight_kg,
          isCancelled: charge.is_cancelled === 1,
          cashOnDelivery: amount === null || currency === null ? null : { amount, currency },
        }
      })
    },
  }
}

function callBook(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT INTO calls (at, route, reference, scenario, outcome) VALUES (?, ?, ?, ?, ?)',
  )
  const prune = database.prepare('DELETE FROM calls WHERE id <= ?')
  const select = database.prepare('SELECT * FROM calls WHERE reference = ? ORDER BY id')
  const insertFirst = database.prepare(
    'INSERT INTO firsts (kind, scope, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const selectFirst = database.prepare('SELECT value FROM firsts WHERE kind = ? AND scope = ?')

  return {
    addCall(call: CallRow): void {
      const { at, route, reference, scenario, outcome } = call
      const { lastInsertRowid } = insert.run(at.getTime(), route, reference, scenario, outcome)
      if (Number(lastInsertRowid) % pruneEvery === 0) prune.run(Number(lastInsertRowid) - callsMax)
    },

    /** The calls with the reference, oldest first. */
    callsOf(reference: string): readonly CallRow[] {
      return select.all(reference).map((row) => {
        const call = callRow.parse(row)
        return { ...call, at: new Date(call.at) }
      })
    },

    /** The number of calls of a route, over all references. */
    callCount(route: string): number {
      const row = database.prepare('SELECT count(*) AS count FROM calls WHERE route = ?').get(route)
      return countRow.parse(row).count
    },

    /** The first value of the scope. If there was none, stores this value. */
    first(kind: string, scope: string, value: string): string {
      insertFirst.run(kind, scope, value)
      return z.object({ value: z.string() }).parse(selectFirst.get(kind, scope)).value
    },
  }
}

function guideOf(row: z.infer<typeof guideRow>): GuideRow {
  return {
    guideNumber: row.guide_number,
    clientReference: row.client_reference,
    scenario: row.scenario,
    attemptAt: new Date(row.attempt_at),
    createdAt: new Date(row.created_at),
    originCode: row.origin_code,
    destinationCode: row.destination_code,
    serviceMode: row.service_mode,
    quantity: row.quantity,
    weightKg: row.weight_kg,
    priceAmount: row.price_amount,
    cancelledAt: row.cancelled_at === null ? null : new Date(row.cancelled_at),
  }
}
