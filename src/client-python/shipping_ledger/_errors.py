from __future__ import annotations

from typing import Any


class ShippingLedgerError(Exception):
    """Every failure of a call.

    Decide by `reason` and `outcome`: `unknown` means that the request may have been executed, so
    never repeat it with another key. The reasons `connection_lost` (no answer came) and
    `unreadable_answer` (it is not the service's, or is incomplete) are the client's own.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: str,
        outcome: str | None,
        retryable: bool,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        idempotency_key: str | None = None,
        problem: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        said = problem or {}
        self.reason = reason
        #: What this request did: `not_executed`, `executed` or `unknown`; None on a read.
        self.outcome = outcome
        #: Whether repeating the same request, with the same key, can help.
        self.retryable = retryable
        #: The HTTP status; None when no answer came.
        self.status = status
        self.request_id = said.get("request_id", request_id)
        #: Seconds after which to ask again.
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key
        #: With `unknown_outcome`: the operation to follow.
        self.operation_id: str | None = said.get("operation_id")
        self.shipment_id: str | None = said.get("shipment_id")
        #: Its version when the answer was made. The higher version is newer, whatever way it came.
        self.shipment_version: int | None = said.get("shipment_version")
        #: With `validation_failed` and similar reasons: what is wrong, and where.
        self.errors: list[dict[str, Any]] = said.get("errors") or []
