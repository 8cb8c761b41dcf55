# Generated from docs/openapi.json by `npm run generate`.
from __future__ import annotations

from collections.abc import Callable
from typing import Any, List, Literal

from . import _types as types
from ._pages import Pages
from ._transport import Retry


class _Omitted:
    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Any = _Omitted()

Send = Callable[..., Any]


class Workspaces:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        name: str,
        external_reference: str,
        personal_data_retention_days: int | None = OMITTED,
        label_format: types.CreateWorkspaceLabel_format | None = OMITTED,
        tracking_page: types.CreateWorkspaceTracking_page = OMITTED,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Workspace:
        """Create a workspace, once for each external_reference."""
        return self._send(
            "POST",
            "/v1/workspaces",
            "json",
            {
                "name": name,
                "external_reference": external_reference,
                "personal_data_retention_days": personal_data_retention_days,
                "label_format": label_format,
                "tracking_page": tracking_page,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        external_reference: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Workspace]:
        """List workspaces, newest first."""
        return self._send(
            "GET",
            "/v1/workspaces",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "external_reference": external_reference,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Workspace:
        """Read a workspace."""
        return self._send(
            "GET",
            "/v1/workspaces/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def update(
        self,
        *,
        id: str,
        name: str = OMITTED,
        personal_data_retention_days: int | None = OMITTED,
        label_format: types.UpdateWorkspaceLabel_format | None = OMITTED,
        tracking_page: types.UpdateWorkspaceTracking_page = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Workspace:
        """Rename a workspace, or change its settings."""
        return self._send(
            "PATCH",
            "/v1/workspaces/{id}",
            "json",
            {
                "id": id,
                "name": name,
                "personal_data_retention_days": personal_data_retention_days,
                "label_format": label_format,
                "tracking_page": tracking_page,
            },
            has_body=True,
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def place_hold(
        self,
        *,
        id: str,
        note: str,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Workspace:
        """Put a legal hold on a workspace."""
        return self._send(
            "POST",
            "/v1/workspaces/{id}/hold",
            "json",
            {
                "id": id,
                "note": note,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def lift_hold(
        self,
        *,
        id: str,
        note: str,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Workspace:
        """Lift the legal hold on a workspace."""
        return self._send(
            "POST",
            "/v1/workspaces/{id}/release-hold",
            "json",
            {
                "id": id,
                "note": note,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class CourierConnections:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        workspace_id: str,
        provider_code: str,
        display_name: str,
        credentials: types.CreateCourierConnectionCredentials,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierConnection:
        """Connect a courier account to a workspace."""
        return self._send(
            "POST",
            "/v1/courier-connections",
            "json",
            {
                "workspace_id": workspace_id,
                "provider_code": provider_code,
                "display_name": display_name,
                "credentials": credentials,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        workspace_id: str = OMITTED,
        provider_code: str = OMITTED,
        status: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.CourierConnection]:
        """List courier connections, newest first."""
        return self._send(
            "GET",
            "/v1/courier-connections",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "workspace_id": workspace_id,
                "provider_code": provider_code,
                "status": status,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierConnection:
        """Read a courier connection."""
        return self._send(
            "GET",
            "/v1/courier-connections/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def update(
        self,
        *,
        id: str,
        display_name: str = OMITTED,
        credentials: types.UpdateCourierConnectionCredentials = OMITTED,
        status: Literal['active', 'disabled'] = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierConnection:
        """Rename, rotate the credentials, disable or enable."""
        return self._send(
            "PATCH",
            "/v1/courier-connections/{id}",
            "json",
            {
                "id": id,
                "display_name": display_name,
                "credentials": credentials,
                "status": status,
            },
            has_body=True,
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def delete(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> None:
        """Remove a connection that has no unresolved operation."""
        return self._send(
            "DELETE",
            "/v1/courier-connections/{id}",
            "nothing",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def verify(
        self,
        *,
        id: str,
        scenario: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierConnection:
        """Ask the courier whether it accepts the credentials."""
        return self._send(
            "POST",
            "/v1/courier-connections/{id}/verify",
            "json",
            {
                "id": id,
            },
            scenario=scenario,
            retry=retry,
            timeout=timeout,
        )


class Couriers:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Courier]:
        """List the couriers that this key may use."""
        return self._send(
            "GET",
            "/v1/couriers",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def list_agencies(
        self,
        *,
        courier_connection_id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        search: str = OMITTED,
        department: str = OMITTED,
        province: str = OMITTED,
        district: str = OMITTED,
        capability: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Agency]:
        """Search the agencies of a connection's courier, best match first."""
        return self._send(
            "GET",
            "/v1/agencies",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "courier_connection_id": courier_connection_id,
                "search": search,
                "department": department,
                "province": province,
                "district": district,
                "capability": capability,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_agency(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Agency:
        """Read an agency."""
        return self._send(
            "GET",
            "/v1/agencies/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def list_package_products(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        courier_connection_id: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.PackageProduct]:
        """List the package products of one connection, or of all couriers of this key."""
        return self._send(
            "GET",
            "/v1/package-products",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "courier_connection_id": courier_connection_id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Keys:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(
        self,
        *,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ApiKey:
        """Read this key and its scopes."""
        return self._send(
            "GET",
            "/v1/key",
            "json",
            {
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def create(
        self,
        *,
        name: str | None = OMITTED,
        role: Literal['integration', 'clerk', 'support', 'accountant', 'operator', 'admin', 'custom'] = OMITTED,
        scopes: List[str] = OMITTED,
        workspace_id: str | None = OMITTED,
        expires_at: str | None = OMITTED,
        operator_id: str | None = OMITTED,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ApiKeyWithSecret:
        """Create a key of this mode that may do no more than this one."""
        return self._send(
            "POST",
            "/v1/keys",
            "json",
            {
                "name": name,
                "role": role,
                "scopes": scopes,
                "workspace_id": workspace_id,
                "expires_at": expires_at,
                "operator_id": operator_id,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        from_sign_in: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.ApiKey]:
        """List the organization's keys of this mode, newest first, without their secrets."""
        return self._send(
            "GET",
            "/v1/keys",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "from_sign_in": from_sign_in,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_by_id(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ApiKey:
        """Read one of the organization's keys, without its secret."""
        return self._send(
            "GET",
            "/v1/keys/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def revoke(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ApiKey:
        """Revoke a key, everywhere within 5 seconds."""
        return self._send(
            "DELETE",
            "/v1/keys/{id}",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def roll(
        self,
        *,
        id: str,
        overlap_hours: int = OMITTED,
        expires_at: str | None = OMITTED,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ApiKeyWithSecret:
        """Replace a key: create the next one and let the old one live for a while."""
        return self._send(
            "POST",
            "/v1/keys/{id}/roll",
            "json",
            {
                "id": id,
                "overlap_hours": overlap_hours,
                "expires_at": expires_at,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def get_usage(
        self,
        *,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Usage:
        """Read the plan's limits and their usage, in the mode of the key."""
        return self._send(
            "GET",
            "/v1/usage",
            "json",
            {
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Operators:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        name: str,
        email: str,
        subject: str | None = OMITTED,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operator:
        """Create an operator: a person who decides operations."""
        return self._send(
            "POST",
            "/v1/operators",
            "json",
            {
                "name": name,
                "email": email,
                "subject": subject,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        status: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Operator]:
        """List the organization's operators, newest first."""
        return self._send(
            "GET",
            "/v1/operators",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "status": status,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operator:
        """Read an operator."""
        return self._send(
            "GET",
            "/v1/operators/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def update(
        self,
        *,
        id: str,
        name: str = OMITTED,
        email: str = OMITTED,
        subject: str | None = OMITTED,
        status: Literal['active', 'disabled'] = OMITTED,
        revoke_created_keys: bool = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ChangedOperator:
        """Rename, disable or enable an operator."""
        return self._send(
            "PATCH",
            "/v1/operators/{id}",
            "json",
            {
                "id": id,
                "name": name,
                "email": email,
                "subject": subject,
                "status": status,
                "revoke_created_keys": revoke_created_keys,
            },
            has_body=True,
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class WebhookEndpoints:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        workspace_id: str,
        url: str,
        event_types: List[str],
        description: str | None = OMITTED,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookEndpointWithSecret:
        """Have a workspace's events sent to a URL."""
        return self._send(
            "POST",
            "/v1/webhook-endpoints",
            "json",
            {
                "workspace_id": workspace_id,
                "url": url,
                "description": description,
                "event_types": event_types,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        workspace_id: str = OMITTED,
        status: str = OMITTED,
        health: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.WebhookEndpoint]:
        """List webhook endpoints, newest first."""
        return self._send(
            "GET",
            "/v1/webhook-endpoints",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "workspace_id": workspace_id,
                "status": status,
                "health": health,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookEndpoint:
        """Read a webhook endpoint; its secret is not shown again."""
        return self._send(
            "GET",
            "/v1/webhook-endpoints/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def update(
        self,
        *,
        id: str,
        url: str = OMITTED,
        description: str | None = OMITTED,
        event_types: List[str] = OMITTED,
        status: Literal['enabled', 'disabled'] = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookEndpoint:
        """Change the URL or the subscription, disable or enable."""
        return self._send(
            "PATCH",
            "/v1/webhook-endpoints/{id}",
            "json",
            {
                "id": id,
                "url": url,
                "description": description,
                "event_types": event_types,
                "status": status,
            },
            has_body=True,
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def delete(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> None:
        """Remove an endpoint and discard its pending deliveries."""
        return self._send(
            "DELETE",
            "/v1/webhook-endpoints/{id}",
            "nothing",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def rotate_secret(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookEndpointWithSecret:
        """Give an endpoint a new secret; the previous one also signs for 24 hours."""
        return self._send(
            "POST",
            "/v1/webhook-endpoints/{id}/rotate-secret",
            "json",
            {
                "id": id,
            },
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def test(
        self,
        *,
        id: str,
        type: Literal['shipment.created', 'shipment.reconciled', 'shipment.rejected', 'shipment.outcome_unknown', 'shipment.cancelled', 'label.ready', 'operation.needs_review', 'operation.resolved', 'operation.contradicted', 'tracking.updated', 'tracking.delivered', 'tracking.returned', 'tracking.lost', 'tracking.exception_raised', 'tracking.exception_resolved', 'connection.needs_reauth', 'webhook_endpoint.disabled', 'quota.threshold_reached', 'batch.completed', 'courier_invoice.compared', 'alert.review_needed', 'alert.contradicted', 'alert.endpoint_failing', 'alert.courier_unreachable', 'alert.projection_stopped', 'alert.ledger_damaged', 'alert.witness_silent'],
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookDelivery:
        """Send an example event to this endpoint."""
        return self._send(
            "POST",
            "/v1/webhook-endpoints/{id}/test",
            "json",
            {
                "id": id,
                "type": type,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def recover(
        self,
        *,
        id: str,
        since: str,
        until: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookRecovery:
        """Resend the events of a period that an endpoint missed."""
        return self._send(
            "POST",
            "/v1/webhook-endpoints/{id}/recover",
            "json",
            {
                "id": id,
                "since": since,
                "until": until,
            },
            has_body=True,
            retry=retry,
            timeout=timeout,
        )

    def count_recoverable(
        self,
        *,
        since: str,
        until: str,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookRecoverable:
        """Count the events of a period that an endpoint missed."""
        return self._send(
            "GET",
            "/v1/webhook-endpoints/{id}/recoverable",
            "json",
            {
                "since": since,
                "until": until,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )


class WebhookEvents:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        type: str = OMITTED,
        workspace_id: str = OMITTED,
        shipment_id: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.WebhookEvent]:
        """List webhook events, newest first, subscribed to or not."""
        return self._send(
            "GET",
            "/v1/events",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "type": type,
                "workspace_id": workspace_id,
                "shipment_id": shipment_id,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookEvent:
        """Read a webhook event."""
        return self._send(
            "GET",
            "/v1/events/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class WebhookDeliveries:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        endpoint_id: str = OMITTED,
        event_id: str = OMITTED,
        event_type: str = OMITTED,
        state: str = OMITTED,
        shipment_id: str = OMITTED,
        workspace_id: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.WebhookDelivery]:
        """List deliveries, newest first; `state=dead` is the dead-letter queue."""
        return self._send(
            "GET",
            "/v1/webhook-deliveries",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "endpoint_id": endpoint_id,
                "event_id": event_id,
                "event_type": event_type,
                "state": state,
                "shipment_id": shipment_id,
                "workspace_id": workspace_id,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookDelivery:
        """Read a delivery with every attempt and the receiver's response."""
        return self._send(
            "GET",
            "/v1/webhook-deliveries/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def redeliver(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookDelivery:
        """Send a delivery again, whatever its state."""
        return self._send(
            "POST",
            "/v1/webhook-deliveries/{id}/redeliver",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )


class Quotes:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        workspace_id: str,
        origin: types.QuoteRequestOrigin,
        destination: types.QuoteRequestDestination,
        package: types.QuoteRequestPackage,
        courier_connection_id: str | None = OMITTED,
        courier_connection_ids: List[str] | None = OMITTED,
        service: types.QuoteRequestService | None = OMITTED,
        declared_value: types.QuoteRequestDeclared_value | None = OMITTED,
        cash_on_delivery: types.QuoteRequestCash_on_delivery | None = OMITTED,
        idempotency_key: str | None = None,
        scenario: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Quote:
        """Get the price of a parcel."""
        return self._send(
            "POST",
            "/v1/quotes",
            "json",
            {
                "workspace_id": workspace_id,
                "courier_connection_id": courier_connection_id,
                "courier_connection_ids": courier_connection_ids,
                "origin": origin,
                "destination": destination,
                "package": package,
                "service": service,
                "declared_value": declared_value,
                "cash_on_delivery": cash_on_delivery,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            scenario=scenario,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Quote:
        """Read a quote; quotes are kept for 7 days."""
        return self._send(
            "GET",
            "/v1/quotes/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Shipments:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        workspace_id: str,
        courier_connection_id: str,
        external_reference: str,
        origin: types.ShipmentRequestOrigin,
        destination: types.ShipmentRequestDestination,
        package: types.ShipmentRequestPackage,
        service: types.ShipmentRequestService,
        declared_content: str,
        recipient: types.ShipmentRequestRecipient,
        metadata: dict[str, str] | None = OMITTED,
        quote_id: str | None = OMITTED,
        declared_value: types.ShipmentRequestDeclared_value | None = OMITTED,
        cash_on_delivery: types.ShipmentRequestCash_on_delivery | None = OMITTED,
        idempotency_key: str | None = None,
        scenario: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Create a shipment: one key, one guide."""
        return self._send(
            "POST",
            "/v1/shipments",
            "json",
            {
                "workspace_id": workspace_id,
                "courier_connection_id": courier_connection_id,
                "external_reference": external_reference,
                "origin": origin,
                "destination": destination,
                "package": package,
                "service": service,
                "declared_content": declared_content,
                "recipient": recipient,
                "metadata": metadata,
                "quote_id": quote_id,
                "declared_value": declared_value,
                "cash_on_delivery": cash_on_delivery,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            scenario=scenario,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        workspace_id: str = OMITTED,
        courier_connection_id: str = OMITTED,
        status: str = OMITTED,
        tracking_status: str = OMITTED,
        external_reference: str = OMITTED,
        idempotency_key: str = OMITTED,
        guide_number: str = OMITTED,
        has_open_operation: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Shipment]:
        """List shipments, newest first."""
        return self._send(
            "GET",
            "/v1/shipments",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "workspace_id": workspace_id,
                "courier_connection_id": courier_connection_id,
                "status": status,
                "tracking_status": tracking_status,
                "external_reference": external_reference,
                "idempotency_key": idempotency_key,
                "guide_number": guide_number,
                "has_open_operation": has_open_operation,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        as_of: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Read a shipment, now or at an earlier version."""
        return self._send(
            "GET",
            "/v1/shipments/{id}",
            "json",
            {
                "as_of": as_of,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def cancel(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Cancel a shipment."""
        return self._send(
            "POST",
            "/v1/shipments/{id}/cancel",
            "json",
            {
                "id": id,
            },
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def erase_personal_data(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Erase a shipment's personal data permanently."""
        return self._send(
            "POST",
            "/v1/shipments/{id}/erase-personal-data",
            "json",
            {
                "id": id,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def place_hold(
        self,
        *,
        id: str,
        note: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Put a legal hold on a shipment."""
        return self._send(
            "POST",
            "/v1/shipments/{id}/hold",
            "json",
            {
                "id": id,
                "note": note,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def lift_hold(
        self,
        *,
        id: str,
        note: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Lift the legal hold on a shipment."""
        return self._send(
            "POST",
            "/v1/shipments/{id}/release-hold",
            "json",
            {
                "id": id,
                "note": note,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )


class Ledger:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list_shipment_events(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.LedgerEvent]:
        """Read the whole history of a shipment, oldest first."""
        return self._send(
            "GET",
            "/v1/shipments/{id}/events",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_shipment_evidence(
        self,
        *,
        id: str,
        include_personal: str = OMITTED,
        time_zone: str = OMITTED,
        lang: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Download a bundle of evidence about a shipment as a ZIP file."""
        return self._send(
            "GET",
            "/v1/shipments/{id}/evidence",
            "bytes",
            {
                "include_personal": include_personal,
                "time_zone": time_zone,
                "lang": lang,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def get_checkpoint(
        self,
        *,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.LedgerCheckpoint:
        """Read the last signed checkpoint of the ledger."""
        return self._send(
            "GET",
            "/v1/ledger/checkpoint",
            "json",
            {
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_proof(
        self,
        *,
        position: str,
        tree_size: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.LedgerProof:
        """Prove that an event is in the sealed ledger."""
        return self._send(
            "GET",
            "/v1/ledger/proof/{position}",
            "json",
            {
                "tree_size": tree_size,
                "position": position,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_consistency(
        self,
        *,
        from_: str,
        to: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.LedgerConsistency:
        """Prove that an earlier state of the sealed ledger is the beginning of a later one."""
        return self._send(
            "GET",
            "/v1/ledger/consistency",
            "json",
            {
                "from": from_,
                "to": to,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def list_keys(
        self,
        *,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Read the public keys that have signed checkpoints, oldest first."""
        return self._send(
            "GET",
            "/v1/ledger/keys",
            "json",
            {
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Tracking:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Tracking:
        """Read where the parcel is."""
        return self._send(
            "GET",
            "/v1/shipments/{id}/tracking",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def refresh(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Tracking:
        """Ask the courier now where the parcel is."""
        return self._send(
            "POST",
            "/v1/shipments/{id}/tracking/refresh",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def roll_link(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Shipment:
        """Replace the link to the recipient's page."""
        return self._send(
            "POST",
            "/v1/shipments/{id}/tracking-link/roll",
            "json",
            {
                "id": id,
            },
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )


class Documents:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """List a shipment's documents."""
        return self._send(
            "GET",
            "/v1/shipments/{id}/documents",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_label(
        self,
        *,
        id: str,
        format: str = OMITTED,
        size: str = OMITTED,
        dpi: str = OMITTED,
        caption: str = OMITTED,
        lang: str = OMITTED,
        if_match: str | None = None,
        wait: bool = True,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Download the label."""
        return self._send(
            "GET",
            "/v1/shipments/{id}/documents/label",
            "bytes",
            {
                "format": format,
                "size": size,
                "dpi": dpi,
                "caption": caption,
                "lang": lang,
                "id": id,
            },
            if_match=if_match,
            wait=wait,
            retry=retry,
            timeout=timeout,
        )

    def print_labels(
        self,
        *,
        shipment_ids: List[str],
        lang: str = OMITTED,
        layout: Literal['a6', 'four_on_a4'] = OMITTED,
        format: Literal['pdf', 'png', 'zpl'] = OMITTED,
        size: Literal['a6', 'a4', '4x6', '80mm'] = OMITTED,
        dpi: float = OMITTED,
        caption: bool = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Print the labels of many shipments as one file."""
        return self._send(
            "POST",
            "/v1/labels",
            "bytes",
            {
                "lang": lang,
                "shipment_ids": shipment_ids,
                "layout": layout,
                "format": format,
                "size": size,
                "dpi": dpi,
                "caption": caption,
            },
            has_body=True,
            in_query=("lang",),
            retry=retry,
            timeout=timeout,
        )

    def print_manifest(
        self,
        *,
        shipment_ids: List[str],
        lang: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Print the manifest of many shipments as one PDF."""
        return self._send(
            "POST",
            "/v1/manifests",
            "bytes",
            {
                "lang": lang,
                "shipment_ids": shipment_ids,
            },
            has_body=True,
            in_query=("lang",),
            retry=retry,
            timeout=timeout,
        )


class Operations:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        type: str = OMITTED,
        status: str = OMITTED,
        open: str = OMITTED,
        result: str = OMITTED,
        cause: str = OMITTED,
        contradicted: str = OMITTED,
        escalated: str = OMITTED,
        unconfirmed: str = OMITTED,
        surplus: str = OMITTED,
        assignee: str = OMITTED,
        snoozed: str = OMITTED,
        provider_code: str = OMITTED,
        workspace_id: str = OMITTED,
        shipment_id: str = OMITTED,
        external_reference: str = OMITTED,
        idempotency_key: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        older_than_seconds: int = OMITTED,
        order: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Operation]:
        """List operations whose outcome was unknown, newest first by default."""
        return self._send(
            "GET",
            "/v1/operations",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "type": type,
                "status": status,
                "open": open,
                "result": result,
                "cause": cause,
                "contradicted": contradicted,
                "escalated": escalated,
                "unconfirmed": unconfirmed,
                "surplus": surplus,
                "assignee": assignee,
                "snoozed": snoozed,
                "provider_code": provider_code,
                "workspace_id": workspace_id,
                "shipment_id": shipment_id,
                "external_reference": external_reference,
                "idempotency_key": idempotency_key,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
                "older_than_seconds": older_than_seconds,
                "order": order,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operation:
        """Read an operation."""
        return self._send(
            "GET",
            "/v1/operations/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def look_at(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operation:
        """Ask the courier now."""
        return self._send(
            "POST",
            "/v1/operations/{id}/look",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def resolve(
        self,
        *,
        id: str,
        decision: Literal['guide_exists', 'nothing_created', 'cancelled', 'not_cancelled'],
        note: str,
        guide_number: str = OMITTED,
        accept_unconfirmed: bool = OMITTED,
        decided_by: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operation:
        """Decide an operation that reconciliation cannot conclude."""
        return self._send(
            "POST",
            "/v1/operations/{id}/resolve",
            "json",
            {
                "id": id,
                "decision": decision,
                "guide_number": guide_number,
                "accept_unconfirmed": accept_unconfirmed,
                "note": note,
                "decided_by": decided_by,
            },
            has_body=True,
            retry=retry,
            timeout=timeout,
        )

    def assign(
        self,
        *,
        id: str,
        operator_id: str | None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operation:
        """Assign an operation to an operator."""
        return self._send(
            "POST",
            "/v1/operations/{id}/assign",
            "json",
            {
                "id": id,
                "operator_id": operator_id,
            },
            has_body=True,
            retry=retry,
            timeout=timeout,
        )

    def snooze(
        self,
        *,
        id: str,
        until: str | None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Operation:
        """Snooze an operation until a time."""
        return self._send(
            "POST",
            "/v1/operations/{id}/snooze",
            "json",
            {
                "id": id,
                "until": until,
            },
            has_body=True,
            retry=retry,
            timeout=timeout,
        )

    def create_comment(
        self,
        *,
        id: str,
        text: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.OperationComment:
        """Comment on an operation."""
        return self._send(
            "POST",
            "/v1/operations/{id}/comments",
            "json",
            {
                "id": id,
                "text": text,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list_comments(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.OperationComment]:
        """List the comments on an operation, oldest first."""
        return self._send(
            "GET",
            "/v1/operations/{id}/comments",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def list_guides(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """List the guides that the courier has under our reference."""
        return self._send(
            "GET",
            "/v1/operations/{id}/guides",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def list_guide_scans(
        self,
        *,
        id: str,
        guide_number: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Ask the courier now for the scans of a guide under our reference."""
        return self._send(
            "GET",
            "/v1/operations/{id}/guides/{guide_number}/scans",
            "json",
            {
                "id": id,
                "guide_number": guide_number,
            },
            retry=retry,
            timeout=timeout,
        )


class AuditEvents:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        operator_id: str = OMITTED,
        key_id: str = OMITTED,
        action: str = OMITTED,
        resource_type: str = OMITTED,
        resource_id: str = OMITTED,
        workspace_id: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.AuditEvent]:
        """List the administrative acts on the organization's resources, newest first."""
        return self._send(
            "GET",
            "/v1/audit-events",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "operator_id": operator_id,
                "key_id": key_id,
                "action": action,
                "resource_type": resource_type,
                "resource_id": resource_id,
                "workspace_id": workspace_id,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.AuditEvent:
        """Read an administrative act."""
        return self._send(
            "GET",
            "/v1/audit-events/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Statistics:
    def __init__(self, send: Send) -> None:
        self._send = send

    def count_operations(
        self,
        *,
        workspace_id: str = OMITTED,
        provider_code: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.OperationStatistics:
        """Count the operations that need attention now."""
        return self._send(
            "GET",
            "/v1/statistics/operations",
            "json",
            {
                "workspace_id": workspace_id,
                "provider_code": provider_code,
            },
            retry=retry,
            timeout=timeout,
        )

    def count_creations(
        self,
        *,
        interval: str = OMITTED,
        from_: str = OMITTED,
        to: str = OMITTED,
        workspace_id: str = OMITTED,
        provider_code: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CreationStatistics:
        """Count creations over time, by outcome."""
        return self._send(
            "GET",
            "/v1/statistics/creations",
            "json",
            {
                "interval": interval,
                "from": from_,
                "to": to,
                "workspace_id": workspace_id,
                "provider_code": provider_code,
            },
            retry=retry,
            timeout=timeout,
        )

    def count_reconciliations(
        self,
        *,
        interval: str = OMITTED,
        from_: str = OMITTED,
        to: str = OMITTED,
        workspace_id: str = OMITTED,
        provider_code: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.ReconciliationStatistics:
        """Count unknown outcomes and their conclusions over time, and how long they took."""
        return self._send(
            "GET",
            "/v1/statistics/reconciliations",
            "json",
            {
                "interval": interval,
                "from": from_,
                "to": to,
                "workspace_id": workspace_id,
                "provider_code": provider_code,
            },
            retry=retry,
            timeout=timeout,
        )

    def count_courier_calls(
        self,
        *,
        interval: str = OMITTED,
        from_: str = OMITTED,
        to: str = OMITTED,
        workspace_id: str = OMITTED,
        provider_code: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierStatistics:
        """Count calls to couriers over time, their failures and how long they took."""
        return self._send(
            "GET",
            "/v1/statistics/couriers",
            "json",
            {
                "interval": interval,
                "from": from_,
                "to": to,
                "workspace_id": workspace_id,
                "provider_code": provider_code,
            },
            retry=retry,
            timeout=timeout,
        )

    def count_webhook_attempts(
        self,
        *,
        interval: str = OMITTED,
        from_: str = OMITTED,
        to: str = OMITTED,
        workspace_id: str = OMITTED,
        endpoint_id: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.WebhookStatistics:
        """Count attempts to deliver webhooks over time, by endpoint."""
        return self._send(
            "GET",
            "/v1/statistics/webhooks",
            "json",
            {
                "interval": interval,
                "from": from_,
                "to": to,
                "workspace_id": workspace_id,
                "endpoint_id": endpoint_id,
            },
            retry=retry,
            timeout=timeout,
        )


class Requests:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        id: str = OMITTED,
        key_id: str = OMITTED,
        method: str = OMITTED,
        route: str = OMITTED,
        status: str = OMITTED,
        reason: str = OMITTED,
        outcome: str = OMITTED,
        min_duration_ms: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Request]:
        """List the requests of the last seven days, newest first."""
        return self._send(
            "GET",
            "/v1/requests",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "id": id,
                "key_id": key_id,
                "method": method,
                "route": route,
                "status": status,
                "reason": reason,
                "outcome": outcome,
                "min_duration_ms": min_duration_ms,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Request:
        """Read the newest request of the last seven days with this id."""
        return self._send(
            "GET",
            "/v1/requests/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Search:
    def __init__(self, send: Send) -> None:
        self._send = send

    def find_by_text(
        self,
        *,
        text: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Search:
        """Find objects by an id, a reference, a guide number or a key."""
        return self._send(
            "GET",
            "/v1/search",
            "json",
            {
                "text": text,
            },
            retry=retry,
            timeout=timeout,
        )


class Sandbox:
    def __init__(self, send: Send) -> None:
        self._send = send

    def list_scenarios(
        self,
        *,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """List the scenarios of the simulated courier."""
        return self._send(
            "GET",
            "/v1/sandbox/scenarios",
            "json",
            {
            },
            retry=retry,
            timeout=timeout,
        )

    def get_clock(
        self,
        *,
        workspace_id: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.SandboxClock:
        """Read a test workspace's clock."""
        return self._send(
            "GET",
            "/v1/sandbox/clock",
            "json",
            {
                "workspace_id": workspace_id,
            },
            retry=retry,
            timeout=timeout,
        )

    def advance_clock(
        self,
        *,
        by: str,
        workspace_id: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.SandboxClock:
        """Advance a test workspace's clock and do what falls due on the way."""
        return self._send(
            "POST",
            "/v1/sandbox/clock/advance",
            "json",
            {
                "workspace_id": workspace_id,
                "by": by,
            },
            has_body=True,
            retry=retry,
            timeout=timeout,
        )


class Health:
    def __init__(self, send: Send) -> None:
        self._send = send

    def get(
        self,
        *,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Health:
        """Read the health of the service, as far as the key may see it."""
        return self._send(
            "GET",
            "/v1/health",
            "json",
            {
            },
            retry=retry,
            timeout=timeout,
        )


class Batches:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        external_reference: str,
        items: List[types.BatchLine],
        workspace_id: str = OMITTED,
        courier_connection_id: str = OMITTED,
        idempotency_key: str | None = None,
        scenario: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Batch:
        """Create many shipments: one key and one guide per line."""
        return self._send(
            "POST",
            "/v1/batches",
            "json",
            {
                "external_reference": external_reference,
                "workspace_id": workspace_id,
                "courier_connection_id": courier_connection_id,
                "items": items,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            scenario=scenario,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        workspace_id: str = OMITTED,
        external_reference: str = OMITTED,
        created_at_gte: str = OMITTED,
        created_at_gt: str = OMITTED,
        created_at_lte: str = OMITTED,
        created_at_lt: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Batch]:
        """List batches, newest first."""
        return self._send(
            "GET",
            "/v1/batches",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "workspace_id": workspace_id,
                "external_reference": external_reference,
                "created_at[gte]": created_at_gte,
                "created_at[gt]": created_at_gt,
                "created_at[lte]": created_at_lte,
                "created_at[lt]": created_at_lt,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Batch:
        """Read a batch and how many of its lines are in each state."""
        return self._send(
            "GET",
            "/v1/batches/{id}",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def list_items(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        state: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.BatchItem]:
        """List the lines of a batch in order, with their errors."""
        return self._send(
            "GET",
            "/v1/batches/{id}/items",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "state": state,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def get_labels(
        self,
        *,
        id: str,
        layout: str = OMITTED,
        format: str = OMITTED,
        size: str = OMITTED,
        dpi: str = OMITTED,
        caption: str = OMITTED,
        first_line: int = OMITTED,
        last_line: int = OMITTED,
        lang: str = OMITTED,
        complete: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Print the labels of a batch as one file, in the order of its lines."""
        return self._send(
            "GET",
            "/v1/batches/{id}/documents/labels",
            "bytes",
            {
                "layout": layout,
                "format": format,
                "size": size,
                "dpi": dpi,
                "caption": caption,
                "first_line": first_line,
                "last_line": last_line,
                "lang": lang,
                "complete": complete,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def get_manifest(
        self,
        *,
        id: str,
        first_line: int = OMITTED,
        last_line: int = OMITTED,
        lang: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Print the manifest of a batch as one PDF."""
        return self._send(
            "GET",
            "/v1/batches/{id}/documents/manifest",
            "bytes",
            {
                "first_line": first_line,
                "last_line": last_line,
                "lang": lang,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def cancel(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.Batch:
        """Cancel a batch."""
        return self._send(
            "POST",
            "/v1/batches/{id}/cancel",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )


class CourierInvoices:
    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        courier_connection_id: str,
        reference: str,
        lines: List[types.CourierInvoiceRequestLine],
        period: types.CourierInvoiceRequestPeriod | None = OMITTED,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierInvoice:
        """Import a courier's invoice, to compare it with the ledger."""
        return self._send(
            "POST",
            "/v1/courier-invoices",
            "json",
            {
                "courier_connection_id": courier_connection_id,
                "reference": reference,
                "period": period,
                "lines": lines,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def list(
        self,
        *,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        courier_connection_id: str = OMITTED,
        reference: str = OMITTED,
        undecided: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.CourierInvoice]:
        """List couriers' invoices, newest first."""
        return self._send(
            "GET",
            "/v1/courier-invoices",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "courier_connection_id": courier_connection_id,
                "reference": reference,
                "undecided": undecided,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def fetch(
        self,
        *,
        courier_connection_id: str,
        month: str,
        idempotency_key: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierInvoice:
        """Fetch the invoice of a month from the courier, to compare it with the ledger."""
        return self._send(
            "POST",
            "/v1/courier-invoices/fetch",
            "json",
            {
                "courier_connection_id": courier_connection_id,
                "month": month,
            },
            has_body=True,
            takes_key=True,
            idempotency_key=idempotency_key,
            retry=retry,
            timeout=timeout,
        )

    def get(
        self,
        *,
        id: str,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierInvoice:
        """Read a courier's invoice, with the totals of its findings."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}",
            "json",
            {
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def compare(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierInvoice:
        """Compare an invoice with the ledger again."""
        return self._send(
            "POST",
            "/v1/courier-invoices/{id}/compare",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def withdraw(
        self,
        *,
        id: str,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierInvoice:
        """Withdraw an invoice that was imported by mistake."""
        return self._send(
            "POST",
            "/v1/courier-invoices/{id}/withdraw",
            "json",
            {
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def list_lines(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        kind: str = OMITTED,
        finding: str = OMITTED,
        differs: str = OMITTED,
        decided: str = OMITTED,
        decision: str = OMITTED,
        first_line: str = OMITTED,
        last_line: str = OMITTED,
        version: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.CourierInvoiceLine]:
        """List the lines of an invoice in order, with their findings."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}/lines",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "kind": kind,
                "finding": finding,
                "differs": differs,
                "decided": decided,
                "decision": decision,
                "first_line": first_line,
                "last_line": last_line,
                "version": version,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def list_shipment_lines(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.BilledLine]:
        """List the lines of couriers' invoices that bill a shipment."""
        return self._send(
            "GET",
            "/v1/shipments/{id}/courier-invoice-lines",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def download_lines(
        self,
        *,
        id: str,
        kind: str = OMITTED,
        finding: str = OMITTED,
        differs: str = OMITTED,
        decided: str = OMITTED,
        decision: str = OMITTED,
        first_line: str = OMITTED,
        last_line: str = OMITTED,
        version: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Download the lines of an invoice as CSV."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}/lines.csv",
            "bytes",
            {
                "kind": kind,
                "finding": finding,
                "differs": differs,
                "decided": decided,
                "decision": decision,
                "first_line": first_line,
                "last_line": last_line,
                "version": version,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def list_invalid_lines(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        version: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.InvalidInvoiceLine]:
        """List the lines of an invoice that were skipped because they are wrong, in order."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}/invalid-lines",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "version": version,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )

    def decide_line(
        self,
        *,
        id: str,
        line: str,
        decision: Literal['accepted', 'disputed'],
        note: str,
        decided_by: str = OMITTED,
        seen: types.DecideCourierInvoiceLineSeen = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> types.CourierInvoiceLine:
        """Accept or dispute a line's finding."""
        return self._send(
            "POST",
            "/v1/courier-invoices/{id}/lines/{line}/decision",
            "json",
            {
                "id": id,
                "line": line,
                "decision": decision,
                "note": note,
                "decided_by": decided_by,
                "seen": seen,
            },
            has_body=True,
            retry=retry,
            timeout=timeout,
        )

    def get_claim(
        self,
        *,
        id: str,
        finding: str = OMITTED,
        first_line: str = OMITTED,
        last_line: str = OMITTED,
        time_zone: str = OMITTED,
        lang: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Print the claim about the disputed lines of an invoice as a PDF."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}/claim",
            "bytes",
            {
                "finding": finding,
                "first_line": first_line,
                "last_line": last_line,
                "time_zone": time_zone,
                "lang": lang,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def get_evidence(
        self,
        *,
        id: str,
        kind: str = OMITTED,
        finding: str = OMITTED,
        differs: str = OMITTED,
        decided: str = OMITTED,
        decision: str = OMITTED,
        first_line: str = OMITTED,
        last_line: str = OMITTED,
        version: str = OMITTED,
        include_personal: str = OMITTED,
        time_zone: str = OMITTED,
        lang: str = OMITTED,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """Download the evidence about lines of an invoice as one ZIP file."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}/evidence",
            "bytes",
            {
                "kind": kind,
                "finding": finding,
                "differs": differs,
                "decided": decided,
                "decision": decision,
                "first_line": first_line,
                "last_line": last_line,
                "version": version,
                "include_personal": include_personal,
                "time_zone": time_zone,
                "lang": lang,
                "id": id,
            },
            retry=retry,
            timeout=timeout,
        )

    def list_guides_not_billed(
        self,
        *,
        id: str,
        limit: int = OMITTED,
        cursor: str = OMITTED,
        kind: str = OMITTED,
        if_match: str | None = None,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Pages[types.UnbilledGuide]:
        """List guides of the invoice's period that no invoice bills, oldest first."""
        return self._send(
            "GET",
            "/v1/courier-invoices/{id}/not-billed",
            "list",
            {
                "limit": limit,
                "cursor": cursor,
                "kind": kind,
                "id": id,
            },
            if_match=if_match,
            retry=retry,
            timeout=timeout,
        )


class Resources:
    def __init__(self, send: Send) -> None:
        self.workspaces = Workspaces(send)
        self.courier_connections = CourierConnections(send)
        self.couriers = Couriers(send)
        self.keys = Keys(send)
        self.operators = Operators(send)
        self.webhook_endpoints = WebhookEndpoints(send)
        self.webhook_events = WebhookEvents(send)
        self.webhook_deliveries = WebhookDeliveries(send)
        self.quotes = Quotes(send)
        self.shipments = Shipments(send)
        self.ledger = Ledger(send)
        self.tracking = Tracking(send)
        self.documents = Documents(send)
        self.operations = Operations(send)
        self.audit_events = AuditEvents(send)
        self.statistics = Statistics(send)
        self.requests = Requests(send)
        self.search = Search(send)
        self.sandbox = Sandbox(send)
        self.health = Health(send)
        self.batches = Batches(send)
        self.courier_invoices = CourierInvoices(send)
