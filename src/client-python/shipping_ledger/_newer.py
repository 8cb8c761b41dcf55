from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._errors import ShippingLedgerError


def is_newer(
    stored: int | Mapping[str, Any] | None, seen: Mapping[str, Any] | ShippingLedgerError
) -> bool:
    """Whether what was seen is newer than what is stored, no matter how it arrived.

    `stored` is the stored version, or the stored object; None if nothing is stored yet. `seen` is a
    shipment of a response, the event of a webhook or an error. Compare only versions of one
    resource.
    """
    known = stored if stored is None or isinstance(stored, int) else stored["version"]
    version = _version_of(seen)
    return version is not None and (known is None or version > known)


def _version_of(seen: Mapping[str, Any] | ShippingLedgerError) -> int | None:
    if isinstance(seen, ShippingLedgerError):
        return seen.shipment_version
    version: int | None = seen.get("resource", seen)["version"]
    return version
