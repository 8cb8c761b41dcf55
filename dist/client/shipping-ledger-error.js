/**
 * Every failure of a call. Decide by `reason` and `outcome`: `unknown` means that what was asked may
 * have been done, so never ask for it again with another key.
 */
export class ShippingLedgerError extends Error {
    name = 'ShippingLedgerError';
    reason;
    /** The HTTP status; null when no answer came. */
    status;
    /** What this very request did; null on a call that changes nothing. */
    outcome;
    /** Whether repeating the same request, with the same key, can help. */
    retryable;
    requestId;
    /** With `unknown_outcome`: the operation to follow. */
    operationId;
    shipmentId;
    /** With `validation_failed` and its like: what is wrong where. */
    errors;
    idempotencyKey;
    /** Milliseconds after which the service asks to be asked again. */
    retryAfterMs;
    constructor(facts) {
        super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
        this.reason = facts.reason;
        this.status = facts.status ?? null;
        this.outcome = facts.outcome;
        this.retryable = facts.retryable;
        this.requestId = facts.requestId ?? null;
        this.operationId = facts.problem?.operation_id ?? null;
        this.shipmentId = facts.problem?.shipment_id ?? null;
        this.errors = facts.problem?.errors ?? [];
        this.idempotencyKey = facts.idempotencyKey ?? null;
        this.retryAfterMs = facts.retryAfterMs ?? null;
    }
}
