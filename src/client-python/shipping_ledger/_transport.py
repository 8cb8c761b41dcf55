from __future__ import annotations

import json
import random
import re
import socket
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, cast
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ._errors import ShippingLedgerError

# The server ends a request after 40 s.
REQUEST_SECONDS = 50.0
# Larger than any label or page; an endless response is not from the service.
ANSWER_BYTES_MAX = 32 * 1024 * 1024
# The service asks the courier for a label again after 10 s, so this is one more attempt.
LABEL_SECONDS = 15.0
# A program should not wait longer than an hour.
RETRY_AFTER_MAX = 3_600.0
FIRST_DELAY, LONGEST_DELAY = 0.5, 8.0
# Nothing listens at the address, or its name is not known.
NOT_CONNECTED = (ConnectionRefusedError, socket.gaierror)


@dataclass(frozen=True)
class Retry:
    """How often and for how long a call is retried."""

    #: Requests of one call, including the first.
    requests_max: int = 5
    #: Seconds from the first request to the last response.
    total_seconds: float = 90.0


@dataclass(frozen=True)
class AnswerInfo:
    status: int
    request_id: str | None
    idempotency_key: str | None
    #: An earlier request with the same key did the work.
    replayed: bool
    etag: str | None
    #: Seconds.
    retry_after: float | None
    #: The number of requests, including retries.
    requests: int
    #: The media type of the body.
    content_type: str | None = None
    #: The name under which a document should be saved, without a folder.
    file_name: str | None = None


class AnsweredBytes(bytes):
    """A document with facts about its response."""

    info: AnswerInfo


class Answered(dict[str, Any]):
    """A decoded object with facts about its response."""

    info: AnswerInfo


def info_of(answered: Any) -> AnswerInfo:
    """The status, request id and idempotency key of the response that contained this object or document."""
    return answered.info


@dataclass(frozen=True)
class Call:
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    idempotency_key: str | None
    is_json: bool
    #: How long to wait for a label that is not ready yet.
    label_seconds: float = LABEL_SECONDS
    #: How long each request may take.
    request_seconds: float = REQUEST_SECONDS

    @property
    def is_read(self) -> bool:
        return self.method == "GET"

    @property
    def is_repeatable(self) -> bool:
        return self.method in ("GET", "DELETE") or self.idempotency_key is not None


class _NoRedirect(HTTPRedirectHandler):
    """A redirect must not carry the key elsewhere."""

    def redirect_request(self, *_arguments: Any, **_more: Any) -> None:
        return None


_opener = build_opener(_NoRedirect)


def new_key() -> str:
    return str(uuid.uuid4())


def send(call: Call, retry: Retry) -> tuple[Any, AnswerInfo]:
    """Sends a request, retries it where that is safe, and returns the response or raises."""
    started = time.monotonic()
    requests = 0
    may_be_executed = False
    while True:
        requests += 1
        try:
            status, headers, body = _once(call)
            return body, _info(call, status, headers, requests)
        except ShippingLedgerError as error:
            if error.status is None and may_be_executed:
                # This request did nothing, but an earlier one may have.
                error.outcome = "unknown"
            may_be_executed = may_be_executed or error.outcome == "unknown"
            # An earlier request, whose response was lost, has deleted it.
            if call.method == "DELETE" and requests > 1 and error.status == 404:
                return None, AnswerInfo(404, error.request_id, call.idempotency_key, False, None, None, requests)
            wait = retry_delay(error, call, requests, retry)
            if wait is None or time.monotonic() - started + wait >= retry.total_seconds:
                raise
            is_late = time.monotonic() - started + wait > call.label_seconds
            if error.reason == "label_not_ready" and is_late:
                raise
            time.sleep(wait)


def retry_delay(
    error: ShippingLedgerError, call: Call, requests: int, retry: Retry
) -> float | None:
    """Seconds before the same request is sent again; None if it must not be or is useless.

    Without a response, only a read, a deletion or a change with an Idempotency-Key is retried. With
    a response, only if the service says `retryable` and time can fix it.
    """
    if requests >= retry.requests_max or not error.retryable:
        return None
    if not call.is_repeatable and error.outcome != "not_executed":
        return None
    status = error.status
    is_healed_by_time = status is None or not 400 <= status < 500 or error.retry_after is not None
    if not is_healed_by_time:
        return None
    return max(backoff(requests), error.retry_after or 0)


def backoff(tries: int) -> float:
    """Seconds to wait after so many tries: they double, with jitter between half and all."""
    doubled = min(LONGEST_DELAY, FIRST_DELAY * 2 ** min(tries - 1, 10))
    return doubled * random.uniform(0.5, 1)


def _once(call: Call) -> tuple[int, Message, Any]:
    request = Request(call.url, call.body, call.headers, method=call.method)
    response: Any
    try:
        try:
            response = _opener.open(request, timeout=call.request_seconds)
        except HTTPError as error:
            response = error
        with response:
            status, headers = response.status, response.headers
            content = response.read(ANSWER_BYTES_MAX + 1)
        if len(content) > ANSWER_BYTES_MAX:
            raise OSError(f"the answer is longer than {ANSWER_BYTES_MAX} bytes")
    except (OSError, HTTPException) as error:
        if isinstance(error, URLError) and isinstance(error.reason, NOT_CONNECTED):
            raise _failure(
                call,
                "No connection to the service could be made: nothing was sent.",
                reason="connection_lost",
                outcome=None if call.is_read else "not_executed",
                retryable=True,
            ) from error
        raise _failure(
            call,
            "The connection was lost before the response was complete.",
            reason="connection_lost",
            retryable=True,
        ) from error
    if not 200 <= status < 300:
        raise _refused(call, status, headers, content)
    if status == 204 or not call.is_json:
        return status, headers, content
    try:
        answer = json.loads(content)
    except ValueError as error:
        raise _unreadable(call, status, headers) from error
    # Every answer of the service is an object.
    if not isinstance(answer, dict):
        raise _unreadable(call, status, headers)
    return status, headers, cast(Any, answer)


def _failure(call: Call, message: str, **facts: Any) -> ShippingLedgerError:
    default: dict[str, Any] = {
        "outcome": None if call.is_read else "unknown",
        "idempotency_key": call.idempotency_key,
    }
    return ShippingLedgerError(message, **{**default, **facts})


def _unreadable(call: Call, status: int, headers: Message) -> ShippingLedgerError:
    return _failure(
        call,
        f"The answer with status {status} is not from the service.",
        reason="unreadable_answer",
        # A gateway in between may be at fault, or the answer was cut off.
        retryable=status < 300 or status >= 500,
        status=status,
        request_id=headers["x-request-id"],
        retry_after=_retry_after(headers),
    )


def _refused(call: Call, status: int, headers: Message, content: bytes) -> ShippingLedgerError:
    try:
        problem = json.loads(content)
        reason, retryable = problem["reason"], problem["retryable"]
    except (ValueError, KeyError, TypeError):
        return _unreadable(call, status, headers)
    outcome = problem.get("outcome") or (None if call.is_read else "unknown")
    return _failure(
        call,
        f"{reason}: {problem.get('detail')}",
        reason=reason,
        retryable=retryable,
        outcome=outcome,
        status=status,
        retry_after=_retry_after(headers),
        problem=problem,
    )


def _retry_after(headers: Message) -> float | None:
    """Parses seconds, as the service sends them, or a gateway's date."""
    text = headers["retry-after"]
    if text is None:
        return None
    try:
        if text.isdecimal():
            seconds = float(text)
        else:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return None
    return min(RETRY_AFTER_MAX, max(0.0, seconds))


def _info(call: Call, status: int, headers: Message, requests: int) -> AnswerInfo:
    return AnswerInfo(
        status=status,
        request_id=headers["x-request-id"],
        idempotency_key=call.idempotency_key,
        replayed=headers["idempotent-replayed"] == "true",
        etag=headers["etag"],
        retry_after=_retry_after(headers),
        requests=requests,
        content_type=headers["content-type"],
        file_name=_file_name(headers),
    )


def _file_name(headers: Message) -> str | None:
    """Whatever a server says, the name is of no other folder."""
    if headers["content-disposition"] is None:
        return None
    name = re.sub(r"[/\\\x00-\x1f\x7f-\x9f]", "-", headers.get_filename("")).lstrip(".")
    return name or None
