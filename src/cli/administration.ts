import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Projection } from '../../projections/projection.ts'
import type { ReadModels } from '../../projections/tables.ts'
import type { Database } from '../database/database.ts'
import type { JsonObject } from '../domain/decider.ts'
import type { OperationDecision as Decision } from '../domain/shipment/shipment-events.ts'
import type { EventStore, Position } from '../event-store/event-store.ts'
import type { VerifyDeps } from '../ledger/verify.ts'
import type { Log } from '../log.ts'
import type { TokenSealer } from '../processes/connections/registered-couriers.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Peppers } from '../security/api-keys.ts'

export type OperationsFilter = {
  readonly status: string | null
  readonly organizationId: string | null
  readonly limit: number
}

export type OperationDecision = {
  readonly decision: Decision
  readonly guideNumber: string | null
  readonly acceptUnconfirmed: boolean
  readonly note: string
  readonly decidedBy: string
}

/**
 * Operations as the API shows them, of every organization; null where there is no such one. What is
 * only for the owner is `{"withheld": true}`. A refusal is thrown as a Problem, whose message is what
 * the operator reads.
 */
export type OperationsAdministration = {
  list(filter: OperationsFilter): Promise<readonly JsonObject[]>
  show(operationId: string): Promise<JsonObject | null>
  look(operationId: string): Promise<JsonObject | null>
  resolve(operationId: string, decision: OperationDecision): Promise<JsonObject | null>
}

/** `was_erased`: before, and again now. `open`: it is being created or cancelled. */
export type EraseAnswer = 'erased' | 'was_erased' | 'open' | 'not_found'

export type ErasureAdministration = {
  /** Forgets the person of a shipment, whatever is left of it. Safe to repeat. */
  erase(shipmentId: string): Promise<EraseAnswer>
  /** The shipments that the ledger says were erased; tells how far it has read. */
  erased(read: (position: Position, events: number) => void): AsyncIterable<string>
  /** Those on a list, null for a line that cannot be read. Throws what the disk throws. */
  listed(file: string): AsyncIterable<string | null>
}

/** What everything secret is under. */
export type KeyCare = {
  readonly pool: Pool
  readonly secrets: Secrets
  /** The folder with the file that keeps SECRETS_KEY; null: the environment gives it. */
  readonly secretsDir: string | null
}

/** What the commands work with: the same parts as the service's, on the same database. */
export type Administration = {
  readonly db: Kysely<Database>
  readonly readModels: Kysely<ReadModels>
  readonly pool: Pool
  readonly store: EventStore
  readonly pepper: Peppers
  readonly tokens: TokenSealer
  /** What the ledger is verified with besides. */
  readonly seal: Pick<
    VerifyDeps,
    'isContiguous' | 'checkpointKey' | 'checkpointKeyPrevious' | 'checkpointDir'
  >
  readonly keyCare: KeyCare
  readonly projections: readonly Projection[]
  readonly operations: OperationsAdministration
  readonly erasures: ErasureAdministration
  readonly log: Log
  close(): Promise<void>
}

/** Who acts, in the audit. */
export const byCli = { actor: { type: 'cli', keyId: null }, requestId: null } as const
