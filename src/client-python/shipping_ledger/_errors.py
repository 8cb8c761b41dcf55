from __future__ import annotations

from typing import Any, Literal

#: What to do after an error. `same_key`: sending the same request again, with the same key, is safe
#: and may succeed. `follow`: read the operation until it ends. `new_key`: nothing was created or
#: cancelled; try again with a new key. `fix`: correct the request. `person`: someone must act first.
Action = Literal["same_key", "follow", "new_key", "fix", "person"]


class ShippingLedgerError(Exception):
    """Every failure of a call.

    Do what `action` says. The outcome `unknown` means that the request may have been executed, so
    never repeat it with another key. The reasons `connection_lost` (no response arrived;
    the outcome `not_executed` says that nothing was sent),
    `unreadable_answer` (not from the service, or incomplete) and `aborted` (the caller stopped
    waiting) are the client's own.
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
        #: Whether retrying the same request with the same key can help.
        self.retryable = retryable
        #: What to do next.
        self.action: Action = said.get("action") or _action_of(reason, retryable, said)
        #: The HTTP status; None if there was no response.
        self.status = status
        self.request_id = said.get("request_id", request_id)
        #: Seconds to wait before asking again.
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key
        #: The operation to follow after `unknown_outcome`.
        self.operation_id: str | None = said.get("operation_id")
        self.shipment_id: str | None = said.get("shipment_id")
        #: The version in the response. A higher version is newer, no matter where it comes from.
        self.shipment_version: int | None = said.get("shipment_version")
        #: What is wrong and where, with `validation_failed` and similar reasons.
        self.errors: list[dict[str, Any]] = said.get("errors") or []


def _action_of(reason: str, retryable: bool, problem: dict[str, Any]) -> Action:
    """The action of an error that does not name one, such as the client's own."""
    if reason == "unknown_outcome" and "operation_id" in problem:
        return "follow"
    return "same_key" if retryable else "person"
