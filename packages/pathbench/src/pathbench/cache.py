"""A mapping that forgets what was used longest ago, when it holds too many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from threading import Lock
from typing import TypeVar

__all__ = ["BoundedCache"]

Value = TypeVar("Value")


class BoundedCache(MutableMapping[Hashable, Value]):
    """Keep the values used last, up to a number of bytes; threads may share it.

    Parameters
    ----------
    max_bytes : int
        Bytes to keep.
    size : callable
        Gives the bytes of a value.

    Examples
    --------
    >>> cache = BoundedCache(10, len)
    >>> cache["a"], cache["b"] = b"12345", b"1234"
    >>> cache["a"], cache.update(c=b"123")
    (b'12345', None)
    >>> list(cache)
    ['a', 'c']
    """

    def __init__(self, max_bytes: int, size: Callable[[Value], int]) -> None:
        self.max_bytes = max_bytes
        self._size = size
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def __getitem__(self, key: Hashable) -> Value:
        with self._lock:
            self._kept.move_to_end(key)
            return self._kept[key]

    def __setitem__(self, key: Hashable, value: Value) -> None:
        with self._lock:
            if key in self._kept:
                self._n_bytes -= self._size(self._kept.pop(key))
            self._kept[key] = value
            self._n_bytes += self._size(value)
            while self._n_bytes > self.max_bytes:
                self._n_bytes -= self._size(self._kept.popitem(last=False)[1])

    def __delitem__(self, key: Hashable) -> None:
        with self._lock:
            self._n_bytes -= self._size(self._kept.pop(key))

    def __iter__(self) -> Iterator[Hashable]:
        return iter(tuple(self._kept))

    def __len__(self) -> int:
        return len(self._kept)
