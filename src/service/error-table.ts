import {
  busy,
  conflict,
  conflictForPerson,
  conflictToFix,
  type ErrorEntry,
  fix,
  forbidden,
  malformed,
  person,
  retry,
  sandboxErrors,
  unavailable,
  unprocessable,
} from './error-kinds.ts'

/**
 * Every reason in the API's problem responses. The problem bodies, docs/errors.md and the OpenAPI
 * enumeration are derived from it.
 */
export const errorTable = {
  unauthenticated: {
    ...person,
    status: 401,
    title: 'The API key is missing or not valid',
    remedy:
      'Send `Authorization: Bearer <API key>` with a key that is neither expired nor revoked.',
  },
  forbidden_scope: {
    ...forbidden,
    title: 'The key does not have the scope for this call',
    remedy: 'Use a key that has the scope named in `detail`.',
  },
  not_found: {
    ...fix,
    status: 404,
    title: 'Not found',
    remedy: 'Check the id, and that the key belongs to the same organization, workspace and mode.',
  },
  method_not_allowed: {
    ...fix,
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    ...fix,
    status: 406,
    title: 'No acceptable representation',
    remedy: 'Accept the content type that the route documents.',
  },
  invalid_json: {
    ...malformed,
    title: 'The body is not valid JSON',
    remedy: 'Send one well-formed JSON value in UTF-8.',
  },
  unsupported_media_type: {
    ...fix,
    status: 415,
    title: 'Unsupported media type',
    remedy: 'Send `Content-Type: application/json`.',
  },
  body_too_large: {
    ...fix,
    status: 413,
    title: 'The body is too large',
    remedy:
      'Keep the body within 64 KiB, and the lines of a batch or an invoice within their limits.',
  },
  headers_too_large: {
    ...fix,
    status: 431,
    title: 'The headers are too large',
    remedy: 'Keep all headers together within 16 KiB.',
  },
  request_timeout: {
    ...fix,
    action: 'same_key',
    status: 408,
    title: 'The request did not arrive in time',
    remedy: 'Send the whole request within 40 s.',
  },
  validation_failed: {
    ...unprocessable,
    title: 'The request is not valid',
    remedy: 'Correct the fields listed in `errors`.',
  },
  invalid_request: {
    ...malformed,
    title: 'The request is malformed',
    remedy: 'Correct the part that `detail` names.',
  },
  invalid_filter: {
    ...malformed,
    title: 'A query parameter is unknown or not valid',
    remedy: 'Use the parameters that the route documents.',
  },
  invalid_cursor: {
    ...malformed,
    title: 'The cursor is not valid here',
    remedy: 'Use `next_cursor` of the same list with the same filters and key.',
  },
  rate_limited: {
    ...retry,
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for `Retry-After`.',
  },
  quota_exceeded: {
    ...person,
    status: 429,
    title: "The plan's shipments for this month are used up",
    remedy: 'Wait for the next month or ask for another plan; `GET /v1/usage` shows what is left.',
  },
  plan_limit_reached: {
    ...forbidden,
    title: 'The plan does not allow more of these',
    remedy: 'Remove one or ask for another plan; `GET /v1/usage` shows what is left.',
  },
  limit_reached: {
    ...conflictForPerson,
    title: 'The limit for these is reached',
    remedy:
      'Revoke or disable keys or operators that are no longer used, then repeat. A link that was rolled 255 times cannot be replaced again, and still works.',
  },
  organization_suspended: {
    ...forbidden,
    title: 'The organization is suspended',
    remedy:
      'Contact the service provider. Reads still work, and operations that have begun are completed.',
  },
  precondition_failed: {
    ...fix,
    status: 412,
    title: 'The resource has changed',
    remedy: 'Read it again and repeat with its new ETag.',
  },
  internal_error: {
    ...fix,
    action: 'same_key',
    status: 500,
    title: 'Something went wrong on our side',
    outcome: 'unknown',
    remedy: 'Report the `request_id`. Repeat a creation only with the same key.',
  },
  idempotency_key_missing: {
    ...malformed,
    title: 'The Idempotency-Key header is missing',
    remedy:
      'Send an `Idempotency-Key`: one for each order that you ship, one for each cancellation.',
  },
  idempotency_key_invalid: {
    ...malformed,
    title: 'The Idempotency-Key header is not valid',
    remedy: 'Send one header of 1 to 255 visible ASCII characters.',
  },
  idempotency_key_reused: {
    ...unprocessable,
    title: 'The key was used with another body',
    remedy:
      'Send the first body again to get its outcome. Use a new key only for a different order: this one may have been shipped.',
  },
  idempotency_in_flight: {
    ...busy,
    title: 'The first request with this key is still running',
    outcome: 'unknown',
    remedy: 'Repeat the same request after `Retry-After`.',
  },
  resource_deleted: {
    ...conflictToFix,
    title: 'The resource created with this key has since been deleted',
    remedy: 'Use a new key to create another one.',
  },
  unknown_outcome: {
    ...conflict,
    action: 'follow',
    title: "The courier's answer was lost; the request may have been executed",
    outcome: 'unknown',
    remedy: 'Do not create or cancel again. Read the operation until it is resolved.',
  },
  nothing_created: {
    ...conflict,
    action: 'new_key',
    title: 'The attempt ended without a guide',
    remedy: 'Create again with a new key.',
  },
  shipment_not_cancellable: {
    ...conflictForPerson,
    title: 'The shipment can no longer be cancelled, or has no guide',
    remedy: 'Read the shipment. A parcel can no longer be cancelled once it is handed over.',
  },
  not_cancelled: {
    ...conflict,
    action: 'new_key',
    title: 'The attempt to cancel ended without cancelling the guide',
    remedy: 'Cancel again with a new key.',
  },
  courier_rejected: {
    ...unprocessable,
    title: 'The courier refused the request',
    remedy: 'Correct what the courier objects to. A creation then needs a new key.',
  },
  courier_not_available: {
    ...unprocessable,
    title: 'The courier is not available to this key',
    remedy: 'Use a `provider_code` from `GET /v1/couriers`.',
  },
  not_supported_by_courier: {
    ...unprocessable,
    title: 'The courier does not offer what was asked',
    remedy:
      'Leave out the fields in `errors`, or use a connection to a courier with these `capabilities` in `GET /v1/couriers`.',
  },
  connection_needs_reauth: {
    ...retry,
    action: 'person',
    status: 424,
    title: 'The courier refuses the credentials',
    remedy:
      'Replace the credentials of the connection, then repeat. If the request had a key, use the same key.',
  },
  connection_disabled: {
    ...conflictForPerson,
    title: 'The connection is disabled',
    remedy: 'Enable the connection or use another.',
  },
  connection_in_use: {
    ...conflictForPerson,
    title: 'The connection has unresolved operations',
    remedy: 'Wait until its operations are resolved.',
  },
  courier_unreachable: {
    ...unavailable,
    title: 'The courier could not be reached',
    remedy: 'Repeat after `Retry-After`. If the request had a key, use the same key.',
  },
  courier_throttled: {
    ...unavailable,
    title: 'The courier asks to slow down',
    remedy: 'Repeat after `Retry-After`. If the request had a key, use the same key.',
  },
  dependency_unavailable: {
    ...unavailable,
    title: 'A part of the service is not available',
    remedy: 'Repeat after `Retry-After`. If the request had a key, use the same key.',
  },
  ledger_damaged: {
    ...unavailable,
    title: 'The ledger has lost events and its operator must recover it',
    remedy:
      'Repeat after `Retry-After`, with the same key. Nothing was created or cancelled. Reads still work.',
  },
  overloaded: {
    ...unavailable,
    title: 'The service is overloaded',
    remedy: 'Repeat after `Retry-After`. If the request had a key, use the same key.',
  },
  quote_expired: {
    ...conflictToFix,
    title: 'The quote has expired',
    remedy: 'Get a new quote and create with its id. The key is not used up.',
  },
  quote_mismatch: {
    ...unprocessable,
    title: 'The quote is for a different request',
    remedy: 'Send the quoted request, or get a quote for this one. The key is not used up.',
  },
  quote_price_changed: {
    ...conflictToFix,
    title: "The courier's price differs from the quoted one",
    remedy: 'Nothing was created. Get a new quote and create with it and a new key.',
  },
  label_not_ready: {
    ...busy,
    title: 'The courier has not created the label yet',
    remedy: 'Repeat after `Retry-After`.',
  },
  label_unreadable: {
    ...conflictForPerson,
    title: 'The label cannot be read',
    remedy:
      "The courier's file cannot be printed. Print the label in the courier's own system, or ask the courier to create it again.",
  },
  shipment_has_no_guide: {
    ...conflictToFix,
    title: 'The shipment has no guide',
    remedy: 'Only a created shipment has documents.',
  },
  operation_open: {
    ...busy,
    action: 'follow',
    title: 'The shipment is being created or cancelled',
    remedy: 'Repeat when the operation in `operation_id` has ended.',
  },
  personal_data_erased: {
    ...fix,
    status: 410,
    title: 'The personal data was erased',
    remedy:
      'It cannot be restored: documents can no longer be created, there is nothing to hold, and a comment would be erased too.',
  },
  legal_hold: {
    ...conflictForPerson,
    title: 'A legal hold protects the personal data',
    remedy: 'Lift the hold on the shipment and on its workspace, then erase.',
  },
  evidence_too_large: {
    ...unprocessable,
    title: 'The evidence is too large for one file',
    remedy:
      'Choose fewer lines of an invoice. For a single shipment, omit `include_personal` or ask the service provider for an export.',
  },
  papers_too_large: {
    ...unprocessable,
    title: 'The labels are too large for one file',
    remedy: 'Request fewer shipments at once.',
  },
  endpoint_disabled: {
    ...conflictForPerson,
    title: 'The webhook endpoint is disabled',
    remedy: 'Enable the endpoint with `PATCH`, then repeat.',
  },
  webhook_endpoint_deleted: {
    ...conflictToFix,
    title: 'The webhook endpoint was deleted',
    remedy: 'Nothing more is sent there; `GET /v1/events` still has the event.',
  },
  delivery_attempts_exhausted: {
    ...conflictToFix,
    title: 'The delivery has used all its attempts',
    remedy: 'Read the event with `GET /v1/events/{id}`.',
  },
  operation_not_settled: {
    ...busy,
    title: 'It is too early to decide this',
    remedy: 'Repeat after `Retry-After`: at the latest at `settle_until` of the operation.',
  },
  invoice_comparing: {
    ...busy,
    title: 'The line has not been compared with the ledger yet',
    remedy: 'Wait until the `status` of the invoice is `compared`.',
  },
  invoice_not_ready: {
    ...busy,
    title: 'The courier does not have an invoice for this month yet',
    remedy: 'Repeat after `Retry-After`, or import the invoice when you receive it.',
  },
  invoice_withdrawn: {
    ...conflictToFix,
    title: 'The invoice was withdrawn',
    remedy: 'Import it again under its reference. It is then compared as a new version.',
  },
  operation_already_resolved: {
    ...conflictToFix,
    title: 'The operation was already resolved with another decision',
    remedy: 'Read the operation.',
  },
  invoice_line_changed: {
    ...conflictToFix,
    title: 'The line has changed since it was read',
    remedy: 'Read the line again, and decide on its current content.',
  },
  operation_full: {
    ...conflictForPerson,
    title: 'The operation has reached its limit for these',
    remedy: 'No more of them are possible. The operation can still be decided.',
  },
  guide_unconfirmed: {
    ...conflictForPerson,
    title: 'The courier could not be asked about this guide',
    remedy: 'Try again later, or insist with `accept_unconfirmed: true`. Looks then continue.',
  },
  operator_not_yours: {
    ...unprocessable,
    title: 'A key cannot create a key for another operator',
    remedy: 'Name the operator of the calling key, or none.',
  },
  key_not_rollable: {
    ...conflictToFix,
    title: 'The key can no longer be rolled',
    remedy: 'Roll the key that replaced it, or create another.',
  },
  guide_not_found: {
    ...unprocessable,
    title: 'The courier has no such guide under our reference',
    remedy: 'Check the guide number.',
  },
  ...sandboxErrors,
} as const satisfies Record<string, ErrorEntry>
