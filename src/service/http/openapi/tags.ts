/**
 * The groups of operations, in the order of the documentation. A route's `tags` names one of them; the
 * linter refuses a document with another.
 */
const introductions = {
  Shipments:
    'An order to ship: one key, at most one guide. Create it with an `Idempotency-Key` for each order, and repeat with the same key after any failure that says so. Cancel it before the parcel is handed over.',
  Batches:
    'Many shipments that are asked for together. Each line has a key of its own and makes the same promises as a single creation.',
  Operations:
    "A call to a courier whose outcome must become certain. When the courier's answer is lost, the service looks at the courier until it is known whether the guide exists; if that cannot be found out, a person decides here.",
  'Courier invoices':
    'What the courier bills, compared with the ledger line by line. A bill for an attempt that is said to have made nothing is evidence: the courier is asked again.',
  Quotes:
    'What a courier asks for a parcel. A creation that names a quote within 30 minutes gets its price, or no guide.',
  Tracking:
    'Where the parcel is. The service asks the courier regularly, and tells webhook endpoints of every change.',
  Documents:
    'The label of a shipment, and what is printed of many: their labels in one file, and the list to sign when they are handed over.',
  Workspaces:
    'A workspace is one shop of your organization: its courier connections, shipments and webhook endpoints belong to it and are seen by no other.',
  'Courier connections':
    "A workspace's accounts at couriers. Credentials can be written, but never read.",
  Couriers: 'What can be chosen from: couriers, their agencies and the kinds of parcel they carry.',
  'Webhook endpoints':
    "URLs that a workspace's events are sent to, signed after Standard Webhooks 1.0.",
  'Webhook events':
    'What happened, as it was sent. Also readable without an endpoint, for 30 days.',
  'Webhook deliveries':
    'One event for one endpoint, with every attempt. `state=dead` is the dead-letter queue.',
  Keys: 'API keys and what the plan allows. A key never creates one that reaches further than itself.',
  Operators:
    'The people who decide operations. What is done with their keys is recorded as theirs.',
  Ledger:
    'The history of a shipment, and the proofs that nothing in it was changed or removed. For auditors.',
  'Audit events': 'Who created, changed, deleted or revoked what, other than shipments.',
  Statistics: 'Sums over time: creations, unknown outcomes, calls to couriers, webhooks.',
  Requests: 'What your clients asked in the last seven days, to find out what went wrong.',
  Search: 'One text, whatever it is: an id, a reference, a guide number or a key.',
  Sandbox:
    'For test keys: scenarios that make the simulated courier fail, and a clock that can be advanced.',
  Health: 'The state of the service, as far as a key may see it.',
} as const

export const tags = Object.entries(introductions).map(([name, description]) => ({
  name,
  description,
}))
