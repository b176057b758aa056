"""The bounded cache."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathbench.cache import BoundedCache


def test_what_was_used_longest_ago_is_forgotten() -> None:
    cache: BoundedCache[bytes] = BoundedCache(10, len)
    cache["a"], cache["b"] = b"1234", b"1234"
    assert cache["a"] == b"1234"
    cache["c"] = b"1234"
    assert dict(cache) == {"a": b"1234", "c": b"1234"}
    cache["a"] = b"1"
    del cache["c"]
    cache["d"] = b"123456789"
    assert list(cache) == ["a", "d"]
    cache["huge"] = bytes(11)
    assert len(cache) == 0
    with pytest.raises(KeyError):
        cache["a"]
    with pytest.raises(KeyError):
        del cache["a"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 12))))
def test_never_more_than_allowed_and_the_newest_stays(work: list[tuple[int, int]]) -> None:
    cache: BoundedCache[bytes] = BoundedCache(20, len)
    for key, size in work:
        cache[key] = bytes(size)
        assert sum(map(len, cache.values())) <= 20
        assert list(cache)[-1] == key
    cache.clear()
    assert len(cache) == 0
