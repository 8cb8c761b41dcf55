/**
 * The groups of operations, in the order of the documentation. The `tags` of a route name one of them;
 * the linter refuses any other.
 */
const introductions = {
  Shipments:
    'An order to ship: one key, at most one guide. Use one `Idempotency-Key` for each order, and repeat with the same key after any failure that says so. Cancel it before the parcel is handed over.',
  Batches:
    'Many shipments created together. Each line has a key of its own, with the same guarantees as a single creation.',
  Operations:
    "A call to a courier whose outcome must become certain. When the courier's answer is lost, the service asks the courier until it is known whether the guide exists; if that cannot be found out, a person decides here.",
  'Courier invoices':
    'What the courier bills, compared with the ledger line by line. A bill for an attempt that supposedly created nothing is evidence: the service asks the courier again.',
  Quotes:
    'What a courier charges for a parcel. A creation that names a quote within 30 minutes gets that price, or no guide.',
  Tracking:
    'Where the parcel is. The service asks the courier regularly and reports every change to webhook endpoints.',
  Documents:
    'The label of a shipment, the labels of many in one file, and the manifest to sign when parcels are handed over.',
  Workspaces:
    'A workspace is one shop of your organization. Its courier connections, shipments and webhook endpoints belong to it, and no other workspace sees them.',
  'Courier connections':
    "A workspace's accounts at couriers. Credentials can be written but never read.",
  Couriers: 'The couriers, their agencies and the package products that they carry.',
  'Webhook endpoints':
    "URLs that a workspace's events are sent to, signed as in Standard Webhooks 1.0.",
  'Webhook events':
    'What happened, as it was sent. Events can be read for 30 days, also without an endpoint.',
  'Webhook deliveries':
    'The delivery of one event to one endpoint, with every attempt. `state=dead` is the dead-letter queue.',
  Keys: 'API keys and what the plan allows. A key never creates a key that reaches further than itself.',
  Operators:
    'The people who decide operations. Acts with their keys are recorded under their names.',
  Ledger:
    'For auditors: the history of a shipment, and proofs that nothing in it was changed or removed.',
  'Audit events': 'Who created, changed, deleted or revoked what, other than shipments.',
  Statistics: 'Totals over time: creations, unknown outcomes, calls to couriers, webhooks.',
  Requests: 'The requests of your clients in the last seven days, to find out what went wrong.',
  Search: 'Find an object by an id, a reference, a guide number or a key.',
  Sandbox:
    'For test keys: scenarios that make the simulated courier fail, and a clock that you can advance.',
  Health: 'The state of the service, as far as the key may see it.',
} as const

export const tags = Object.entries(introductions).map(([name, description]) => ({
  name,
  description,
}))
