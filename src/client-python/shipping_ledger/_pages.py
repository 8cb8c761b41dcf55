from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


class Pages(Generic[Item]):
    """A list. `data` is its first page; iterating requests the other pages as needed."""

    def __init__(self, first: dict[str, Any], read: Callable[[str], dict[str, Any]]) -> None:
        self.data: list[Item] = first["data"]
        self.has_more: bool = first["has_more"]
        self.next_cursor: str | None = first["next_cursor"]
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        yield from self.data
        cursor = self.next_cursor
        while cursor is not None:
            page = self._read(cursor)
            yield from page["data"]
            cursor = None if page["next_cursor"] == cursor else page["next_cursor"]
