import type { OperationName } from '../methods.ts'

/** A tool of the allowlist: what it calls, what a model may say to it, and what it shows. */
export type ToolRow = {
  readonly operation: OperationName
  readonly title: string
  /** Written for a model: when to use the tool and what to do with its answer. */
  readonly description: string
  /** The parameters and fields of the operation that are inputs, by the tool's name for them. */
  readonly inputs: Readonly<Record<string, string>>
  /** Inputs that the operation does not have, and other words for those that it has. */
  readonly adds?: Readonly<Record<string, object>>
  /** Required by the operation, but optional here. */
  readonly optional?: readonly string[]
  /** The fields of the answer that are shown, as paths; of a list, the fields of an item. */
  readonly shows: readonly string[]
  /** Of a long list inside the answer, show the first items. Default: the last ones, the newest. */
  readonly showsFirst?: boolean
  /** Fields whose values the answer explains in words, from the OpenAPI document. */
  readonly explains?: readonly string[]
  /** Changes something, so that it is only there with --write. */
  readonly isWrite?: boolean
  readonly hints: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
  }
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
const same = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))
const pages = same('limit', 'cursor')

/** Nobody tries an order more often without asking why. */
const attempt = { type: 'integer', minimum: 1, maximum: 20 }

const shipment = [
  'id',
  'external_reference',
  'status',
  'guide_number',
  'operation_id',
  'tracking.status',
  'created_at',
]

const connectionId = { type: 'string', pattern: '^ccn_[0-9A-Za-z]+$' }
const agencyId = { type: 'string', pattern: '^agy_[0-9A-Za-z]+$' }

/** In few words, because a model reads all descriptions. */
function quoteAgencies(description: string) {
  const agency_ids = { type: 'array', items: agencyId, maxItems: 10 }
  return { description, properties: { agency_id: agencyId, agency_ids } }
}

/** Every tool. Their schemas are in generated/agent-tools.ts, made from this and the OpenAPI document. */
export const toolTable = {
  search: {
    operation: 'findByText',
    title: 'Search',
    description:
      'Find shipments, operations, batches and invoices by an id, an order reference, a guide number or an idempotency key. Start here if you have one text and do not know what it is.',
    inputs: same('text'),
    shows: ['data.id', 'data.type', 'data.matched', 'data.title', 'data.status'],
    hints: reads,
  },
  find_shipments: {
    operation: 'listShipments',
    title: 'Find shipments',
    description:
      'List shipments, newest first, by order reference, guide number, status, tracking status or time. Use get_shipment for the details of one.',
    inputs: {
      ...same('workspace_id', 'external_reference', 'guide_number', 'status', 'tracking_status'),
      ...same('has_open_operation'),
      created_from: 'created_at[gte]',
      created_before: 'created_at[lt]',
      ...pages,
    },
    shows: shipment,
    hints: reads,
  },
  get_shipment: {
    operation: 'getShipment',
    title: 'Read a shipment',
    description:
      'Read one shipment: its status and what that status means, its guide, price, label and tracking status, and why it has no guide. If operation_id is not null, its outcome is not certain: use explain_operation and create nothing.',
    inputs: same('id'),
    shows: [
      ...shipment,
      'workspace_id',
      'courier_connection_id',
      'failure',
      'origin',
      'destination',
      'package',
      'service',
      'price',
      'label',
      'tracking.exception',
      'updated_at',
      'version',
    ],
    explains: ['status'],
    hints: reads,
  },
  get_tracking: {
    operation: 'getTracking',
    title: 'Where is the parcel',
    description: 'Read where the parcel of a shipment is: its status, exception and newest scans.',
    inputs: same('id'),
    shows: [
      'shipment_id',
      'status',
      'sub_status',
      'exception',
      'eta',
      'events.code',
      'events.status',
      'events.occurred_at',
      'events.agency_id',
      'events.description',
      'anomalies.code',
      'anomalies.count',
      'monitoring',
    ],
    explains: ['monitoring.state'],
    hints: reads,
  },
  find_operations: {
    operation: 'listOperations',
    title: 'Find operations',
    description:
      'List creations and cancellations whose outcome was unknown. status=needs_review selects those that wait for a person.',
    inputs: {
      ...same('workspace_id', 'status', 'open', 'result', 'type', 'external_reference'),
      ...same('shipment_id', 'older_than_seconds', 'order'),
      ...pages,
    },
    shows: [
      'id',
      'type',
      'status',
      'result',
      'cause',
      'shipment_id',
      'external_reference',
      'reason_for_review.code',
      'next_look_at',
      'created_at',
    ],
    hints: reads,
  },
  explain_operation: {
    operation: 'getOperation',
    title: 'Explain an operation',
    description:
      'Explain one operation: its status and result in words, why the outcome was unknown, what the courier answered to each look, when it is asked next, and what an operator decided. It is the tool for a 409 unknown_outcome.',
    inputs: same('id'),
    shows: [
      'id',
      'type',
      'status',
      'result',
      'cause',
      'shipment_id',
      'external_reference',
      'looks.at',
      'looks.answer',
      'looks.guide_numbers',
      'looks.counted',
      'looks.failure',
      'next_look_at',
      'settle_until',
      'deadline_at',
      'reason_for_review',
      'resolution.decision',
      'resolution.by',
      'resolution.decided_by',
      'resolution.note',
      'resolution.guide_number',
      'resolution.at',
      'surplus_guide_numbers',
      'snoozed_until',
      'comments.text',
      'comments.created_at',
      'created_at',
    ],
    explains: ['status', 'result', 'cause', 'reason_for_review.code'],
    hints: reads,
  },
  list_connections: {
    operation: 'listCourierConnections',
    title: 'List courier connections',
    description:
      "List the shop's accounts with couriers. A quote and a creation need the id of an active one, and its workspace_id.",
    inputs: { ...same('workspace_id', 'provider_code', 'status'), ...pages },
    shows: ['id', 'workspace_id', 'provider_code', 'display_name', 'status'],
    hints: reads,
  },
  list_agencies: {
    operation: 'listAgencies',
    title: 'Search agencies',
    description:
      'Search the branches of a courier, best match first. A parcel starts at one with drop_off and ends at one with pickup. Ask the user if several fit.',
    inputs: {
      ...same('courier_connection_id', 'search', 'department', 'province', 'district'),
      ...same('capability'),
      ...pages,
    },
    shows: ['id', 'name', 'address', 'department', 'province', 'district', 'capabilities'],
    hints: reads,
  },
  list_products: {
    operation: 'listPackageProducts',
    title: 'List package products',
    description: 'List the kinds of parcel of a courier, with the limits of weight and size.',
    inputs: { ...same('courier_connection_id'), ...pages },
    shows: ['id', 'name', 'max_weight_kg', 'max_length_m', 'max_width_m', 'max_height_m'],
    hints: reads,
  },
  quote_shipment: {
    operation: 'createQuote',
    title: 'Get a price',
    description:
      "Ask one or more couriers for the price of a parcel, in minor units, cheapest first. Several need agency_ids and product_ids, one each. It ships nothing. A creation with the quote's id and the connection, service, agencies and product of a rate gets its price for 30 minutes, or no guide.",
    inputs: {
      ...same('workspace_id', 'courier_connection_id', 'courier_connection_ids'),
      ...same('origin', 'destination', 'package'),
    },
    adds: {
      courier_connection_id: { anyOf: undefined, ...connectionId, description: 'Of one courier.' },
      courier_connection_ids: {
        anyOf: undefined,
        uniqueItems: undefined,
        type: 'array',
        items: connectionId,
        maxItems: 10,
        description: 'Or of several.',
      },
      origin: quoteAgencies('Of drop-off.'),
      destination: quoteAgencies('Of pickup.'),
    },
    optional: ['workspace_id'],
    showsFirst: true,
    shows: [
      'id',
      'status',
      'rates.courier_connection_id',
      'rates.service',
      'rates.amount',
      'rates.currency',
      'rates.transit_days.min',
      'rates.transit_days.max',
      'rates.origin',
      'rates.destination',
      'rates.package.product_id',
      'errors.courier_connection_id',
      'errors.service',
      'errors.reason',
      'errors.detail',
      'expires_at',
    ],
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  },
  get_label: {
    operation: 'listDocuments',
    title: 'Get the label',
    description:
      'Get the label of a shipment as a link to a PDF resource and, if the server was started with --labels, as a file on the disk. The result does not contain the file.',
    inputs: same('id'),
    shows: ['data.type', 'data.status'],
    hints: reads,
  },
  list_invoices: {
    operation: 'listCourierInvoices',
    title: "List couriers' invoices",
    description:
      'List the invoices of couriers that were compared with the ledger. Use get_invoice for the findings of one.',
    inputs: { ...same('courier_connection_id', 'reference', 'undecided'), ...pages },
    shows: ['id', 'reference', 'status', 'created_at'],
    hints: reads,
  },
  get_invoice: {
    operation: 'getCourierInvoice',
    title: "Read a courier's invoice",
    description:
      "Read one courier's invoice with the totals of its findings: how many lines match, differ or were billed twice, and how much money is at stake, in minor units.",
    inputs: same('id'),
    shows: ['id', 'reference', 'status', 'period', 'totals', 'compared_at'],
    hints: reads,
  },
  create_shipment: {
    operation: 'createShipment',
    title: 'Ship an order',
    description:
      'Create the shipment of an order and wait for its outcome. Calling it again with the same order never creates a second guide: after any error, or if you are not sure, call it again with exactly the same input. A result of needs_attention is not a failure: the guide may exist. Confirm all details with the user first.',
    inputs: {
      order: 'external_reference',
      ...same('workspace_id', 'courier_connection_id', 'origin', 'destination', 'package'),
      ...same('service', 'declared_content', 'recipient', 'quote_id'),
    },
    optional: ['workspace_id'],
    adds: {
      order: {
        description:
          "The order's own number. It identifies the order: use the same text whenever you mean the same order. No personal data.",
      },
      attempt: {
        ...attempt,
        description:
          'Leave it out. Only if the result of the attempt before is rejected, nothing_created or a cancelled shipment, and the user wants to try again: the number of the next attempt, from 2.',
      },
    },
    shows: [...shipment, 'workspace_id', 'price', 'failure', 'label'],
    explains: ['status'],
    isWrite: true,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  cancel_shipment: {
    operation: 'cancelShipment',
    title: 'Cancel a shipment',
    description:
      'Ask the courier to cancel the guide of a shipment and wait for the outcome. It cannot be undone. Calling it again for the same shipment cancels nothing else. Confirm with the user first.',
    inputs: same('id'),
    adds: {
      attempt: {
        ...attempt,
        description:
          'Leave it out. Only if the result of the attempt before is not_cancelled and the user wants to try again: the number of the next attempt, from 2.',
      },
    },
    shows: [...shipment],
    explains: ['status'],
    isWrite: true,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  },
} as const satisfies Readonly<Record<string, ToolRow>>

export type ToolName = keyof typeof toolTable
