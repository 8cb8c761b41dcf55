# Generated from docs/openapi.json by `npm run generate`.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union

QuoteRequestOrigin = TypedDict(
    "QuoteRequestOrigin",
    {
        "agency_id": "NotRequired[str]",
        "agency_ids": "NotRequired[list[str]]",
    },
)

QuoteRequestDestination = TypedDict(
    "QuoteRequestDestination",
    {
        "agency_id": "NotRequired[str]",
        "agency_ids": "NotRequired[list[str]]",
    },
)

QuoteRequestPackage = TypedDict(
    "QuoteRequestPackage",
    {
        "product_id": "NotRequired[str]",
        "quantity": "int",
        "weight_kg": "float",
        "height_m": "float",
        "length_m": "float",
        "width_m": "float",
        "product_ids": "NotRequired[list[str]]",
    },
)

QuoteRequestService = TypedDict(
    "QuoteRequestService",
    {
        "mode": "Literal['terrestrial', 'air']",
        "payer": "Literal['sender', 'recipient']",
    },
)

QuoteRequestDeclared_value = TypedDict(
    "QuoteRequestDeclared_value",
    {
        "amount": "int",
        "currency": "str",
    },
)

QuoteRequestCash_on_delivery = TypedDict(
    "QuoteRequestCash_on_delivery",
    {
        "amount": "int",
        "currency": "str",
    },
)

QuoteRequest = TypedDict(
    "QuoteRequest",
    {
        "workspace_id": "str",
        "courier_connection_id": "NotRequired[str | None]",
        "courier_connection_ids": "NotRequired[list[str] | None]",
        "origin": "QuoteRequestOrigin",
        "destination": "QuoteRequestDestination",
        "package": "QuoteRequestPackage",
        "service": "NotRequired[QuoteRequestService | None]",
        "declared_value": "NotRequired[QuoteRequestDeclared_value | None]",
        "cash_on_delivery": "NotRequired[QuoteRequestCash_on_delivery | None]",
    },
)

ShipmentRequestOrigin = TypedDict(
    "ShipmentRequestOrigin",
    {
        "agency_id": "str",
    },
)

ShipmentRequestDestination = TypedDict(
    "ShipmentRequestDestination",
    {
        "agency_id": "str",
    },
)

ShipmentRequestPackage = TypedDict(
    "ShipmentRequestPackage",
    {
        "product_id": "str",
        "quantity": "int",
        "weight_kg": "float",
        "height_m": "float",
        "length_m": "float",
        "width_m": "float",
    },
)

ShipmentRequestService = TypedDict(
    "ShipmentRequestService",
    {
        "mode": "Literal['terrestrial', 'air']",
        "payer": "Literal['sender', 'recipient']",
    },
)

ShipmentRequestRecipient = TypedDict(
    "ShipmentRequestRecipient",
    {
        "document_type": "Literal['DNI', 'CE', 'RUC', 'PASSPORT']",
        "document": "str",
        "first_name": "str",
        "last_name": "str",
        "phone": "NotRequired[str]",
        "email": "NotRequired[str]",
    },
)

ShipmentRequestDeclared_value = TypedDict(
    "ShipmentRequestDeclared_value",
    {
        "amount": "int",
        "currency": "str",
    },
)

ShipmentRequestCash_on_delivery = TypedDict(
    "ShipmentRequestCash_on_delivery",
    {
        "amount": "int",
        "currency": "str",
    },
)

ShipmentRequest = TypedDict(
    "ShipmentRequest",
    {
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "origin": "ShipmentRequestOrigin",
        "destination": "ShipmentRequestDestination",
        "package": "ShipmentRequestPackage",
        "service": "ShipmentRequestService",
        "declared_content": "str",
        "recipient": "ShipmentRequestRecipient",
        "metadata": "NotRequired[dict[str, str] | None]",
        "quote_id": "NotRequired[str | None]",
        "declared_value": "NotRequired[ShipmentRequestDeclared_value | None]",
        "cash_on_delivery": "NotRequired[ShipmentRequestCash_on_delivery | None]",
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

BatchLineOrigin = TypedDict(
    "BatchLineOrigin",
    {
        "agency_id": "str",
    },
)

BatchLineDestination = TypedDict(
    "BatchLineDestination",
    {
        "agency_id": "str",
    },
)

BatchLinePackage = TypedDict(
    "BatchLinePackage",
    {
        "product_id": "str",
        "quantity": "int",
        "weight_kg": "float",
        "height_m": "float",
        "length_m": "float",
        "width_m": "float",
    },
)

BatchLineService = TypedDict(
    "BatchLineService",
    {
        "mode": "Literal['terrestrial', 'air']",
        "payer": "Literal['sender', 'recipient']",
    },
)

BatchLineRecipient = TypedDict(
    "BatchLineRecipient",
    {
        "document_type": "Literal['DNI', 'CE', 'RUC', 'PASSPORT']",
        "document": "str",
        "first_name": "str",
        "last_name": "str",
        "phone": "NotRequired[str]",
        "email": "NotRequired[str]",
    },
)

BatchLineDeclared_value = TypedDict(
    "BatchLineDeclared_value",
    {
        "amount": "int",
        "currency": "str",
    },
)

BatchLineCash_on_delivery = TypedDict(
    "BatchLineCash_on_delivery",
    {
        "amount": "int",
        "currency": "str",
    },
)

BatchLine = TypedDict(
    "BatchLine",
    {
        "idempotency_key": "NotRequired[str]",
        "workspace_id": "NotRequired[str]",
        "courier_connection_id": "NotRequired[str]",
        "external_reference": "str",
        "origin": "BatchLineOrigin",
        "destination": "BatchLineDestination",
        "package": "BatchLinePackage",
        "service": "BatchLineService",
        "declared_content": "str",
        "recipient": "BatchLineRecipient",
        "metadata": "NotRequired[dict[str, str] | None]",
        "quote_id": "NotRequired[str | None]",
        "declared_value": "NotRequired[BatchLineDeclared_value | None]",
        "cash_on_delivery": "NotRequired[BatchLineCash_on_delivery | None]",
    },
)

CourierInvoiceRequestPeriod = TypedDict(
    "CourierInvoiceRequestPeriod",
    {
        "from": "str",
        "to": "str",
    },
)

CourierInvoiceRequest = TypedDict(
    "CourierInvoiceRequest",
    {
        "courier_connection_id": "str",
        "reference": "str",
        "period": "NotRequired[CourierInvoiceRequestPeriod | None]",
        "lines": "list[CourierInvoiceRequestLine]",
    },
)

CourierInvoiceRequestLine = TypedDict(
    "CourierInvoiceRequestLine",
    {
        "kind": "NotRequired[Literal['charge', 'cash_on_delivery'] | None]",
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
        "label_format": "dict[str, Any] | None",
        "legal_hold": "dict[str, Any] | None",
        "tracking_page": "dict[str, Any]",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

Problem: TypeAlias = Union[
    "OperationProblem",
    "ValidationProblem",
    "OtherProblem",
]

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
        "credential_fields": "list[CredentialField] | None",
    },
)

CredentialField = TypedDict(
    "CredentialField",
    {
        "name": "str",
        "label": "str",
        "secret": "bool",
        "required": "bool",
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
        "name": "str | None",
        "role": "str",
        "scopes": "list[str]",
        "last4": "str",
        "from_sign_in": "bool",
        "replaced_by_key_id": "str | None",
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
        "name": "str | None",
        "role": "str",
        "scopes": "list[str]",
        "last4": "str",
        "from_sign_in": "bool",
        "replaced_by_key_id": "str | None",
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
        "subject": "str | None",
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
        "subject": "str | None",
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

WebhookEvent: TypeAlias = Union[
    "ShipmentWebhookEvent",
    "OperationWebhookEvent",
    "TrackingWebhookEvent",
    "ConnectionWebhookEvent",
    "EndpointWebhookEvent",
    "QuotaWebhookEvent",
    "BatchWebhookEvent",
    "InvoiceWebhookEvent",
    "AlertWebhookEvent",
]

Quote = TypedDict(
    "Quote",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str | None",
        "courier_connection_ids": "list[str]",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any] | None",
        "declared_value": "Money | None",
        "cash_on_delivery": "Money | None",
        "status": "str",
        "rates": "list[dict[str, Any]]",
        "errors": "list[dict[str, Any]]",
        "sandbox_scenario": "str | None",
        "expires_at": "str",
        "created_at": "str",
    },
)

Shipment: TypeAlias = Union[
    "ShipmentWithGuide",
    "ShipmentWithoutGuide",
    "ShipmentNotExecuted",
    "ShipmentOfUnknownOutcome",
]

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
        "tracking_url": "str | None",
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
        "kind": "str",
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
        "kind": "str",
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
        "kind": "str",
        "expected": "dict[str, Any]",
        "created_at": "str",
    },
)

Alert = TypedDict(
    "Alert",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "state": "str",
        "subject": "dict[str, Any]",
        "shipment_id": "str | None",
        "reason": "str | None",
        "since": "str",
        "resolved_at": "str | None",
        "version": "int",
    },
)

Quota = TypedDict(
    "Quota",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "metric": "str",
        "period": "str",
        "percent": "int",
        "used": "int",
        "limit": "int",
    },
)

TrackingUpdate = TypedDict(
    "TrackingUpdate",
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
        "tracking_url": "str | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
        "events_omitted": "int",
    },
)

ParkedConnection = TypedDict(
    "ParkedConnection",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "provider_code": "str",
        "display_name": "str | None",
        "status": "str",
        "verified_at": "str | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

DisabledEndpoint = TypedDict(
    "DisabledEndpoint",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "url": "str | None",
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

ShipmentChanges = TypedDict(
    "ShipmentChanges",
    {
        "id": "NotRequired[str]",
        "object": "NotRequired[str]",
        "livemode": "NotRequired[bool]",
        "workspace_id": "NotRequired[str]",
        "courier_connection_id": "NotRequired[str]",
        "external_reference": "NotRequired[str]",
        "idempotency_key": "NotRequired[str]",
        "status": "NotRequired[str]",
        "failure": "NotRequired[dict[str, Any] | None]",
        "guide_number": "NotRequired[str | None]",
        "pickup_code": "NotRequired[str | None]",
        "operation_id": "NotRequired[str | None]",
        "origin": "NotRequired[dict[str, Any]]",
        "destination": "NotRequired[dict[str, Any]]",
        "package": "NotRequired[dict[str, Any]]",
        "service": "NotRequired[dict[str, Any]]",
        "declared_content": "NotRequired[str | None]",
        "recipient": "NotRequired[dict[str, Any] | None]",
        "quote_id": "NotRequired[str | None]",
        "declared_value": "NotRequired[Money | None]",
        "cash_on_delivery": "NotRequired[Money | None]",
        "price": "NotRequired[Money | None]",
        "label": "NotRequired[dict[str, Any]]",
        "tracking": "NotRequired[dict[str, Any]]",
        "tracking_url": "NotRequired[str | None]",
        "metadata": "NotRequired[dict[str, Any] | None]",
        "sandbox_scenario": "NotRequired[str | None]",
        "legal_hold": "NotRequired[dict[str, Any] | None]",
        "created_at": "NotRequired[str]",
    },
)

ShipmentWebhookData = TypedDict(
    "ShipmentWebhookData",
    {
        "object": "Shipment",
    },
)

ShipmentWebhook = TypedDict(
    "ShipmentWebhook",
    {
        "id": "str",
        "type": "Literal['shipment.created', 'shipment.reconciled', 'shipment.rejected', 'shipment.outcome_unknown', 'shipment.cancelled', 'label.ready']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "ShipmentWebhookData",
        "previous": "ShipmentChanges | None",
        "request_id": "str | None",
    },
)

ShipmentWebhookEventData = TypedDict(
    "ShipmentWebhookEventData",
    {
        "object": "Shipment",
    },
)

ShipmentWebhookEvent = TypedDict(
    "ShipmentWebhookEvent",
    {
        "id": "str",
        "type": "Literal['shipment.created', 'shipment.reconciled', 'shipment.rejected', 'shipment.outcome_unknown', 'shipment.cancelled', 'label.ready']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "ShipmentWebhookEventData",
        "previous": "ShipmentChanges | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

OperationChanges = TypedDict(
    "OperationChanges",
    {
        "id": "NotRequired[str]",
        "object": "NotRequired[str]",
        "livemode": "NotRequired[bool]",
        "type": "NotRequired[str]",
        "status": "NotRequired[str]",
        "result": "NotRequired[str | None]",
        "cause": "NotRequired[str | None]",
        "shipment_id": "NotRequired[str]",
        "workspace_id": "NotRequired[str]",
        "external_reference": "NotRequired[str]",
        "courier_connection_id": "NotRequired[str]",
        "provider_code": "NotRequired[str]",
        "destination": "NotRequired[dict[str, Any]]",
        "amount": "NotRequired[Money | None]",
        "next_look_at": "NotRequired[str | None]",
        "settle_until": "NotRequired[str]",
        "deadline_at": "NotRequired[str]",
        "resolution": "NotRequired[dict[str, Any] | None]",
        "surplus_guide_numbers": "NotRequired[list[str]]",
        "reason_for_review": "NotRequired[dict[str, Any] | None]",
        "assignee": "NotRequired[dict[str, Any] | None]",
        "snoozed_until": "NotRequired[str | None]",
        "comment_count": "NotRequired[int]",
        "contradicted": "NotRequired[bool]",
        "escalated": "NotRequired[bool]",
        "created_at": "NotRequired[str]",
    },
)

OperationWebhookData = TypedDict(
    "OperationWebhookData",
    {
        "object": "Operation",
    },
)

OperationWebhook = TypedDict(
    "OperationWebhook",
    {
        "id": "str",
        "type": "Literal['operation.needs_review', 'operation.resolved', 'operation.contradicted']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "OperationWebhookData",
        "previous": "OperationChanges | None",
        "request_id": "str | None",
    },
)

OperationWebhookEventData = TypedDict(
    "OperationWebhookEventData",
    {
        "object": "Operation",
    },
)

OperationWebhookEvent = TypedDict(
    "OperationWebhookEvent",
    {
        "id": "str",
        "type": "Literal['operation.needs_review', 'operation.resolved', 'operation.contradicted']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "OperationWebhookEventData",
        "previous": "OperationChanges | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

TrackingUpdateChanges = TypedDict(
    "TrackingUpdateChanges",
    {
        "id": "NotRequired[str]",
        "object": "NotRequired[str]",
        "livemode": "NotRequired[bool]",
        "shipment_id": "NotRequired[str]",
        "status": "NotRequired[str | None]",
        "phase": "NotRequired[str | None]",
        "sub_status": "NotRequired[str | None]",
        "exception": "NotRequired[TrackingException | None]",
        "eta": "NotRequired[str | None]",
        "anomalies": "NotRequired[list[dict[str, Any]]]",
        "monitoring": "NotRequired[dict[str, Any]]",
        "tracking_url": "NotRequired[str | None]",
        "created_at": "NotRequired[str]",
    },
)

TrackingWebhookData = TypedDict(
    "TrackingWebhookData",
    {
        "object": "TrackingUpdate",
    },
)

TrackingWebhook = TypedDict(
    "TrackingWebhook",
    {
        "id": "str",
        "type": "Literal['tracking.updated', 'tracking.delivered', 'tracking.returned', 'tracking.lost', 'tracking.exception_raised', 'tracking.exception_resolved']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "TrackingWebhookData",
        "previous": "TrackingUpdateChanges | None",
        "request_id": "str | None",
    },
)

TrackingWebhookEventData = TypedDict(
    "TrackingWebhookEventData",
    {
        "object": "TrackingUpdate",
    },
)

TrackingWebhookEvent = TypedDict(
    "TrackingWebhookEvent",
    {
        "id": "str",
        "type": "Literal['tracking.updated', 'tracking.delivered', 'tracking.returned', 'tracking.lost', 'tracking.exception_raised', 'tracking.exception_resolved']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "TrackingWebhookEventData",
        "previous": "TrackingUpdateChanges | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

ParkedConnectionChanges = TypedDict(
    "ParkedConnectionChanges",
    {
        "status": "NotRequired[str]",
    },
)

ConnectionWebhookData = TypedDict(
    "ConnectionWebhookData",
    {
        "object": "ParkedConnection",
    },
)

ConnectionWebhook = TypedDict(
    "ConnectionWebhook",
    {
        "id": "str",
        "type": "Literal['connection.needs_reauth']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "ConnectionWebhookData",
        "previous": "ParkedConnectionChanges | None",
        "request_id": "str | None",
    },
)

ConnectionWebhookEventData = TypedDict(
    "ConnectionWebhookEventData",
    {
        "object": "ParkedConnection",
    },
)

ConnectionWebhookEvent = TypedDict(
    "ConnectionWebhookEvent",
    {
        "id": "str",
        "type": "Literal['connection.needs_reauth']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "ConnectionWebhookEventData",
        "previous": "ParkedConnectionChanges | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

DisabledEndpointChanges = TypedDict(
    "DisabledEndpointChanges",
    {
        "status": "NotRequired[str]",
        "disabled_reason": "NotRequired[str | None]",
    },
)

EndpointWebhookData = TypedDict(
    "EndpointWebhookData",
    {
        "object": "DisabledEndpoint",
    },
)

EndpointWebhook = TypedDict(
    "EndpointWebhook",
    {
        "id": "str",
        "type": "Literal['webhook_endpoint.disabled']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "EndpointWebhookData",
        "previous": "DisabledEndpointChanges | None",
        "request_id": "str | None",
    },
)

EndpointWebhookEventData = TypedDict(
    "EndpointWebhookEventData",
    {
        "object": "DisabledEndpoint",
    },
)

EndpointWebhookEvent = TypedDict(
    "EndpointWebhookEvent",
    {
        "id": "str",
        "type": "Literal['webhook_endpoint.disabled']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "EndpointWebhookEventData",
        "previous": "DisabledEndpointChanges | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

AlertChanges = TypedDict(
    "AlertChanges",
    {
        "state": "NotRequired[str]",
        "resolved_at": "NotRequired[str | None]",
    },
)

AlertWebhookData = TypedDict(
    "AlertWebhookData",
    {
        "object": "Alert",
    },
)

AlertWebhook = TypedDict(
    "AlertWebhook",
    {
        "id": "str",
        "type": "Literal['alert.review_needed', 'alert.contradicted', 'alert.endpoint_failing', 'alert.courier_unreachable', 'alert.projection_stopped', 'alert.ledger_damaged', 'alert.witness_silent']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "AlertWebhookData",
        "previous": "AlertChanges | None",
        "request_id": "str | None",
    },
)

AlertWebhookEventData = TypedDict(
    "AlertWebhookEventData",
    {
        "object": "Alert",
    },
)

AlertWebhookEvent = TypedDict(
    "AlertWebhookEvent",
    {
        "id": "str",
        "type": "Literal['alert.review_needed', 'alert.contradicted', 'alert.endpoint_failing', 'alert.courier_unreachable', 'alert.projection_stopped', 'alert.ledger_damaged', 'alert.witness_silent']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "AlertWebhookEventData",
        "previous": "AlertChanges | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

InvoiceWebhookData = TypedDict(
    "InvoiceWebhookData",
    {
        "object": "CourierInvoice",
    },
)

InvoiceWebhook = TypedDict(
    "InvoiceWebhook",
    {
        "id": "str",
        "type": "Literal['courier_invoice.compared']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "InvoiceWebhookData",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
    },
)

InvoiceWebhookEventData = TypedDict(
    "InvoiceWebhookEventData",
    {
        "object": "CourierInvoice",
    },
)

InvoiceWebhookEvent = TypedDict(
    "InvoiceWebhookEvent",
    {
        "id": "str",
        "type": "Literal['courier_invoice.compared']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "InvoiceWebhookEventData",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

BatchWebhookData = TypedDict(
    "BatchWebhookData",
    {
        "object": "Batch",
    },
)

BatchWebhook = TypedDict(
    "BatchWebhook",
    {
        "id": "str",
        "type": "Literal['batch.completed']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "BatchWebhookData",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
    },
)

BatchWebhookEventData = TypedDict(
    "BatchWebhookEventData",
    {
        "object": "Batch",
    },
)

BatchWebhookEvent = TypedDict(
    "BatchWebhookEvent",
    {
        "id": "str",
        "type": "Literal['batch.completed']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "BatchWebhookEventData",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

QuotaWebhookData = TypedDict(
    "QuotaWebhookData",
    {
        "object": "Quota",
    },
)

QuotaWebhook = TypedDict(
    "QuotaWebhook",
    {
        "id": "str",
        "type": "Literal['quota.threshold_reached']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "QuotaWebhookData",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
    },
)

QuotaWebhookEventData = TypedDict(
    "QuotaWebhookEventData",
    {
        "object": "Quota",
    },
)

QuotaWebhookEvent = TypedDict(
    "QuotaWebhookEvent",
    {
        "id": "str",
        "type": "Literal['quota.threshold_reached']",
        "timestamp": "str",
        "api_version": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "sequence": "int | None",
        "resource": "dict[str, Any]",
        "data": "QuotaWebhookEventData",
        "previous": "dict[str, Any] | None",
        "request_id": "str | None",
        "object": "str",
        "created_at": "str",
    },
)

WebhookPayload: TypeAlias = Union[
    "ShipmentWebhook",
    "OperationWebhook",
    "TrackingWebhook",
    "ConnectionWebhook",
    "EndpointWebhook",
    "QuotaWebhook",
    "BatchWebhook",
    "InvoiceWebhook",
    "AlertWebhook",
]

ShipmentWithGuide = TypedDict(
    "ShipmentWithGuide",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "idempotency_key": "str",
        "status": "Literal['created', 'cancelling', 'cancelled']",
        "failure": "dict[str, Any] | None",
        "guide_number": "str",
        "pickup_code": "str | None",
        "operation_id": "str | None",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any]",
        "declared_content": "str | None",
        "recipient": "dict[str, Any] | None",
        "quote_id": "str | None",
        "declared_value": "Money | None",
        "cash_on_delivery": "Money | None",
        "price": "Money | None",
        "label": "dict[str, Any]",
        "tracking": "dict[str, Any]",
        "tracking_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "sandbox_scenario": "str | None",
        "legal_hold": "dict[str, Any] | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

ShipmentWithoutGuide = TypedDict(
    "ShipmentWithoutGuide",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "idempotency_key": "str",
        "status": "Literal['creating', 'not_created']",
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
        "declared_value": "Money | None",
        "cash_on_delivery": "Money | None",
        "price": "Money | None",
        "label": "dict[str, Any]",
        "tracking": "dict[str, Any]",
        "tracking_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "sandbox_scenario": "str | None",
        "legal_hold": "dict[str, Any] | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

ShipmentNotExecuted = TypedDict(
    "ShipmentNotExecuted",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "idempotency_key": "str",
        "status": "Literal['rejected', 'not_executed']",
        "failure": "dict[str, Any]",
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
        "declared_value": "Money | None",
        "cash_on_delivery": "Money | None",
        "price": "Money | None",
        "label": "dict[str, Any]",
        "tracking": "dict[str, Any]",
        "tracking_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "sandbox_scenario": "str | None",
        "legal_hold": "dict[str, Any] | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

ShipmentOfUnknownOutcome = TypedDict(
    "ShipmentOfUnknownOutcome",
    {
        "id": "str",
        "object": "str",
        "livemode": "bool",
        "workspace_id": "str",
        "courier_connection_id": "str",
        "external_reference": "str",
        "idempotency_key": "str",
        "status": "Literal['unknown_outcome']",
        "failure": "dict[str, Any] | None",
        "guide_number": "str | None",
        "pickup_code": "str | None",
        "operation_id": "str",
        "origin": "dict[str, Any]",
        "destination": "dict[str, Any]",
        "package": "dict[str, Any]",
        "service": "dict[str, Any]",
        "declared_content": "str | None",
        "recipient": "dict[str, Any] | None",
        "quote_id": "str | None",
        "declared_value": "Money | None",
        "cash_on_delivery": "Money | None",
        "price": "Money | None",
        "label": "dict[str, Any]",
        "tracking": "dict[str, Any]",
        "tracking_url": "str | None",
        "metadata": "dict[str, Any] | None",
        "sandbox_scenario": "str | None",
        "legal_hold": "dict[str, Any] | None",
        "created_at": "str",
        "updated_at": "str",
        "version": "int",
    },
)

OperationProblem = TypedDict(
    "OperationProblem",
    {
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "instance": "str",
        "reason": "Literal['unknown_outcome', 'nothing_created', 'not_cancelled', 'operation_open']",
        "outcome": "NotRequired[str]",
        "retryable": "bool",
        "action": "str",
        "request_id": "str",
        "operation_id": "str",
        "shipment_id": "str",
        "shipment_version": "NotRequired[int]",
        "price": "NotRequired[Money]",
        "errors": "NotRequired[list[dict[str, Any]]]",
    },
)

ValidationProblem = TypedDict(
    "ValidationProblem",
    {
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "instance": "str",
        "reason": "Literal['validation_failed']",
        "outcome": "NotRequired[str]",
        "retryable": "bool",
        "action": "str",
        "request_id": "str",
        "operation_id": "NotRequired[str]",
        "shipment_id": "NotRequired[str]",
        "shipment_version": "NotRequired[int]",
        "price": "NotRequired[Money]",
        "errors": "list[dict[str, Any]]",
    },
)

OtherProblem = TypedDict(
    "OtherProblem",
    {
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "instance": "str",
        "reason": "Literal['unauthenticated', 'forbidden_scope', 'not_found', 'method_not_allowed', 'not_acceptable', 'invalid_json', 'unsupported_media_type', 'body_too_large', 'headers_too_large', 'request_timeout', 'invalid_request', 'invalid_filter', 'invalid_cursor', 'rate_limited', 'quota_exceeded', 'plan_limit_reached', 'limit_reached', 'organization_suspended', 'precondition_failed', 'internal_error', 'idempotency_key_missing', 'idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_flight', 'resource_deleted', 'shipment_not_cancellable', 'courier_rejected', 'courier_not_available', 'not_supported_by_courier', 'connection_needs_reauth', 'connection_disabled', 'connection_in_use', 'courier_unreachable', 'courier_throttled', 'dependency_unavailable', 'ledger_damaged', 'overloaded', 'quote_expired', 'quote_mismatch', 'quote_price_changed', 'label_not_ready', 'label_unreadable', 'shipment_has_no_guide', 'personal_data_erased', 'legal_hold', 'evidence_too_large', 'papers_too_large', 'endpoint_disabled', 'webhook_endpoint_deleted', 'delivery_attempts_exhausted', 'operation_not_settled', 'invoice_comparing', 'invoice_not_ready', 'invoice_withdrawn', 'operation_already_resolved', 'invoice_line_changed', 'operation_full', 'guide_unconfirmed', 'operator_not_yours', 'key_not_rollable', 'guide_not_found', 'scenario_conflict', 'sandbox_only', 'unknown_scenario', 'clock_advancing']",
        "outcome": "NotRequired[str]",
        "retryable": "bool",
        "action": "str",
        "request_id": "str",
        "operation_id": "NotRequired[str]",
        "shipment_id": "NotRequired[str]",
        "shipment_version": "NotRequired[int]",
        "price": "NotRequired[Money]",
        "errors": "NotRequired[list[dict[str, Any]]]",
    },
)

CreateWorkspaceLabel_format = TypedDict(
    "CreateWorkspaceLabel_format",
    {
        "format": "NotRequired[Literal['pdf', 'png', 'zpl']]",
        "size": "NotRequired[Literal['a6', 'a4', '4x6', '80mm']]",
        "dpi": "NotRequired[float]",
        "caption": "NotRequired[bool]",
    },
)

CreateWorkspaceTracking_page = TypedDict(
    "CreateWorkspaceTracking_page",
    {
        "enabled": "NotRequired[bool]",
        "shop_name": "NotRequired[str | None]",
        "support_url": "NotRequired[str | None]",
        "accent": "NotRequired[str | None]",
    },
)

UpdateWorkspaceLabel_format = TypedDict(
    "UpdateWorkspaceLabel_format",
    {
        "format": "NotRequired[Literal['pdf', 'png', 'zpl']]",
        "size": "NotRequired[Literal['a6', 'a4', '4x6', '80mm']]",
        "dpi": "NotRequired[float]",
        "caption": "NotRequired[bool]",
    },
)

UpdateWorkspaceTracking_page = TypedDict(
    "UpdateWorkspaceTracking_page",
    {
        "enabled": "NotRequired[bool]",
        "shop_name": "NotRequired[str | None]",
        "support_url": "NotRequired[str | None]",
        "accent": "NotRequired[str | None]",
    },
)

CreateCourierConnectionCredentials = TypedDict(
    "CreateCourierConnectionCredentials",
    {
        "username": "NotRequired[str]",
        "password": "NotRequired[str]",
    },
)

UpdateCourierConnectionCredentials = TypedDict(
    "UpdateCourierConnectionCredentials",
    {
        "username": "NotRequired[str]",
        "password": "NotRequired[str]",
    },
)

DecideCourierInvoiceLineSeen = TypedDict(
    "DecideCourierInvoiceLineSeen",
    {
        "version": "int",
        "finding": "Literal['matched', 'amount_differs', 'weight_differs', 'billed_twice', 'cancelled_guide', 'nothing_created', 'unknown_guide', 'unresolved', 'part_of']",
        "decided_at": "str | None",
    },
)
