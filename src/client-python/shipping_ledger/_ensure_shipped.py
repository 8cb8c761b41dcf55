from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Literal, TypeVar, cast

from . import _types as types
from ._errors import Action, ShippingLedgerError
from ._follow import seconds_to_next_look
from ._newer import is_newer
from ._resources import Resources
from ._transport import Retry, backoff

OnChange = Callable[[types.Shipment, types.Operation | None], Any]
Answer = TypeVar("Answer")

# This module repeats by itself, so that a stop event ends every wait.
ONCE = Retry(requests_max=1)
# Refusals that use up the key: the same request with it is refused for ever.
USES_UP_KEY = ("courier_rejected", "quote_price_changed")


@dataclass(frozen=True)
class Created:
    """There is one guide. `shipment["status"]` is `cancelled` if it was cancelled later."""

    kind: Literal["created"] = field(default="created", init=False)
    shipment: types.ShipmentWithGuide


@dataclass(frozen=True)
class Rejected:
    """The courier refused for good under this key. Correct the order and use a new key."""

    kind: Literal["rejected"] = field(default="rejected", init=False)
    error: ShippingLedgerError
    shipment: types.Shipment | None


@dataclass(frozen=True)
class NothingCreated:
    """It is certain that there is no guide. The order may be shipped with a new key."""

    kind: Literal["nothing_created"] = field(default="nothing_created", init=False)
    #: None if it had ended before this call.
    operation: types.Operation | None
    shipment: types.Shipment | None


@dataclass(frozen=True)
class NeedsAttention:
    """It is not known yet, or a request is refused. Calling again with the same key continues."""

    kind: Literal["needs_attention"] = field(default="needs_attention", init=False)
    #: `fix`: correct the request; the key is still free. `person`: someone must act, in a review or
    #: on what `error` says. `follow`: it was still being reconciled at the timeout. `same_key`: the
    #: service or the courier was not available until the timeout.
    action: Action
    #: None if the timeout passed while following.
    error: ShippingLedgerError | None
    operation: types.Operation | None
    shipment: types.Shipment | None


Shipped = Created | Rejected | NothingCreated | NeedsAttention


def _created(shipment: types.Shipment) -> Created:
    return Created(cast(types.ShipmentWithGuide, shipment))


class _Refused(Exception):
    """A request was refused. The exceptions of `on_change` are never this one."""

    def __init__(self, error: ShippingLedgerError) -> None:
        self.error = error


class Attempt:
    """One call of `ensure_shipped`: its limits, and what it has seen."""

    def __init__(
        self,
        client: Resources,
        key: str,
        create: Callable[[], types.Shipment],
        on_change: OnChange | None,
        timeout: float,
        stop: Event | None,
    ) -> None:
        self._client = client
        self._key = key
        self._create = create
        self._on_change = on_change
        self._ends_at = time.monotonic() + timeout
        self._stop = stop
        self._shipment: types.Shipment | None = None
        self._operation: types.Operation | None = None

    def run(self) -> Shipped:
        tries = 0
        while True:
            tries += 1
            try:
                return self._send()
            except _Refused as refused:
                error = refused.error
            wait = max(backoff(tries), error.retry_after or 0)
            if error.action != "same_key" or wait >= self._left():
                return self._attention(error.action, error)
            self._pause(wait)

    def _send(self) -> Shipped:
        try:
            shipment = self._asked(self._create)
        except _Refused as refused:
            return self._refused(refused.error)
        self._saw(shipment, None)
        return _created(shipment)

    def _refused(self, error: ShippingLedgerError) -> Shipped:
        if error.action == "same_key":
            raise _Refused(error)
        shipment = self._read_shipment(error.shipment_id)
        if error.reason in USES_UP_KEY:
            return Rejected(error, shipment)
        if error.action == "new_key" or error.reason == "nothing_created":
            return NothingCreated(self._operation, shipment)
        if error.action == "follow" and error.operation_id is not None:
            return self._followed(error.operation_id)
        return self._attention(error.action, error)

    def _followed(self, operation_id: str) -> Shipped:
        while True:
            operation = self._asked(
                lambda: self._client.operations.get(id=operation_id, retry=ONCE)
            )
            self._saw(None, operation)
            wait, left = seconds_to_next_look(operation), self._left()
            if wait is None or left <= 0:
                break
            self._pause(min(wait, left))
        shipment = self._read_shipment(operation["shipment_id"])
        result = operation["result"]
        if result == "nothing_created":
            return NothingCreated(operation, shipment)
        # The operation of a cancellation means that the guide existed; `status` shows the outcome.
        if shipment is not None and result in ("guide_exists", "cancelled", "not_cancelled"):
            return _created(shipment)
        return self._attention("follow" if result is None else "person", None)

    def _attention(self, action: Action, error: ShippingLedgerError | None) -> NeedsAttention:
        return NeedsAttention(action, error, self._operation, self._shipment)

    def _read_shipment(self, id: str | None) -> types.Shipment | None:
        if id is not None:
            self._saw(self._asked(lambda: self._client.shipments.get(id=id, retry=ONCE)), None)
        return self._shipment

    def _asked(self, request: Callable[[], Answer]) -> Answer:
        self._check_stop()
        try:
            return request()
        except ShippingLedgerError as error:
            raise _Refused(error) from error

    def _saw(self, shipment: types.Shipment | None, operation: types.Operation | None) -> None:
        is_shipment_new = shipment is not None and is_newer(self._shipment, shipment)
        is_operation_new = operation is not None and is_newer(self._operation, operation)
        if is_shipment_new:
            self._shipment = shipment
        if is_operation_new:
            self._operation = operation
        is_news = is_shipment_new or is_operation_new
        if is_news and self._shipment is not None and self._on_change is not None:
            self._on_change(self._shipment, self._operation)

    def _left(self) -> float:
        return self._ends_at - time.monotonic()

    def _pause(self, seconds: float) -> None:
        if self._stop is None:
            time.sleep(seconds)
        else:
            self._stop.wait(seconds)
        self._check_stop()

    def _check_stop(self) -> None:
        if self._stop is not None and self._stop.is_set():
            raise ShippingLedgerError(
                "Waiting was stopped. Calling again with the same key continues.",
                reason="aborted",
                outcome="unknown",
                retryable=True,
                idempotency_key=self._key,
            )
