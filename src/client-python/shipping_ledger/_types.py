# Generated from docs/openapi.json by `npm run generate`.
from __future__ import annotations

from typing import Any, NotRequired, TypedDict

QuoteRequest = TypedDict(
    "QuoteRequest",
    {
        "workspace_id": "str",
        "courier_connection_id": "str",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "NotRequired[dict[str, Any] | None]",
    },
)

ShipmentRequest = TypedDict(
    "ShipmentRequest",
    {
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any]",
        "declared_content": "str",
        "recipient": "dict[str, Any]",
        "metadata": "NotRequired[dict[str, Any] | None]",
        "quote_id": "NotRequired[str | None]",
    },
)

BatchRequest = TypedDict(
    "BatchRequest",
    {
        "external_reference": "str",
        "workspace_id": "NotRequired[str]",
        "courier_connection_id": "NotRequired[str]",
        "items": "list[BatchLine]",
    },
)

BatchLine = TypedDict(
    "BatchLine",
    {
        "idempotency_key": "NotRequired[str]",
        "workspace_id": "NotRequired[str]",
        "courier_connection_id": "NotRequired[str]",
        "external_reference": "str",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any]",
        "declared_content": "str",
        "recipient": "dict[str, Any]",
        "metadata": "NotRequired[dict[str, Any] | None]",
        "quote_id": "NotRequired[str | None]",
    },
)

CourierInvoiceRequest = TypedDict(
    "CourierInvoiceRequest",
    {
        "courier_connection_id": "str",
        "reference": "str",
        "period": "NotRequired[dict[str, Any] | None]",
        "lines": "list[CourierInvoiceRequestLine]",
    },
)

CourierInvoiceRequestLine = TypedDict(
    "CourierInvoiceRequestLine",
    {
        "guide_number": "str",
        "amount": "int",
        "currency": "str",
        "weight_kg": "NotRequired[float | None]",
        "date": "NotRequired[str | None]",
        "client_reference": "NotRequired[str | None]",
    },
)

Workspace = TypedDict(
    "Workspace",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "name": "str",
        "external_reference": "str",
        "personal_data_retention_days": "int | None",
        "legal_hold": "dict[str, Any] | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

Problem = TypedDict(
    "Problem",
    {
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "instance": "str",
        "reason": "str",
        "outcome": "NotRequired[str]",
        "retryable": "bool",
        "request_id": "str",
        "operation_id": "NotRequired[str]",
        "shipment_id": "NotRequired[str]",
        "shipment_version": "NotRequired[int]",
        "price": "NotRequired[Money]",
        "errors": "NotRequired[list[dict[str, Any]]]",
    },
)

Money = TypedDict(
    "Money",
    {
        "amount": "int",
        "currency": "str",
    },
)

CourierConnection = TypedDict(
    "CourierConnection",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "provider_code": "str",
        "display_name": "str",
        "status": "str",
        "verified_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

Courier = TypedDict(
    "Courier",
    {
        "object": "str",
        "provider_code": "str",
        "display_name": "str",
        "modes": "list[str]",
        "capabilities": "dict[str, Any] | None",
    },
)

Agency = TypedDict(
    "Agency",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "name": "str",
        "address": "str",
        "department": "str",
        "province": "str",
        "district": "str",
        "capabilities": "list[str]",
        "provider_code": "str",
        "created_at": "str | None",
    },
)

PackageProduct = TypedDict(
    "PackageProduct",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "name": "str",
        "max_weight_kg": "float",
        "max_length_m": "float",
        "max_width_m": "float",
        "max_height_m": "float",
        "provider_code": "str",
        "created_at": "str | None",
    },
)

ApiKey = TypedDict(
    "ApiKey",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "organization_id": "str",
        "organization_type": "str",
        "workspace_id": "str | None",
        "operator_id": "str | None",
        "created_by_key_id": "str | None",
        "created_by_operator_id": "str | None",
        "scopes": "list[str]",
        "last4": "str",
        "expires_at": "str | None",
        "revoked_at": "str | None",
        "last_used_at": "str | None",
        "created_at": "str",
    },
)

ApiKeyWithSecret = TypedDict(
    "ApiKeyWithSecret",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "organization_id": "str",
        "organization_type": "str",
        "workspace_id": "str | None",
        "operator_id": "str | None",
        "created_by_key_id": "str | None",
        "created_by_operator_id": "str | None",
        "scopes": "list[str]",
        "last4": "str",
        "expires_at": "str | None",
        "revoked_at": "str | None",
        "last_used_at": "str | None",
        "created_at": "str",
        "key": "str | None",
    },
)

Operator = TypedDict(
    "Operator",
    {
        "id": "str",
        "object": "str",
        "organization_id": "str",
        "name": "str",
        "email": "str | None",
        "status": "str",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

ChangedOperator = TypedDict(
    "ChangedOperator",
    {
        "id": "str",
        "object": "str",
        "organization_id": "str",
        "name": "str",
        "email": "str | None",
        "status": "str",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
        "created_keys": "list[dict[str, Any]] | None",
    },
)

Usage = TypedDict(
    "Usage",
    {
        "object": "str",
        "livemode": "bool",
        "plan": "str",
        "month": "str",
        "resets_at": "str",
        "shipments": "dict[str, Any]",
        "requests_per_minute": "dict[str, Any]",
        "workspaces": "dict[str, Any]",
        "courier_connections": "dict[str, Any]",
        "webhook_endpoints": "dict[str, Any]",
    },
)

WebhookEndpointWithSecret = TypedDict(
    "WebhookEndpointWithSecret",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "url": "str",
        "description": "str | None",
        "event_types": "list[str]",
        "status": "str",
        "disabled_reason": "str | None",
        "health": "dict[str, Any]",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
        "secret": "str | None",
        "previous_secret_expires_at": "str | None",
    },
)

WebhookEndpoint = TypedDict(
    "WebhookEndpoint",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "url": "str",
        "description": "str | None",
        "event_types": "list[str]",
        "status": "str",
        "disabled_reason": "str | None",
        "health": "dict[str, Any]",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

WebhookDelivery = TypedDict(
    "WebhookDelivery",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "event_id": "str",
        "event_type": "str",
        "endpoint_id": "str",
        "shipment_id": "str | None",
        "state": "str",
        "attempts": "list[dict[str, Any]]",
        "next_attempt_at": "str | None",
        "dead_reason": "str | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

WebhookRecovery = TypedDict(
    "WebhookRecovery",
    {
        "object": "str",
        "endpoint_id": "str",
        "since": "str",
        "until": "str",
        "recovered": "int",
        "has_more": "bool",
        "next_since": "str | None",
    },
)

WebhookRecoverable = TypedDict(
    "WebhookRecoverable",
    {
        "object": "str",
        "endpoint_id": "str",
        "since": "str",
        "until": "str",
        "count": "int",
        "is_complete": "bool",
    },
)

WebhookEvent = TypedDict(
    "WebhookEvent",
    {
        "id": "str",
        "type": "str",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "dict[str, Any]",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

Quote = TypedDict(
    "Quote",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any] | None",
        "status": "str",
        "rates": "list[dict[str, Any]]",
        "errors": "list[dict[str, Any]]",
        "sandbox_scenario": "str | None",
        "expires_at": "str",
        "created_at": "str",
    },
)

Shipment = TypedDict(
    "Shipment",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "idempotency_key": "str",
        "status": "str",
        "failure": "dict[str, Any] | None",
        "guide_number": "str | None",
        "pickup_code": "str | None",
        "operation_id": "str | None",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any]",
        "declared_content": "str | None",
        "recipient": "dict[str, Any] | None",
        "quote_id": "str | None",
        "price": "Money | None",
        "label": "dict[str, Any]",
        "tracking": "dict[str, Any]",
        "metadata": "dict[str, Any] | None",
        "sandbox_scenario": "str | None",
        "legal_hold": "dict[str, Any] | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

TrackingException = TypedDict(
    "TrackingException",
    {
        "code": "str",
        "since": "str",
        "action_required": "bool",
    },
)

LedgerEvent = TypedDict(
    "LedgerEvent",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "created_at": "str",
        "type": "str",
        "schema": "int",
        "shipment_id": "str | None",
        "revision": "int",
        "recorded_at": "str",
        "occurred_at": "str",
        "workspace_id": "str | None",
        "actor": "dict[str, Any]",
        "request_id": "str | None",
        "causation_id": "str | None",
        "correlation_id": "str",
        "data": "dict[str, Any]",
        "position": "str",
        "leaf": "str",
    },
)

Tracking = TypedDict(
    "Tracking",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "shipment_id": "str",
        "status": "str | None",
        "phase": "str | None",
        "sub_status": "str | None",
        "exception": "TrackingException | None",
        "eta": "str | None",
        "events": "list[dict[str, Any]]",
        "anomalies": "list[dict[str, Any]]",
        "monitoring": "dict[str, Any]",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

Operation = TypedDict(
    "Operation",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "type": "str",
        "status": "str",
        "result": "str | None",
        "cause": "str | None",
        "shipment_id": "str",
        "workspace_id": "str",
        "external_reference": "str",
        "courier_connection_id": "str",
        "provider_code": "str",
        "destination": "dict[str, Any]",
        "amount": "Money | None",
        "looks": "list[dict[str, Any]]",
        "next_look_at": "str | None",
        "settle_until": "str",
        "deadline_at": "str",
        "resolution": "dict[str, Any] | None",
        "resolutions": "list[dict[str, Any]]",
        "surplus_guide_numbers": "list[str]",
        "reason_for_review": "dict[str, Any] | None",
        "assignee": "dict[str, Any] | None",
        "snoozed_until": "str | None",
        "comments": "list[OperationComment]",
        "comment_count": "int",
        "contradicted": "bool",
        "escalated": "bool",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

OperationComment = TypedDict(
    "OperationComment",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "operation_id": "str",
        "by": "dict[str, Any]",
        "text": "str | None",
        "created_at": "str",
    },
)

LedgerCheckpoint = TypedDict(
    "LedgerCheckpoint",
    {
        "object": "str",
        "tree_size": "int",
        "root_hash": "str",
        "key_id": "str",
        "created_at": "str",
        "note": "str",
    },
)

LedgerProof = TypedDict(
    "LedgerProof",
    {
        "object": "str",
        "position": "str",
        "event_id": "str",
        "leaf": "str",
        "leaf_index": "int",
        "tree_size": "int",
        "root_hash": "str",
        "hashes": "list[str]",
    },
)

LedgerConsistency = TypedDict(
    "LedgerConsistency",
    {
        "object": "str",
        "from_size": "int",
        "from_root_hash": "str",
        "to_size": "int",
        "to_root_hash": "str",
        "hashes": "list[str]",
    },
)

LedgerKey = TypedDict(
    "LedgerKey",
    {
        "object": "str",
        "key_id": "str",
        "public_key": "str",
        "verifier": "str",
        "since_tree_size": "int",
        "created_at": "str",
    },
)

AuditEvent = TypedDict(
    "AuditEvent",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str | None",
        "action": "str",
        "actor": "dict[str, Any]",
        "resource": "dict[str, Any]",
        "changed_fields": "list[str]",
        "before": "dict[str, Any]",
        "after": "dict[str, Any]",
        "data": "dict[str, Any]",
        "request_id": "str | None",
        "position": "str",
        "created_at": "str",
    },
)

OperationStatistics = TypedDict(
    "OperationStatistics",
    {
        "object": "str",
        "livemode": "bool",
        "reconciling": "int",
        "needs_review": "int",
        "snoozed": "int",
        "contradicted": "int",
        "escalated": "int",
        "unconfirmed": "int",
        "surplus": "int",
        "past_deadline": "int",
        "oldest": "dict[str, Any] | None",
    },
)

CreationStatistics = TypedDict(
    "CreationStatistics",
    {
        "object": "str",
        "livemode": "bool",
        "interval": "str",
        "from": "str",
        "to": "str",
        "total": "dict[str, Any]",
        "data": "list[dict[str, Any]]",
    },
)

ReconciliationStatistics = TypedDict(
    "ReconciliationStatistics",
    {
        "object": "str",
        "livemode": "bool",
        "interval": "str",
        "from": "str",
        "to": "str",
        "data": "list[dict[str, Any]]",
        "durations": "dict[str, Any]",
    },
)

CourierStatistics = TypedDict(
    "CourierStatistics",
    {
        "object": "str",
        "livemode": "bool",
        "interval": "str",
        "from": "str",
        "to": "str",
        "couriers": "list[dict[str, Any]]",
    },
)

WebhookStatistics = TypedDict(
    "WebhookStatistics",
    {
        "object": "str",
        "livemode": "bool",
        "interval": "str",
        "from": "str",
        "to": "str",
        "endpoints": "list[dict[str, Any]]",
    },
)

Request = TypedDict(
    "Request",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str | None",
        "key_id": "str",
        "method": "str",
        "route": "str",
        "status": "int",
        "reason": "str | None",
        "outcome": "str | None",
        "duration_ms": "int",
        "represents": "float",
        "created_at": "str",
    },
)

Search = TypedDict(
    "Search",
    {
        "object": "str",
        "livemode": "bool",
        "data": "list[dict[str, Any]]",
        "has_more": "bool",
    },
)

SandboxScenario = TypedDict(
    "SandboxScenario",
    {
        "number": "int",
        "name": "str",
        "summary": "str",
        "steps": "list[str]",
        "ends": "str",
        "calls": "list[dict[str, Any]]",
        "expected": "dict[str, Any]",
        "billing": "dict[str, Any]",
    },
)

SandboxClock = TypedDict(
    "SandboxClock",
    {
        "object": "str",
        "workspace_id": "str",
        "livemode": "bool",
        "now": "str",
        "advancing_to": "str | None",
        "advance": "dict[str, Any] | None",
    },
)

Health = TypedDict(
    "Health",
    {
        "object": "str",
        "livemode": "bool",
        "status": "str",
        "database": "str",
        "unwritable_files": "list[dict[str, Any]]",
        "ledger": "dict[str, Any]",
        "projections": "list[dict[str, Any]]",
        "operations": "list[dict[str, Any]]",
        "couriers": "list[dict[str, Any]]",
        "oldest_undelivered": "dict[str, Any] | None",
        "deliveries": "dict[str, Any]",
        "webhook_endpoints": "dict[str, Any]",
        "witnesses": "list[dict[str, Any]]",
    },
)

BatchCheck = TypedDict(
    "BatchCheck",
    {
        "object": "str",
        "file": "SheetFile | None",
        "columns": "list[SheetColumn]",
        "lines": "int",
        "good": "int",
        "errors": "list[SheetError]",
        "more_errors": "int",
        "sample": "list[SheetLine]",
        "over_quota": "int",
        "totals": "dict[str, Any]",
    },
)

SheetFile = TypedDict(
    "SheetFile",
    {
        "charset": "str",
        "separator": "str",
    },
)

SheetColumn = TypedDict(
    "SheetColumn",
    {
        "header": "str",
        "field": "str | None",
        "unit": "str | None",
    },
)

SheetError = TypedDict(
    "SheetError",
    {
        "line": "int",
        "column": "str | None",
        "external_reference": "str | None",
        "guide_number": "str | None",
        "pointer": "str",
        "value": "str | None",
        "reason": "str",
        "detail": "str",
        "suggestions": "list[SheetSuggestion]",
    },
)

SheetSuggestion = TypedDict(
    "SheetSuggestion",
    {
        "value": "str",
        "label": "str",
    },
)

SheetLine = TypedDict(
    "SheetLine",
    {
        "line": "int",
        "fields": "dict[str, Any]",
    },
)

Batch = TypedDict(
    "Batch",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "external_reference": "str",
        "status": "str",
        "result": "str | None",
        "total": "int",
        "counts": "dict[str, Any]",
        "reasons": "dict[str, Any]",
        "created_at": "str",
        "cancelled_at": "str | None",
        "ended_at": "str | None",
    },
)

BatchItem = TypedDict(
    "BatchItem",
    {
        "object": "str",
        "line": "int",
        "key": "str | None",
        "state": "str",
        "shipment_id": "str | None",
        "external_reference": "str | None",
        "error": "Problem | None",
    },
)

CourierInvoiceCheck = TypedDict(
    "CourierInvoiceCheck",
    {
        "object": "str",
        "file": "SheetFile | None",
        "columns": "list[SheetColumn]",
        "lines": "int",
        "good": "int",
        "errors": "list[SheetError]",
        "more_errors": "int",
        "sample": "list[SheetLine]",
        "totals": "dict[str, Any]",
        "set_aside": "list[dict[str, Any]]",
        "more_set_aside": "int",
    },
)

CourierInvoice = TypedDict(
    "CourierInvoice",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "reference": "str",
        "period": "dict[str, Any] | None",
        "version": "int",
        "status": "str",
        "total": "int",
        "invalid_lines": "int",
        "compared_lines": "int",
        "totals": "list[dict[str, Any]]",
        "amounts": "list[dict[str, Any]]",
        "decisions": "dict[str, Any]",
        "ledger_position": "str | None",
        "compared_at": "str | None",
        "withdrawn_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
    },
)

CourierInvoiceLine = TypedDict(
    "CourierInvoiceLine",
    {
        "object": "str",
        "line": "int",
        "guide_number": "str",
        "amount": "int",
        "currency": "str",
        "weight_kg": "float | None",
        "date": "str | None",
        "client_reference": "str | None",
        "finding": "str | None",
        "shipment_id": "str | None",
        "shipment_version": "int | None",
        "expected": "dict[str, Any] | None",
        "at_stake": "int | None",
        "billed_before": "dict[str, Any] | None",
        "billing": "dict[str, Any] | None",
        "decision": "dict[str, Any] | None",
    },
)

BilledLine = TypedDict(
    "BilledLine",
    {
        "object": "str",
        "line": "int",
        "guide_number": "str",
        "amount": "int",
        "currency": "str",
        "weight_kg": "float | None",
        "date": "str | None",
        "client_reference": "str | None",
        "finding": "str | None",
        "shipment_id": "str | None",
        "shipment_version": "int | None",
        "expected": "dict[str, Any] | None",
        "at_stake": "int | None",
        "billed_before": "dict[str, Any] | None",
        "billing": "dict[str, Any] | None",
        "decision": "dict[str, Any] | None",
        "courier_invoice_id": "str",
        "reference": "str",
        "version": "int",
    },
)

InvalidInvoiceLine = TypedDict(
    "InvalidInvoiceLine",
    {
        "object": "str",
        "line": "int",
        "guide_number": "str | None",
        "text": "str | None",
        "errors": "list[InvalidInvoiceLineError]",
    },
)

InvalidInvoiceLineError = TypedDict(
    "InvalidInvoiceLineError",
    {
        "column": "str | None",
        "pointer": "str",
        "value": "str | None",
        "reason": "str",
        "detail": "str",
    },
)

UnbilledGuide = TypedDict(
    "UnbilledGuide",
    {
        "object": "str",
        "guide_number": "str",
        "shipment_id": "str",
        "status": "str",
        "expected": "dict[str, Any]",
        "created_at": "str",
    },
)

WebhookPayload = TypedDict(
    "WebhookPayload",
    {
        "id": "str",
        "type": "str",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "dict[str, Any]",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
    },
)
