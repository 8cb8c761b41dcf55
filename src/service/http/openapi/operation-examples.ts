import { errorTable } from '../../errors.ts'
import { exampleIds, exampleReference, exampleValue, requestedAt } from './examples.ts'

export const exampleOperator = {
  id: `opr_${exampleValue}`,
  object: 'operator' as const,
  organization_id: `org_${exampleValue}`,
  name: 'Ana Torres',
  email: 'ana.torres@shop.example',
  subject: null,
  status: 'active' as const,
  created_at: requestedAt,
  updated_at: requestedAt,
  version: 1,
}

export const exampleOperatorRequest = {
  name: exampleOperator.name,
  email: exampleOperator.email,
} as const

const exampleResolution = {
  decision: 'guide_exists' as const,
  by: 'reconciliation' as const,
  operator_id: null,
  decided_by: null,
  note: null,
  guide_number: '100000000001',
  confirmed: true,
  at: '2026-03-01T12:00:02.000Z',
}

export const exampleComment = {
  id: `cmt_${exampleValue}`,
  object: 'operation_comment' as const,
  livemode: false,
  operation_id: `op_${exampleValue}01`,
  by: { operator_id: `opr_${exampleValue}`, name: 'Ana Torres', key_id: `key_${exampleValue}` },
  text: 'The agency calls back tomorrow at nine.',
  created_at: '2026-03-01T12:00:01.000Z',
}

export const exampleAssignment = { operator_id: `opr_${exampleValue}` } as const

export const exampleSnooze = { until: '2026-03-02T14:00:00.000Z' } as const

/** The courier's answer was lost, and the second look found the guide. */
export const exampleOperation = {
  id: `op_${exampleValue}01`,
  object: 'operation' as const,
  livemode: false,
  type: 'shipment_creation' as const,
  status: 'resolved' as const,
  result: 'guide_exists' as const,
  cause: 'response_lost' as const,
  shipment_id: `shp_${exampleValue}`,
  workspace_id: exampleIds.workspaceId,
  external_reference: exampleReference,
  courier_connection_id: exampleIds.connectionId,
  provider_code: 'mock',
  destination: { agency_id: exampleIds.destinationId },
  amount: { amount: 1450, currency: 'PEN' },
  looks: [
    {
      at: '2026-03-01T12:00:02.000Z',
      method: 'by_client_reference',
      answer: 'found' as const,
      guide_numbers: ['100000000001'],
      counted: false,
      failure: null,
      latency_ms: 180,
    },
  ],
  next_look_at: null,
  settle_until: '2026-03-01T12:02:20.000Z',
  deadline_at: '2026-03-01T20:00:00.000Z',
  resolution: exampleResolution,
  resolutions: [exampleResolution],
  surplus_guide_numbers: [],
  reason_for_review: null,
  assignee: null,
  snoozed_until: null,
  comments: [],
  comment_count: 0,
  contradicted: false,
  escalated: false,
  created_at: requestedAt,
  updated_at: '2026-03-01T12:00:02.000Z',
  version: 4,
}

const lost = errorTable.unknown_outcome

/** The 409 that a client must not answer with another creation. */
export const exampleUnknownOutcome = {
  type: '/docs/errors#unknown_outcome',
  title: lost.title,
  status: lost.status,
  detail: `${lost.title}. ${lost.remedy}`,
  instance: `/v1/requests/req_${exampleValue}`,
  reason: 'unknown_outcome' as const,
  outcome: 'unknown' as const,
  retryable: false,
  action: lost.action,
  request_id: `req_${exampleValue}`,
  operation_id: `op_${exampleValue}01`,
  shipment_id: `shp_${exampleValue}`,
  shipment_version: 3,
}

export const exampleDecision = {
  decision: 'nothing_created',
  note: 'The courier confirmed by telephone that there is no guide.',
  decided_by: 'ana.torres',
} as const
