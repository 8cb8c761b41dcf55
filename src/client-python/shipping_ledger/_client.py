from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._errors import ShippingLedgerError
from ._pages import Pages
from ._resources import OMITTED, Resources
from ._transport import AnswerInfo, Call, Retry, new_key, send

# Looks are seconds apart at first and half a minute later; asking more often yields nothing new.
ASK_APART_MIN, ASK_APART_MAX = 1.0, 15.0
# As much of a batch as the service takes as JSON; it takes more as NDJSON.
JSON_BATCH_BYTES_MAX = 2 * 1024 * 1024
# A lost response without further trouble is resolved after about three and a half minutes.
FOLLOW_SECONDS = 240.0


class Answered(dict[str, Any]):
    """A decoded object with facts about its response."""

    info: AnswerInfo


def info_of(answered: Any) -> AnswerInfo:
    """The status, request id and idempotency key of the response that contained this object."""
    return answered.info


@dataclass(frozen=True)
class CreationResult:
    """The result of a creation.

    `kind` is `guide_exists` or `nothing_created`, or, if the timeout passed, `human_review` or
    `reconciling`. Ship the order with another key only after `nothing_created`. After the last two
    the guide may exist and may have to be paid for; calling again with the same key continues to
    follow.
    """

    kind: str
    shipment: Any | None
    operation: Any | None


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

    def wait_for_operation(self, operation_id: str, timeout: float = FOLLOW_SECONDS) -> Any:
        """Polls an operation until it ends or the timeout passes. It changes nothing.

        It continues through `human_review`, because the courier's answer may resolve the operation
        before an operator does.
        """
        ends_at = time.monotonic() + timeout
        while True:
            operation = self.operations.get(id=operation_id)
            left = ends_at - time.monotonic()
            is_reviewed = operation["result"] == "human_review"
            if left <= 0 or (operation["result"] is not None and not is_reviewed):
                return operation
            default = ASK_APART_MAX if is_reviewed else ASK_APART_MIN
            asked = info_of(operation).retry_after or default
            time.sleep(min(left, ASK_APART_MAX, max(ASK_APART_MIN, asked)))

    def create_and_follow(
        self, *, idempotency_key: str, timeout: float = FOLLOW_SECONDS, **request: Any
    ) -> CreationResult:
        """Creates a shipment. If its outcome is unknown, follows the operation until it ends.

        It never creates again once the outcome is unknown.
        """
        try:
            shipment = self.shipments.create(idempotency_key=idempotency_key, **request)
            return CreationResult("guide_exists", shipment, None)
        except ShippingLedgerError as error:
            is_followed = error.reason in ("unknown_outcome", "nothing_created")
            if not is_followed or error.operation_id is None:
                raise
            operation = self.wait_for_operation(error.operation_id, timeout)
        kind = operation["result"] or "reconciling"
        if kind in ("guide_exists", "cancelled", "not_cancelled"):
            shipment = self.shipments.get(id=operation["shipment_id"])
            return CreationResult("guide_exists", shipment, operation)
        # From a result that this client does not know, nothing can be concluded.
        known = kind in ("nothing_created", "reconciling")
        return CreationResult(kind if known else "human_review", None, operation)

    def check_batch(
        self, content: bytes, *, content_type: str = "text/csv", **query: Any
    ) -> Any:
        """Says what a creation of this CSV or NDJSON file would refuse. It stores nothing.

        `columns`, `values` and `names` are dicts, as in the documentation of `POST /v1/batches`.
        """
        return self._check("/v1/batches", content, content_type, query)

    def check_invoice(self, content: bytes, **query: Any) -> Any:
        """Says what an import of this CSV file would refuse. It stores nothing."""
        return self._check("/v1/courier-invoices", content, "text/csv", query)

    def _check(self, path: str, content: bytes, content_type: str, query: dict[str, Any]) -> Any:
        key = new_key()
        headers = {
            "authorization": f"Bearer {self._api_key}",
            "accept": "application/json",
            "content-type": content_type,
            "idempotency-key": key,
        }
        address = f"{self._base_url}{path}?{urlencode(_texts({**query, 'validate': True}))}"
        value, info = send(Call("POST", address, headers, content, key, True), self._retry)
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
        call = Call(method, f"{self._base_url}{address}{query}", headers, body, key, is_json, wait)
        value, info = send(call, self._retry)
        if answers == "list":
            more = {"scenario": scenario, "if_match": if_match}
            return Pages(value, lambda cursor: self._page(method, path, {**given, "cursor": cursor}, **more))
        if not isinstance(value, dict):
            return value if answers == "bytes" else None
        return _answered(value, info)

    def _page(self, method: str, path: str, fields: dict[str, Any], **options: Any) -> Any:
        return self._call(method, path, "json", fields, **options)


def _answered(value: dict[str, Any], info: AnswerInfo) -> Answered:
    answered = Answered(value)
    answered.info = info
    return answered


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
