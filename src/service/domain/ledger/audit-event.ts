import { z } from 'zod'
import { committed } from '../event-fields.ts'
import { labelFormatSchema } from '../label-format.ts'

// The names and shapes below are stored forever. Audit events hold ids and the names of changed
// fields, never anyone's name, free text, credential, key or webhook URL: any part of a URL may be a secret.

const id = z.string().min(1).max(64)
const workspace = { workspace_id: id }
const connection = { courier_connection_id: id }
const endpoint = { webhook_endpoint_id: id }
/** No resource has this many fields. */
const fields = z.array(z.string().min(1).max(64)).min(1).max(32)

const time = z.iso.datetime({ precision: 3 })

/** A value before and after. Changed names and texts are listed in `fields` only. */
const changed = <S extends z.ZodType>(value: S) =>
  z.strictObject({ before: value, after: value }).exactOptional()

const capabilities = z.record(z.string().min(1).max(32), z.boolean())

const connectionStatus = z.enum(['active', 'needs_reauth', 'disabled'])
const keyRole = z.string().min(1).max(32)
const operatorStatus = z.enum(['active', 'disabled'])
const invoiceDecision = z.enum(['accepted', 'disputed'])
const endpointStatus = z.enum(['enabled', 'disabled'])
const webhookTypes = z.array(z.string().max(64)).max(64)
const retentionDays = z.int().nullable()
const labelFormat = labelFormatSchema.nullable()

/** Null = unlimited. */
const limit = z.int().min(0).nullable()
const limits = {
  shipments_per_month: limit,
  requests_per_minute: limit,
  workspaces: limit,
  courier_connections: limit,
  webhook_endpoints: limit,
}
const plan = { plan: id, ...limits }

/** Counts listed in one event; the rest are summed. */
export const failureCountsMax = 100

/** Which event store, and the namespace in it. */
const ledger = {
  kind: z.enum(['PostgreSQL', 'EventStoreDB']),
  namespace: z.string().max(32),
}

/** Each administrative event's schema, newest version. The key is the stored type. */
export const auditEventSchemas = {
  OrganizationCreated: z
    .strictObject({
      organization_id: id,
      type: z.enum(['external', 'internal', 'platform']),
      plan: id.exactOptional(),
    })
    .describe('An organization was onboarded'),
  OrganizationPlanChanged: z
    .strictObject({ organization_id: id, plan: id, previous_plan: id.exactOptional() })
    .describe("An organization's plan was changed"),
  OrganizationSuspended: z
    .strictObject({ organization_id: id })
    .describe('An organization was suspended: it cannot start anything new until it is resumed'),
  OrganizationResumed: z
    .strictObject({ organization_id: id })
    .describe('An organization was resumed'),
  PlanCreated: z.strictObject(plan).describe("A plan was created; in the platform's stream"),
  PlanChanged: z
    .strictObject({ ...plan, before: z.strictObject(limits).exactOptional() })
    .describe(
      "The limits of a plan changed, with the limits before and after; in the platform's stream",
    ),
  ApiKeyCreated: z
    .strictObject({
      key_id: id,
      livemode: z.boolean(),
      workspace_id: id.nullable(),
      role: keyRole.exactOptional(),
      scopes: z.array(z.string().max(40)).max(32),
      expires_at: time.nullable(),
      operator_id: id.exactOptional(),
      created_by_key_id: id.nullable().exactOptional(),
      created_by_operator_id: id.exactOptional(),
    })
    .describe(
      'A key was created, with its role and creator; no event has its name, and the key itself is not stored',
    ),
  ApiKeyRolled: z
    .strictObject({
      key_id: id,
      replaced_by_key_id: id,
      expires_at: time,
      previous_expires_at: time.nullable(),
    })
    .describe(
      'A key was rolled: another key, created with the next act, replaces it, and it ends at `expires_at`',
    ),
  ApiKeyRevoked: z.strictObject({ key_id: id }).describe('A key was revoked'),
  OperatorCreated: z
    .strictObject({ operator_id: id })
    .describe('An operator was created; no event has the name and address'),
  OperatorDisabled: z
    .strictObject({ operator_id: id, revoke_created_keys: z.boolean().exactOptional() })
    .describe(
      "An operator and the operator's keys were disabled. `revoke_created_keys`: whether keys without an operator that were created with those keys are revoked too, each with an event of its own",
    ),
  OperatorSignedIn: z
    .strictObject({ operator_id: id, key_id: id, role: keyRole })
    .describe(
      'An operator signed in to the console with the OpenID Connect issuer, and gets this key, which is created with the next act',
    ),
  SignInRefused: z
    .strictObject({ reason: z.string().min(1).max(64), operator_id: id.exactOptional() })
    .describe(
      "The issuer knew a person who was not let in; in the platform's stream if it is nobody's operator. No event says who it was",
    ),
  OperatorChanged: z
    .strictObject({
      operator_id: id,
      fields,
      changes: z.strictObject({ status: changed(operatorStatus) }).exactOptional(),
    })
    .describe(
      "These fields of an operator changed, or the operator was enabled and the operator's keys work again; `changes` has the status. No event has the name and address",
    ),
  WorkspaceCreated: z
    .strictObject({
      ...workspace,
      personal_data_retention_days: retentionDays.exactOptional(),
      label_format: labelFormat.exactOptional(),
    })
    .describe('A workspace was created'),
  WorkspaceChanged: z
    .strictObject({
      ...workspace,
      fields,
      changes: z
        .strictObject({
          personal_data_retention_days: changed(retentionDays),
          label_format: changed(labelFormat),
          'tracking_page.enabled': changed(z.boolean()),
        })
        .exactOptional(),
    })
    .describe('These fields changed; `changes` has the values, except names, addresses and colors'),
  WorkspaceHoldPlaced: z
    .strictObject({ ...workspace, note_ref: id, ...committed })
    .describe('A person placed a legal hold on a workspace: none of its shipments is erased'),
  WorkspaceHoldLifted: z
    .strictObject({ ...workspace, note_ref: id, ...committed })
    .describe('A person lifted the legal hold on a workspace'),
  CourierConnectionCreated: z
    .strictObject({ ...connection, workspace_id: id, provider_code: z.string().max(64) })
    .describe('A courier account was connected'),
  CourierConnectionChanged: z
    .strictObject({
      ...connection,
      fields,
      changes: z.strictObject({ status: changed(connectionStatus) }).exactOptional(),
    })
    .describe('These fields changed; `changes` has the values, except names'),
  CourierCredentialsReplaced: z
    .strictObject({ ...connection, credentials_version: z.int().min(2) })
    .describe('The credentials were rotated'),
  CourierConnectionVerified: z
    .strictObject({
      ...connection,
      accepted: z.boolean(),
      changes: z.strictObject({ status: changed(connectionStatus) }).exactOptional(),
    })
    .describe(
      'The courier was asked whether it accepts the credentials; `changes` has the status if it changed',
    ),
  OperationsSeenByPlatform: z
    .strictObject({ operation_ids: z.array(id).min(1).max(100) })
    .describe(
      'The platform read escalated operations of this organization, or read operations by a command',
    ),
  CourierRegistered: z
    .strictObject({
      provider_code: z.string().max(64),
      url: z.string().max(2048).exactOptional(),
      has_token: z.boolean().exactOptional(),
      capabilities: capabilities.exactOptional(),
    })
    .describe('A courier was registered for live use'),
  CourierReplaced: z
    .strictObject({
      provider_code: z.string().max(64),
      fields: fields.exactOptional(),
      changes: z
        .strictObject({
          url: changed(z.string().max(2048)),
          has_token: changed(z.boolean()),
          capabilities: changed(capabilities),
        })
        .exactOptional(),
    })
    .describe(
      'The address, token, name or capabilities of a registered courier changed; `changes` has the values, except name and token',
    ),
  WebhookEndpointCreated: z
    .strictObject({
      ...endpoint,
      workspace_id: id,
      event_types: webhookTypes.exactOptional(),
    })
    .describe('A webhook endpoint was registered'),
  WebhookEndpointChanged: z
    .strictObject({
      ...endpoint,
      fields,
      changes: z
        .strictObject({
          event_types: changed(webhookTypes),
          status: changed(endpointStatus),
          disabled_reason: changed(z.string().max(64).nullable()),
        })
        .exactOptional(),
    })
    .describe(
      'These fields changed, by its owner or because the endpoint failed for too long; `changes` has the values, except URL and description',
    ),
  WebhookEndpointDeleted: z.strictObject(endpoint).describe('The endpoint was removed'),
  CourierConnectionDeleted: z.strictObject(connection).describe('The connection was removed'),
  WebhookSecretRotated: z
    .strictObject(endpoint)
    .describe('The endpoint got a new secret; the previous one also signs for a day'),
  PersonalDataErasureOrdered: z
    .strictObject({ shipment_id: id })
    .describe("An operator ordered the erasure of a shipment's personal data"),
  WebhookRedelivered: z
    .strictObject({ webhook_delivery_id: id })
    .describe('Its owner or an operator had a webhook redelivered'),
  WebhookPeriodRecovered: z
    .strictObject({ ...endpoint, since: time, until: time })
    .describe('Its owner had the events redelivered that the endpoint missed in a period'),
  WebhookDeliveriesSeen: z
    .strictObject({ webhook_delivery_ids: z.array(id).min(1).max(100) })
    .describe('The platform read deliveries of this organization'),
  AuditEventsSeen: z
    .strictObject({ organization_id: id, first: z.int().min(0), events: z.int().min(1) })
    .describe(
      "The platform read this organization's audit by a command: `events` events, starting at number `first`",
    ),
  AuthenticationsFailed: z
    .strictObject({
      minute: time,
      counts: z
        .array(
          z.strictObject({
            key_id: id.nullable(),
            address_prefix: z.string().max(64).nullable(),
            count: z.int().min(1),
          }),
        )
        .max(failureCountsMax),
      others: z.int().min(0),
    })
    .describe(
      "Requests that a process refused as unauthenticated in one minute, by key and network: those with a revoked or expired key in its organization's stream, those without a known key in the platform's. `others` counts those that are not listed",
    ),
  ShipmentReplayed: z
    .strictObject({ shipment_id: id })
    .describe('The platform read the history of a shipment of this organization'),
  LedgerExported: z
    .strictObject({
      organization_id: id.nullable(),
      shipment_id: id.nullable(),
      from: time.nullable().exactOptional(),
      to: time.nullable().exactOptional(),
      events: z.int().min(0).exactOptional(),
      not_sealed: z.int().min(0).exactOptional(),
      tree_size: z.int().min(0).exactOptional(),
      file_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .exactOptional(),
    })
    .describe(
      "The platform exported events to a file for an auditor: of the organization, of the shipment or, if neither is given, of the whole ledger (then in the platform's stream). With the requested period, the number of events in the file, and its SHA-256",
    ),
  EvidenceExported: z
    .strictObject({
      shipment_id: id,
      includes_personal: z.boolean(),
      events: z.int().min(1),
      tree_size: z.int().min(1),
      file_sha256: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .describe(
      'Its owner or an operator exported an evidence bundle of a shipment. With the number of events in it, and the SHA-256 of the ZIP file',
    ),
  CourierInvoiceImported: z
    .strictObject({
      courier_invoice_id: id,
      ...connection,
      version: z.int().min(1),
      lines: z.int().min(1),
    })
    .describe(
      "A courier's invoice, or a new version of it, was imported. With the number of its lines",
    ),
  CourierInvoiceLineDecided: z
    .strictObject({
      courier_invoice_id: id,
      version: z.int().min(1),
      line: z.int().min(1),
      finding: z.string().max(64),
      before: invoiceDecision.nullable(),
      decision: invoiceDecision,
    })
    .describe(
      "A person accepted or disputed the finding about a line of a courier's invoice. No event has the note",
    ),
  CourierInvoiceWithdrawn: z
    .strictObject({
      courier_invoice_id: id,
      version: z.int().min(1),
      before: z.string().max(64),
    })
    .describe(
      "A courier's invoice was withdrawn because it was imported by mistake. With its previous status",
    ),
  LedgerMoved: z
    .strictObject({
      from: z.strictObject(ledger),
      to: z.strictObject(ledger),
    })
    .describe(
      "The service was moved to a copy of this ledger in another event store; in the platform's stream, as the last event of the former ledger",
    ),
  LedgerRecovered: z
    .strictObject({
      damage_id: z.uuid(),
      proven_size: z.int().min(0),
      lost_size: z.int().min(0).nullable(),
      proven_at: time.nullable(),
      find_first_until: time,
      blind_couriers: z.array(id).max(100),
      note_ref: z.uuid(),
      ...committed,
    })
    .describe(
      "A person recovered this ledger after it had lost events; in the platform's stream. With the number of events that a checkpoint still proved and when it was signed, the number that were sealed before (`null` if not known), until when the courier is asked first about a key without a stream, and the couriers that may create without being asked",
    ),
  MasterKeyRotated: z
    .strictObject({ from_key_ids: z.array(id).min(1).max(16), to_key_id: id })
    .describe(
      "All sealed data was rewrapped under a new master key; in the platform's stream. The ids reveal nothing about the keys",
    ),
} as const

export type AuditEventType = keyof typeof auditEventSchemas
export type AuditEvent = {
  [T in AuditEventType]: {
    readonly type: T
    readonly data: z.infer<(typeof auditEventSchemas)[T]>
  }
}[AuditEventType]
