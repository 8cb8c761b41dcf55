from __future__ import annotations

from . import _types as types
from ._transport import info_of

# A lost response without further trouble is resolved after about three and a half minutes.
FOLLOW_SECONDS = 240.0
# Looks are seconds apart at first and half a minute later; asking more often yields nothing new.
ASK_APART_MIN, ASK_APART_MAX = 1.0, 15.0
# A small batch ends within seconds. A large one takes minutes, so it is read less and less often.
BATCH_APART_GROWTH = 1.5


def seconds_to_next_look(operation: types.Operation) -> float | None:
    """When to read an operation again; None if it has ended.

    `human_review` is not the end, because the courier's answer may resolve the operation.
    """
    is_reviewed = operation["result"] == "human_review"
    if operation["result"] is not None and not is_reviewed:
        return None
    asked = info_of(operation).retry_after or (ASK_APART_MAX if is_reviewed else ASK_APART_MIN)
    return min(ASK_APART_MAX, max(ASK_APART_MIN, asked))
