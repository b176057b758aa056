"""The errors: what they are, what they say, and that they survive the way from another process."""

from __future__ import annotations

import pickle

import pytest

from discophon import errors

KINDS = {
    "DatasetError": ValueError,
    "FormatError": ValueError,
    "MismatchError": ValueError,
    "MissingFileError": FileNotFoundError,
    "NoPredictionsError": FileNotFoundError,
    "OutOfRangeError": IndexError,
    "UndefinedScoreError": ZeroDivisionError,
    "UsageError": ValueError,
    "WorkerError": RuntimeError,
}


@pytest.mark.parametrize("name", KINDS)
def test_each_is_the_builtin_that_habit_has(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, KINDS[name])
    assert issubclass(kind, errors.DiscophonError)
    error = kind("f.txt", 3, "wrong", "mend it") if name == "FormatError" else kind("wrong")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (kind, str(error))


def test_the_tree_at_the_top_is_complete() -> None:
    assert errors.__doc__ is not None
    named = {name for name in errors.__all__ if name.endswith("Error")}
    assert named == {*KINDS, "DiscophonError"}
    assert all(name in errors.__doc__ for name in named)


def test_a_format_error_says_where_what_and_what_to_do() -> None:
    assert str(errors.FormatError("f.txt", 3, "wrong", "mend it")) == "f.txt:3: wrong; fix: mend it"
    assert str(errors.FormatError("f.txt", None, "wrong")) == "f.txt: wrong"


def test_a_place_is_put_in_front() -> None:
    with pytest.raises(errors.MismatchError, match=r"^a against b: wrong$"), errors.said_about("a against b"):
        raise errors.MismatchError("wrong")
    with pytest.raises(errors.UsageError, match=r"^wrong$"), errors.said_about("a against b"):
        raise errors.UsageError("wrong")
