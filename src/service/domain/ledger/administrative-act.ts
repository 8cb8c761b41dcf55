import type { Json, JsonObject } from '../decider.ts'
import type { AuditEvent, AuditEventType } from './audit-event.ts'

/** What an administrative act can be about. */
export const actResourceTypes = [
  'organization',
  'plan',
  'api_key',
  'operator',
  'workspace',
  'courier_connection',
  'courier',
  'webhook_endpoint',
  'webhook_delivery',
  'operation',
  'courier_invoice',
  'shipment',
  'audit_log',
  'ledger',
  'master_key',
] as const
type ResourceType = (typeof actResourceTypes)[number]

type Values = Readonly<Record<string, Json>>

/** What an act was about and what it changed, as shown to readers. */
type AdministrativeAct = {
  /** `id` is null for an act on several resources, or on one without an id. */
  readonly resource: { readonly type: ResourceType; readonly id: string | null }
  /** Fields that changed. Names, texts and secrets are only listed here. */
  readonly changedFields: readonly string[]
  /** The recorded values of those fields; a field whose value is not recorded is absent. */
  readonly before: Values
  readonly after: Values
}

type DataOf<T extends AuditEventType> = Extract<AuditEvent, { readonly type: T }>['data']
type Shows = { readonly [T in AuditEventType]: (data: DataOf<T>) => AdministrativeAct }

/** An act that changes no recorded field, such as a read. */
function on(type: ResourceType, id: string | null): AdministrativeAct {
  return { resource: { type, id }, changedFields: [], before: {}, after: {} }
}

/** An act on one resource, or on several at once. */
function onAll(type: ResourceType, ids: readonly string[]): AdministrativeAct {
  return on(type, ids.length === 1 ? (ids[0] ?? null) : null)
}

function created(type: ResourceType, id: string, after: Values): AdministrativeAct {
  return { ...on(type, id), changedFields: Object.keys(after), after }
}

function changed(
  type: ResourceType,
  id: string | null,
  before: Values,
  after: Values,
): AdministrativeAct {
  return { ...on(type, id), changedFields: Object.keys(after), before, after }
}

type Changes = Readonly<Record<string, { readonly before: Json; readonly after: Json }>>

/** The fields that the event lists, with the values that it records. */
function listed(
  type: ResourceType,
  id: string,
  { fields = [], changes = {} }: { fields?: readonly string[]; changes?: object },
): AdministrativeAct {
  const entries = Object.entries(changes as Changes)
  const before = entries.map(([name, value]) => [name, value.before] as const)
  const after = entries.map(([name, value]) => [name, value.after] as const)
  const [old, now] = [Object.fromEntries(before), Object.fromEntries(after)]
  return { ...on(type, id), changedFields: fields, before: old, after: now }
}

function without(data: JsonObject, ...names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))
}

const shows: Shows = {
  OrganizationCreated: ({ organization_id: id, ...rest }) => created('organization', id, rest),
  OrganizationPlanChanged: ({ organization_id: id, plan, previous_plan: previous }) =>
    changed('organization', id, previous === undefined ? {} : { plan: previous }, { plan }),
  OrganizationSuspended: ({ organization_id: id }) =>
    changed('organization', id, { suspended: false }, { suspended: true }),
  OrganizationResumed: ({ organization_id: id }) =>
    changed('organization', id, { suspended: true }, { suspended: false }),
  PlanCreated: ({ plan, ...limits }) => created('plan', plan, limits),
  PlanChanged: ({ plan, before, ...after }) => planChange(plan, before, after),
  ApiKeyCreated: ({ key_id: id, ...rest }) => created('api_key', id, rest),
  ApiKeyRolled: ({ key_id: id, previous_expires_at: before, ...after }) =>
    changed('api_key', id, { replaced_by_key_id: null, expires_at: before }, after),
  ApiKeyRevoked: ({ key_id: id }) => changed('api_key', id, { revoked: false }, { revoked: true }),
  OperatorCreated: ({ operator_id: id }) => on('operator', id),
  OperatorDisabled: ({ operator_id: id }) =>
    changed('operator', id, { status: 'active' }, { status: 'disabled' }),
  OperatorSignedIn: ({ operator_id: id }) => on('operator', id),
  SignInRefused: ({ operator_id: id = null }) => on('operator', id),
  OperatorChanged: (data) => listed('operator', data.operator_id, data),
  WorkspaceCreated: ({ workspace_id: id, ...rest }) => created('workspace', id, rest),
  WorkspaceChanged: (data) => listed('workspace', data.workspace_id, data),
  WorkspaceHoldPlaced: ({ workspace_id: id }) =>
    changed('workspace', id, { legal_hold: false }, { legal_hold: true }),
  WorkspaceHoldLifted: ({ workspace_id: id }) =>
    changed('workspace', id, { legal_hold: true }, { legal_hold: false }),
  CourierConnectionCreated: (data) =>
    created(
      'courier_connection',
      data.courier_connection_id,
      without(data, 'courier_connection_id', 'workspace_id'),
    ),
  CourierConnectionChanged: (data) =>
    listed('courier_connection', data.courier_connection_id, data),
  CourierCredentialsReplaced: ({ courier_connection_id: id, credentials_version: version }) => ({
    ...on('courier_connection', id),
    changedFields: ['credentials', 'credentials_version'],
    before: { credentials_version: version - 1 },
    after: { credentials_version: version },
  }),
  CourierConnectionVerified: (data) => {
    const fields = Object.keys(data.changes ?? {})
    return listed('courier_connection', data.courier_connection_id, { ...data, fields })
  },
  CourierConnectionDeleted: (data) => on('courier_connection', data.courier_connection_id),
  CourierRegistered: ({ provider_code: code, ...rest }) => created('courier', code, rest),
  CourierReplaced: (data) => listed('courier', data.provider_code, data),
  WebhookEndpointCreated: (data) =>
    created(
      'webhook_endpoint',
      data.webhook_endpoint_id,
      without(data, 'webhook_endpoint_id', 'workspace_id'),
    ),
  WebhookEndpointChanged: (data) => listed('webhook_endpoint', data.webhook_endpoint_id, data),
  WebhookEndpointDeleted: (data) => on('webhook_endpoint', data.webhook_endpoint_id),
  WebhookSecretRotated: (data) => ({
    ...on('webhook_endpoint', data.webhook_endpoint_id),
    changedFields: ['secret'],
  }),
  WebhookPeriodRecovered: (data) => on('webhook_endpoint', data.webhook_endpoint_id),
  WebhookRedelivered: (data) => on('webhook_delivery', data.webhook_delivery_id),
  WebhookDeliveriesSeen: (data) => onAll('webhook_delivery', data.webhook_delivery_ids),
  OperationsSeenByPlatform: (data) => onAll('operation', data.operation_ids),
  PersonalDataErasureOrdered: (data) => on('shipment', data.shipment_id),
  ShipmentReplayed: (data) => on('shipment', data.shipment_id),
  AuditEventsSeen: (data) => on('audit_log', data.organization_id),
  AuthenticationsFailed: ({ counts }) =>
    onAll('api_key', [...new Set(counts.flatMap(({ key_id }) => key_id ?? []))]),
  LedgerExported: (data) => {
    if (data.shipment_id !== null) return on('shipment', data.shipment_id)
    return data.organization_id === null
      ? on('ledger', null)
      : on('organization', data.organization_id)
  },
  EvidenceExported: (data) => on('shipment', data.shipment_id),
  CourierInvoiceImported: ({ courier_invoice_id: id, ...rest }) =>
    created('courier_invoice', id, without(rest, 'courier_connection_id')),
  CourierInvoiceLineDecided: ({ courier_invoice_id: id, line, before, decision }) => {
    const field = `lines/${line}/decision`
    return changed('courier_invoice', id, { [field]: before }, { [field]: decision })
  },
  CourierInvoiceWithdrawn: ({ courier_invoice_id: id, before }) =>
    changed('courier_invoice', id, { status: before }, { status: 'withdrawn' }),
  LedgerMoved: ({ from, to }) => changed('ledger', null, from, to),
  LedgerRecovered: ({ proven_size: now, lost_size: before }) =>
    changed('ledger', null, { size: before }, { size: now }),
  MasterKeyRotated: (data) => on('master_key', data.to_key_id),
}

/** Older events record only the limits after the change. */
function planChange(plan: string, before: Values | undefined, after: Values): AdministrativeAct {
  if (before === undefined) return changed('plan', plan, {}, after)
  const fields = Object.keys(after).filter((name) => before[name] !== after[name])
  const only = (values: Values) =>
    Object.fromEntries(fields.map((name) => [name, values[name] ?? null]))
  return changed('plan', plan, only(before), only(after))
}

/** Derives what an act was about and what it changed from its event alone. */
export function administrativeAct(event: AuditEvent): AdministrativeAct {
  return (shows[event.type] as (data: AuditEvent['data']) => AdministrativeAct)(event.data)
}

/** Acts on keys: a key belongs to one mode, even one for all workspaces. */
const onKeys: ReadonlySet<AuditEventType> = new Set([
  'ApiKeyCreated',
  'ApiKeyRolled',
  'ApiKeyRevoked',
  'OperatorSignedIn',
  'AuthenticationsFailed',
])

/**
 * The modes whose keys see an act. An act in a workspace or on a key belongs to one mode; any other act
 * concerns the whole organization, and keys of both modes see it.
 */
export function modesOf(act: {
  readonly type: AuditEventType
  readonly workspaceId: string | null
  readonly livemode: boolean
}): { readonly inTest: boolean; readonly inLive: boolean } {
  const isOfOneMode = act.workspaceId !== null || onKeys.has(act.type)
  return { inTest: !isOfOneMode || !act.livemode, inLive: !isOfOneMode || act.livemode }
}
