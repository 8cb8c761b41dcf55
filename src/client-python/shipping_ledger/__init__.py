"""The Python client of the shipping-ledger API. It has no dependencies."""

from . import _types as types
from ._client import Client
from ._ensure_shipped import Created, NeedsAttention, NothingCreated, Rejected, Shipped
from ._errors import Action, ShippingLedgerError
from ._newer import is_newer
from ._pages import Pages
from ._resources import OMITTED
from ._transport import AnswerInfo, Retry, info_of
from .webhooks import WebhookRefused, verify_webhook

__all__ = [
    "OMITTED",
    "Action",
    "AnswerInfo",
    "Client",
    "Created",
    "NeedsAttention",
    "NothingCreated",
    "Pages",
    "Rejected",
    "Retry",
    "Shipped",
    "ShippingLedgerError",
    "WebhookRefused",
    "info_of",
    "is_newer",
    "types",
    "verify_webhook",
]
