import { type Generated, type JSONColumnType, Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'

type OrganizationsTable = {
  id: string
  name: string
  type: 'external' | 'internal' | 'platform'
  created_at: Date
}

type WorkspacesTable = {
  id: string
  organization_id: string
  livemode: boolean
  name: string
  external_reference: string
  personal_data_retention_days: number | null
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type ApiKeysTable = {
  id: string
  organization_id: string
  workspace_id: string | null
  livemode: boolean
  digest: Buffer
  pepper_version: number
  last4: string
  scopes: string[]
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  created_at: Date
}

type CourierConnectionsTable = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  provider_code: string
  display_name: string
  status: 'active' | 'needs_reauth' | 'disabled'
  credentials: Buffer
  credentials_version: Generated<number>
  verified_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type IdempotentAnswersTable = {
  organization_id: string
  livemode: boolean
  route: string
  key_digest: Buffer
  fingerprint: Buffer
  resource_id: string | null
  created_at: Generated<Date>
}

type QuotesTable = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  courier_connection_id: string
  request: unknown
  rates: unknown
  errors: unknown
  sandbox_scenario: string | null
  created_at: Date
  expires_at: Date
  stored_at: Generated<Date>
}

type CouriersTable = {
  provider_code: string
  display_name: string
  base_url: string
  token: Buffer | null
  capabilities: JSONColumnType<Record<string, boolean>>
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type VaultTable = {
  ref: string
  organization_id: string
  workspace_id: string
  shipment_id: string
  master_key_id: string
  wrapped_key: Buffer | null
  payload: Buffer | null
  created_at: Generated<Date>
}

type VaultItemsTable = {
  ref: string
  vault_ref: string
  payload: Buffer | null
  created_at: Generated<Date>
}

type SecretChecksTable = {
  name: string
  digest: Buffer
}

type ProjectionsTable = {
  name: string
  generation: number
  version: number
  position: string | null
  active: boolean
  stopped_by: string | null
  updated_at: Generated<Date>
}

type ClaimsTable = {
  work: string
  leased_until: Date
}

type PollsTable = {
  shipment_id: string
  last_checked_at: Date | null
  next_check_at: Date
  failures: Generated<number>
}

type LabelRequestsTable = {
  shipment_id: string
  requested_at: Date
  next_at: Date | null
}

type SandboxClocksTable = {
  workspace_id: string
  /** bigint: PostgreSQL's driver gives it as text. */
  offset_ms: Generated<string>
  advancing_to: Date | null
  advancing_since: Date | null
}

type SandboxAttemptsTable = {
  shipment_id: string
  workspace_id: string
  registered_at: Generated<Date>
}

/** The tables that migrations make; a read model's own tables are typed in its own file. */
export type Database = {
  organizations: OrganizationsTable
  workspaces: WorkspacesTable
  api_keys: ApiKeysTable
  courier_connections: CourierConnectionsTable
  idempotent_answers: IdempotentAnswersTable
  quotes: QuotesTable
  couriers: CouriersTable
  vault: VaultTable
  vault_items: VaultItemsTable
  secret_checks: SecretChecksTable
  projections: ProjectionsTable
  claims: ClaimsTable
  polls: PollsTable
  label_requests: LabelRequestsTable
  sandbox_clocks: SandboxClocksTable
  sandbox_attempts: SandboxAttemptsTable
}

/** Destroying it ends the pool. */
export function database(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
