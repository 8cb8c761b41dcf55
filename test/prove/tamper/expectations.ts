/** The command that detects a change, with exit code 1. */
type FoundBy = 'verify' | 'verify --vault' | 'verify --witness' | 'diff'
/**
 * What happens after a column is changed: the change is detected, or the column is not evidence,
 * because …
 */
export type Expectation = FoundBy | { readonly not: string }

const verify = 'verify'
const vault = 'verify --vault'
const diff = 'diff'
const ofRow = { not: 'when the row was written; the event has the time that counts' } as const
const ownText = {
  not: 'a text of its owner, in no event, and no evidence of what happened',
} as const
const recipientPage = { not: "how the shop shows recipients' pages, which prove nothing" }
const counter = { not: 'counts changes for ETags' } as const
const constant = { not: 'the only value that a constraint of the table allows' } as const
const secret = {
  not: 'what a key is recognized by; the events have the id of the key, and nothing that its secret could be guessed from',
} as const
const person = {
  not: 'personal data of staff, which is in no event: an event names the operator by id',
} as const

/** Every column of the tables on which evidence rests. A missing column fails the proof. */
export const expectedOf: Readonly<Record<string, Readonly<Record<string, Expectation>>>> = {
  'ledger.event': {
    position: verify,
    stored_at: { not: 'when the embedded store wrote the row; `recorded_at` is in the leaf' },
    event_id: verify,
    revision: verify,
    stream_id: verify,
    type: verify,
    data: verify,
    metadata: verify,
  },
  sealed_batches: {
    first_index: verify,
    positions: verify,
    streams: verify,
    revisions: verify,
    leaves: verify,
  },
  merkle_tiles: { tier: verify, tile: verify, hashes: verify },
  merkle_tree: {
    is_only: constant,
    origin: verify,
    size: verify,
    position: verify,
    event_id: verify,
  },
  checkpoints: {
    tree_size: verify,
    root: verify,
    position: verify,
    key_id: verify,
    signed_at: verify,
    note: verify,
  },
  checkpoint_keys: {
    key_id: verify,
    public_key: verify,
    since_size: verify,
    created_at: { not: 'when the row was written; the first note of the key has the signed time' },
  },
  checkpoint_cosignatures: {
    tree_size: verify,
    name: verify,
    key_id: verify,
    line: 'verify --witness',
    received_at: { not: 'when it came; the time in the line is signed' },
  },
  vault: {
    ref: vault,
    organization_id: vault,
    workspace_id: vault,
    shipment_id: vault,
    master_key_id: vault,
    wrapped_key: vault,
    payload: vault,
    created_at: ofRow,
  },
  vault_items: { ref: vault, vault_ref: vault, payload: vault, created_at: ofRow },
  organizations: {
    id: diff,
    name: ownText,
    type: diff,
    created_at: ofRow,
    plan: diff,
    suspended_at: diff,
  },
  operators: {
    id: diff,
    organization_id: diff,
    name: person,
    email: person,
    subject: person,
    status: diff,
    created_at: ofRow,
    updated_at: ofRow,
    version: counter,
  },
  api_keys: {
    id: diff,
    organization_id: diff,
    workspace_id: diff,
    livemode: diff,
    digest: secret,
    pepper_version: secret,
    last4: secret,
    name: ownText,
    role: diff,
    scopes: diff,
    expires_at: diff,
    revoked_at: diff,
    last_used_at: { not: 'shown to its owner; each use that matters is an event' },
    created_at: ofRow,
    operator_id: diff,
    created_by_key_id: diff,
    created_by_operator_id: diff,
    replaced_by_key_id: diff,
    from_sign_in: { not: 'where the key comes from; each sign-in is an event' },
  },
  workspaces: {
    id: diff,
    organization_id: diff,
    livemode: diff,
    name: ownText,
    external_reference: ownText,
    personal_data_retention_days: diff,
    created_at: ofRow,
    updated_at: ofRow,
    version: counter,
    legal_hold_since: diff,
    label_format: { not: 'how labels are printed; each change is an event' },
    tracking_page_enabled: recipientPage,
    tracking_page_shop_name: recipientPage,
    tracking_page_support_url: recipientPage,
    tracking_page_accent: recipientPage,
  },
}

/** Tables on which no evidence rests, and why. A table in neither list fails the proof. */
export const noEvidence: Readonly<Record<string, string>> = {
  alerts: 'what is told to receivers',
  batch_lanes: 'leases',
  batch_lines: 'what was asked for together; what came of a line is in the stream of its shipment',
  batch_orders: 'which order a line of a batch ships; its shipment has it too',
  batches: 'what was asked for together, for some months',
  claims: 'leases',
  courier_invoice_invalid_lines: 'what a courier billed; each import is an event',
  courier_invoice_lines:
    "what a courier billed, and what people decided of it; each decision is an event, and findings follow from the shipments' streams",
  courier_invoice_versions: 'what a courier billed; each import is an event',
  courier_invoices: 'what a courier billed; each import is an event',
  courier_connections: 'configuration; each change is an event',
  couriers: 'configuration; each change is an event',
  ledger_damages:
    'what was noticed of a ledger that has lost events; each recovery is an event, and `verify` compares',
  unreadable_labels:
    'which labels are not tried again; a label that is forgotten here is tried once more',
  unwritable_files: 'which file beside the database could not be written at the last try',
  lost_checkpoints: 'what was signed of a history that is lost; no answer rests on it',
  lost_sealed_batches:
    'what was sealed of a history that is lost; held checkpoints are compared with it',
  'projections.statistics': 'sums for dashboards, made from the ledger; `diff` compares them',
  due: 'work that is left, made from the ledger',
  erasures:
    'work that is left; what was erased is in the ledger, and `verify --vault` finds what was not',
  event_store_binding: 'checked at each start',
  idempotent_answers: 'answers to repeats, for a day',
  plans: 'configuration; each change is an event',
  poll_budgets: 'counters',
  projections: 'how far the read models are; `diff` compares them up to there',
  quota_months: 'counters of quotas',
  request_log: 'requests of seven days, for operators',
  request_traces: 'spans of requests of seven days, for traces',
  quota_progress: 'counters of quotas',
  quota_reservations: 'counters of quotas',
  quota_thresholds: 'counters of quotas',
  quotes: 'prices for half an hour; the price of a guide is in its event',
  request_rates: 'counters',
  sandbox_attempts: 'how far a sandbox may advance its clock',
  sandbox_clocks: 'the clocks of sandboxes; each event has its time',
  secret_checks: 'checked at each start',
  sign_in_codes: 'one-time codes, for a minute; each sign-in is an event',
  vault_sweep: 'how far the sweep of the vault is',
  webhook_deliveries: 'what is told to receivers, made from the ledger',
  webhook_endpoints: 'configuration; each change is an event',
  webhook_events: 'what is told to receivers, made from the ledger',
  webhook_lanes: 'counters',
  webhook_leases: 'leases',
  webhook_notices: 'what is told to receivers',
  webhook_statistics: 'sums for dashboards',
  workspace_hold_notes:
    'notes of holds from before the vault kept them: `verify --vault` finds a missing one, and nothing vouches for the text',
}
