"""The Python client of the shipping-ledger API. It has no dependencies."""

from ._client import AnswerInfo, Client, CreationResult, info_of
from ._errors import ShippingLedgerError
from ._pages import Pages
from ._resources import OMITTED
from ._transport import Retry
from .webhooks import WebhookRefused, verify_webhook

__all__ = [
    "OMITTED",
    "AnswerInfo",
    "Client",
    "CreationResult",
    "Pages",
    "Retry",
    "ShippingLedgerError",
    "WebhookRefused",
    "info_of",
    "verify_webhook",
]
