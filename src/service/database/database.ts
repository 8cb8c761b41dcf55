import { type Generated, type JSONColumnType, Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import type { LabelFormat } from '../domain/label-format.ts'
import type { BatchTables } from './batch-tables.ts'
import type { InvoiceTables } from './invoice-tables.ts'
import type { SealTables } from './seal-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

type OrganizationsTable = {
  id: string
  name: string
  type: 'external' | 'internal' | 'platform'
  created_at: Date
  plan: Generated<string>
  suspended_at: Generated<Date | null>
}

type PlansTable = {
  name: string
  shipments_per_month: number | null
  requests_per_minute: number | null
  workspaces: number | null
  courier_connections: number | null
  webhook_endpoints: number | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Only the database's functions write it. `month` is the first day of the month. */
type QuotaMonthsTable = {
  organization_id: string
  livemode: boolean
  month: Date
  used: number
}

type QuotaReservationsTable = {
  shipment_id: string
  organization_id: string
  livemode: boolean
  month: Date
  version: number
  is_held: boolean
  reserved_at: Date
}

type QuotaThresholdsTable = {
  organization_id: string
  livemode: boolean
  month: Date
  percent: number
  used: number
  quota: number
  reached_at: Date
  /** Null until its webhooks are enqueued. */
  enqueued_at: Date | null
}

type QuotaProgressTable = {
  is_only: Generated<boolean>
  settled_to: string
  swept_to: Date
}

type WorkspacesTable = {
  id: string
  organization_id: string
  livemode: boolean
  name: string
  external_reference: string
  personal_data_retention_days: number | null
  legal_hold_since: Generated<Date | null>
  label_format: Generated<LabelFormat | null>
  tracking_page_enabled: Generated<boolean>
  tracking_page_shop_name: Generated<string | null>
  tracking_page_support_url: Generated<string | null>
  tracking_page_accent: Generated<string | null>
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type WorkspaceHoldNotesTable = {
  ref: string
  organization_id: string
  workspace_id: string
  note: Buffer
  created_at: Generated<Date>
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
  operator_id: Generated<string | null>
  created_by_key_id: Generated<string | null>
  created_by_operator_id: Generated<string | null>
  name: Generated<string | null>
  replaced_by_key_id: Generated<string | null>
  from_sign_in: Generated<boolean>
  role: Generated<
    'integration' | 'clerk' | 'support' | 'accountant' | 'operator' | 'admin' | 'custom'
  >
}

type SignInCodesTable = {
  digest: Buffer
  organization_id: string
  operator_id: string
  livemode: boolean
  role: string
  challenge: Buffer
  expires_at: Date
}

type OperatorsTable = {
  id: string
  organization_id: string
  name: string
  email: string
  subject: Generated<string | null>
  status: Generated<'active' | 'disabled'>
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type RequestLogTable = {
  id: string
  organization_id: string
  livemode: boolean
  workspace_id: string | null
  key_id: string
  method: string
  route: string
  status: number
  reason: string | null
  outcome: 'not_executed' | 'executed' | 'unknown' | null
  duration_ms: number
  represents: number
  created_at: Date
}

type RequestTracesTable = {
  organization_id: string
  request_id: string
  traceparent: string
  created_at: Generated<Date>
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
  stopped_at: Date | null
  updated_at: Generated<Date>
}

type ClaimsTable = {
  work: string
  leased_until: Date
}

type DueTable = {
  shipment_id: string
  workspace_id: string
  livemode: boolean
  reconcile_at: Date | null
  check_at: Date | null
  label_at: Date | null
  erase_at: Date | null
  owner: string | null
  leased_until: Date | null
  guide_number: string | null
  last_checked_at: Date | null
  failures: Generated<number>
  has_slot: Generated<boolean>
  label_requested_at: Date | null
  work_failures: Generated<number>
}

type PollBudgetsTable = {
  courier_connection_id: string
  free_at: Date
}

type SandboxClocksTable = {
  workspace_id: string
  /** A bigint, which PostgreSQL's driver returns as text. */
  offset_ms: Generated<string>
  advancing_to: Date | null
  advancing_since: Date | null
  advanced_to: Date | null
  steps_done: Generated<string>
  skipped: Generated<unknown>
  skipped_more: Generated<string>
}

type SandboxAttemptsTable = {
  shipment_id: string
  workspace_id: string
  is_withdrawn: Generated<boolean>
  registered_at: Generated<Date>
}

/** The tables that migrations create; a read model's own tables are typed in its own file. */
export type Database = WebhookTables &
  BatchTables &
  InvoiceTables &
  SealTables & {
    organizations: OrganizationsTable
    plans: PlansTable
    quota_months: QuotaMonthsTable
    quota_reservations: QuotaReservationsTable
    quota_thresholds: QuotaThresholdsTable
    quota_progress: QuotaProgressTable
    workspaces: WorkspacesTable
    workspace_hold_notes: WorkspaceHoldNotesTable
    request_log: RequestLogTable
    request_traces: RequestTracesTable
    api_keys: ApiKeysTable
    sign_in_codes: SignInCodesTable
    operators: OperatorsTable
    courier_connections: CourierConnectionsTable
    idempotent_answers: IdempotentAnswersTable
    quotes: QuotesTable
    couriers: CouriersTable
    vault: VaultTable
    vault_items: VaultItemsTable
    secret_checks: SecretChecksTable
    projections: ProjectionsTable
    claims: ClaimsTable
    due: DueTable
    poll_budgets: PollBudgetsTable
    sandbox_clocks: SandboxClocksTable
    sandbox_attempts: SandboxAttemptsTable
  }

/** Destroying the database ends the pool. */
export function database(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
