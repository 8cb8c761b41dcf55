from __future__ import annotations

import json
import re
import time
from threading import Event
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from . import _types as types
from ._ensure_shipped import ONCE, Attempt, OnChange, Shipped
from ._follow import ASK_APART_MAX, ASK_APART_MIN, BATCH_APART_GROWTH, FOLLOW_SECONDS, seconds_to_next_look
from ._pages import Pages
from ._resources import OMITTED, Resources
from ._transport import (
    LABEL_SECONDS,
    REQUEST_SECONDS,
    Answered,
    AnsweredBytes,
    AnswerInfo,
    Call,
    Retry,
    new_key,
    send,
)

# As much of a batch as the service takes as JSON; it takes more as NDJSON.
JSON_BATCH_BYTES_MAX = 2 * 1024 * 1024


class Client(Resources):
    """A client for one API key. It is stateless, so threads can share it.

    Methods that create something send an idempotency key. Set your own when creating a shipment, so
    that a restarted program sends the same request again.
    """

    def __init__(self, base_url: str, api_key: str, retry: Retry = Retry()) -> None:
        self._base_url = _checked(base_url, api_key)
        self._api_key = api_key
        self._retry = retry
        super().__init__(self._call)

    def ensure_shipped(
        self,
        key: str,
        request: types.ShipmentRequest,
        *,
        on_change: OnChange | None = None,
        timeout: float = FOLLOW_SECONDS,
        stop: Event | None = None,
        scenario: str | None = None,
    ) -> Shipped:
        """Ships an order, once, however often it is called with this key.

        It sends the request, repeats it with the same key while that is safe and may help, and
        follows the operation if the outcome is unknown, until `timeout` seconds have passed. It
        never uses another key. After a restart, call it again with the same key and request.

        `on_change(shipment, operation)` is called with each newer version of either; the operation
        is None while there is none. Store them: if it raises, the call ends with its exception, and
        calling again is safe. Once `stop` is set, waiting ends with the error `aborted`; a request
        that is being sent is completed first.
        """

        def create() -> types.Shipment:
            # As it is: the service says which fields are missing or wrong.
            return self._call(
                "POST",
                "/v1/shipments",
                "json",
                dict(request),
                has_body=True,
                idempotency_key=key,
                scenario=scenario,
                retry=ONCE,
            )

        return Attempt(self, key, create, on_change, timeout, stop).run()

    def wait_for_operation(
        self, operation_id: str, timeout: float = FOLLOW_SECONDS
    ) -> types.Operation:
        """Polls an operation until it ends or the timeout passes. It changes nothing.

        It continues through `human_review`, because the courier's answer may resolve the operation
        before an operator does.
        """
        ends_at = time.monotonic() + timeout
        while True:
            operation = self.operations.get(id=operation_id)
            wait = seconds_to_next_look(operation)
            left = ends_at - time.monotonic()
            if wait is None or left <= 0:
                return operation
            time.sleep(min(wait, left))

    def wait_for_batch(self, batch_id: str, timeout: float = FOLLOW_SECONDS) -> types.Batch:
        """Polls a batch until every line was answered or the timeout passes. It changes nothing.

        If the timeout passes first, its `ended_at` is None: call it again, or listen for the webhook
        `batch.completed`.
        """
        ends_at = time.monotonic() + timeout
        wait = ASK_APART_MIN
        while True:
            batch = self.batches.get(id=batch_id)
            left = ends_at - time.monotonic()
            if batch["ended_at"] is not None or left <= 0:
                return batch
            time.sleep(min(wait, left))
            wait = min(ASK_APART_MAX, wait * BATCH_APART_GROWTH)

    def check_batch(
        self,
        content: bytes,
        *,
        content_type: str = "text/csv",
        retry: Retry | None = None,
        timeout: float | None = None,
        **query: Any,
    ) -> types.BatchCheck:
        """Says what a creation of this CSV or NDJSON file would refuse. It stores nothing.

        `columns`, `values` and `names` are dicts, as in the documentation of `POST /v1/batches`.
        """
        return self._check("/v1/batches", content, content_type, query, retry, timeout)

    def check_invoice(
        self,
        content: bytes,
        *,
        retry: Retry | None = None,
        timeout: float | None = None,
        **query: Any,
    ) -> types.CourierInvoiceCheck:
        """Says what an import of this CSV file would refuse. It stores nothing."""
        return self._check("/v1/courier-invoices", content, "text/csv", query, retry, timeout)

    def _check(
        self,
        path: str,
        content: bytes,
        content_type: str,
        query: dict[str, Any],
        retry: Retry | None,
        timeout: float | None,
    ) -> Any:
        key = new_key()
        headers = {
            "authorization": f"Bearer {self._api_key}",
            "accept": "application/json",
            "content-type": content_type,
            "idempotency-key": key,
        }
        address = f"{self._base_url}{path}?{urlencode(_texts({**query, 'validate': True}))}"
        call = Call(
            "POST",
            address,
            headers,
            content,
            key,
            True,
            request_seconds=timeout or REQUEST_SECONDS,
        )
        value, info = send(call, retry or self._retry)
        return _answered(value, info)

    def _call(
        self,
        method: str,
        path: str,
        answers: str,
        fields: dict[str, Any],
        *,
        has_body: bool = False,
        in_query: tuple[str, ...] = (),
        takes_key: bool = False,
        idempotency_key: str | None = None,
        scenario: str | None = None,
        if_match: str | None = None,
        wait: bool = True,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> Any:
        given = {name: value for name, value in fields.items() if value is not OMITTED}
        address, rest = _addressed(path, given)
        key = idempotency_key or (new_key() if takes_key else None)
        is_json = answers != "bytes"
        optional = {
            "content-type": "application/json" if has_body else None,
            "idempotency-key": key,
            "sandbox-scenario": scenario,
            "if-match": if_match,
        }
        headers = {
            "authorization": f"Bearer {self._api_key}",
            "accept": "application/json" if is_json else "*/*",
            **{name: value for name, value in optional.items() if value is not None},
        }
        asked = {name: value for name, value in rest.items() if not has_body or name in in_query}
        sent = {name: value for name, value in rest.items() if name not in asked}
        body = json.dumps(sent).encode() if has_body else None
        if path == "/v1/batches" and body is not None and len(body) > JSON_BATCH_BYTES_MAX:
            asked = {name: value for name, value in rest.items() if name != "items"}
            body = "\n".join(json.dumps(item) for item in rest["items"]).encode()
            headers["content-type"] = "application/x-ndjson"
        query = f"?{urlencode(_texts(asked))}" if asked else ""
        call = Call(
            method,
            f"{self._base_url}{address}{query}",
            headers,
            body,
            key,
            is_json,
            label_seconds=_label_seconds(wait, retry),
            request_seconds=timeout or REQUEST_SECONDS,
        )
        value, info = send(call, retry or self._retry)
        if answers == "list":

            def page(cursor: str) -> dict[str, Any]:
                further = {**given, "cursor": cursor}
                return self._call(method, path, "json", further, retry=retry, timeout=timeout)

            return Pages[Any](value, page)
        if answers == "bytes":
            document = AnsweredBytes(value)
            document.info = info
            return document
        return None if answers == "nothing" else _answered(value, info)


def _answered(value: dict[str, Any], info: AnswerInfo) -> Answered:
    answered = Answered(value)
    answered.info = info
    return answered


def _label_seconds(wait: bool, retry: Retry | None) -> float:
    """A label may take minutes, so a call waits longer only if it is told to."""
    if not wait:
        return 0
    return LABEL_SECONDS if retry is None else retry.total_seconds


def _addressed(template: str, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    rest = dict(fields)

    def filled(match: re.Match[str]) -> str:
        value = rest.pop(match[1], None)
        # An empty id or a relative path segment would reach another route.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise TypeError(f"{match[1]} is missing")
        return quote(value, safe="")

    return re.sub(r"\{([a-z_]+)\}", filled, template), rest


def _texts(fields: dict[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in fields.items()}


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _checked(base_url: str, api_key: str) -> str:
    """A live key is never sent unencrypted to another machine."""
    url = urlsplit(base_url)
    is_local = re.fullmatch(r"localhost|127(\.\d+){3}|::1", url.hostname or "") is not None
    is_plain = url.scheme == "http" and (is_local or not api_key.startswith("svc_live_"))
    if url.scheme != "https" and not is_plain:
        raise ValueError("base_url must be an https address.")
    return base_url.rstrip("/")
