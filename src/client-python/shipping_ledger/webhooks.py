from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence

from ._types import WebhookPayload

TOLERANCE_SECONDS = 300
# An endpoint has at most two secrets, and only during a rotation.
SECRETS_MAX = 10
SIGNATURES_MAX = 10


class WebhookRefused(Exception):
    """The body must not be trusted. Respond with 400.

    `reason` is `header_missing`, `outside_tolerance`, `wrong_signature` or `not_json`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"The webhook was refused: {reason}.")
        self.reason = reason


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookPayload:
    """Verifies a webhook as in Standard Webhooks 1.0 and returns the event, a union by `type`.

    `body` must be the raw bytes as received, before any parsing. Several secrets can be given, so
    that both sides need not rotate at the same moment. Raises `WebhookRefused`.
    """
    named = {name.lower(): value for name, value in headers.items()}
    id_, timestamp, given = (
        _header(named, name)
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    moment = time.time() if now is None else now
    is_time = re.fullmatch(r"[0-9]{1,12}", timestamp) is not None
    if not is_time or abs(moment - int(timestamp)) > tolerance_seconds:
        raise WebhookRefused("outside_tolerance")
    signed = f"{id_}.{timestamp}.".encode() + body
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    wanted = [_signature(secret, signed) for secret in keys[:SECRETS_MAX]]
    signatures = given.split(" ")[:SIGNATURES_MAX]
    matches = [hmac.compare_digest(a.encode(), b.encode()) for a in wanted for b in signatures]
    if True not in matches:
        raise WebhookRefused("wrong_signature")
    try:
        event: WebhookPayload = json.loads(body)
        return event
    except ValueError as error:
        raise WebhookRefused("not_json") from error


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "")
    if value == "":
        raise WebhookRefused("header_missing")
    return value


def _signature(secret: str, signed: bytes) -> str:
    try:
        prefix, key = secret[:6], base64.b64decode(secret[6:], validate=True)
    except ValueError:
        prefix, key = "", b""
    if prefix != "whsec_" or key == b"":
        # Not quoted: an invalid secret may still be secret.
        raise ValueError("A webhook secret must be whsec_ followed by base64.")
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"
