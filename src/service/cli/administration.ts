import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Projection } from '../../../projections/projection.ts'
import type { ReadModels } from '../../../projections/tables.ts'
import type { Database } from '../database/database.ts'
import type { Instant, JsonObject } from '../domain/decider.ts'
import type { OperationDecision as Decision } from '../domain/shipment/shipment-events.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore, Position } from '../event-store/event-store.ts'
import type { EvidenceDeps } from '../ledger/evidence/evidence-bundles.ts'
import type { FindDamageDeps } from '../ledger/recovery/find-damage.ts'
import type { RecoverDeps } from '../ledger/recovery/recover-ledger.ts'
import type { Verifier } from '../ledger/signed-note.ts'
import type { VerifyDeps } from '../ledger/verify.ts'
import type { VerifyVaultDeps } from '../ledger/verify-vault.ts'
import type { Log } from '../log.ts'
import type { TokenSealer } from '../processes/connections/registered-couriers.ts'
import type { ListedShipment } from '../processes/erasure/erasure-list.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Peppers } from '../security/api-keys.ts'

type OperationsFilter = {
  readonly status: string | null
  readonly organizationId: string | null
  readonly limit: number
}

export type OperationDecision = {
  readonly decision: Decision
  readonly guideNumber: string | null
  readonly acceptUnconfirmed: boolean
  readonly note: string
}

/**
 * Operations of every organization, in the API's form; null where there is no such operation. Data
 * for the owner alone is `{"withheld": true}`. A refusal is thrown as a Problem, and the operator
 * reads its message.
 */
export type OperationsAdministration = {
  list(filter: OperationsFilter, actorOn: ActorOn): Promise<readonly JsonObject[]>
  show(operationId: string, actorOn: ActorOn): Promise<JsonObject | null>
  look(operationId: string, actorOn: ActorOn): Promise<JsonObject | null>
  resolve(
    operationId: string,
    decision: OperationDecision,
    actorOn: ActorOn,
  ): Promise<JsonObject | null>
  /** Null: without an assignee. */
  assign(
    operationId: string,
    operatorId: string | null,
    actorOn: ActorOn,
  ): Promise<JsonObject | null>
  comment(operationId: string, text: string, actorOn: ActorOn): Promise<JsonObject | null>
  /** Until a moment on the workspace's clock; null = no longer. */
  snooze(operationId: string, until: Instant | null, actorOn: ActorOn): Promise<JsonObject | null>
}

/**
 * `was_erased`: it was erased before and is erased again. `open`: it is being created or cancelled.
 * `held`: it has a legal hold, or its workspace has one.
 */
export type EraseAnswer = 'erased' | 'was_erased' | 'open' | 'held' | 'not_found'

export type ErasureAdministration = {
  /** Erases the personal data of a shipment, however much of it is left. Safe to repeat. */
  erase(shipmentId: string, actorOn: ActorOn, includeNotes: boolean): Promise<EraseAnswer>
  /** The shipments that the ledger says were erased. Reports how far it has read. */
  erased(read: (position: Position, events: number) => void): AsyncIterable<ListedShipment>
  /** The shipments on a list, null for an unreadable line. Disk errors are thrown. */
  listed(file: string): AsyncIterable<ListedShipment | null>
}

export type HoldTarget = { readonly kind: 'shipment' | 'workspace'; readonly id: string }
/** `since`: RFC 3339; null = it has no legal hold. */
export type Held = { readonly since: string | null }

/** Legal holds; null where there is no such shipment or workspace. Already so changes nothing. */
export type HoldAdministration = {
  place(on: HoldTarget, note: string, actorOn: ActorOn): Promise<Held | null>
  lift(on: HoldTarget, note: string, actorOn: ActorOn): Promise<Held | null>
  /** The holds of every organization, the oldest first. */
  list(): Promise<
    readonly { readonly id: string; readonly organization_id: string; readonly since: string }[]
  >
}

/** The keys that protect every secret. */
export type KeyCare = {
  readonly pool: Pool
  readonly secrets: Secrets
  /** The folder of the file that keeps SECRETS_KEY; null if the environment gives the key. */
  readonly secretsDir: string | null
}

/** What the commands work with: the same parts as the service, on the same database. */
export type Administration = {
  readonly db: Kysely<Database>
  readonly vault: VerifyVaultDeps['vault'] & EvidenceDeps['vault'] & RecoverDeps['vault']
  /** What the ledger is compared with. */
  readonly remembered: FindDamageDeps
  readonly readModels: Kysely<ReadModels>
  readonly pool: Pool
  readonly store: EventStore
  readonly pepper: Peppers
  readonly tokens: TokenSealer
  /** What verifying the ledger needs in addition. */
  readonly seal: Pick<
    VerifyDeps,
    'isContiguous' | 'checkpointKey' | 'checkpointKeyPrevious' | 'checkpointDir'
  >
  /** Those that the configuration names. */
  readonly witnesses: readonly Verifier[]
  readonly keyCare: KeyCare
  readonly projections: readonly Projection[]
  readonly operations: OperationsAdministration
  readonly erasures: ErasureAdministration
  readonly holds: HoldAdministration
  readonly log: Log
  close(): Promise<void>
}

/**
 * The actor of a command on an organization, or on what belongs to none (`platform`). Throws
 * CommandFailed unless the operator that the command names may act there.
 */
export type ActorOn = (organizationId: string) => Promise<Actor>

/** Who a command was run by when it names no operator and the system's user is not known. */
export const byCli = { actor: { type: 'cli', keyId: null }, requestId: null } as const
