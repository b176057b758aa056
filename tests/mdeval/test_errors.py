"""The tree of errors."""

import pytest

import mdeval
from mdeval.errors import InputError, MdevalError, UndefinedScoreError, UsageError


@pytest.mark.parametrize(
    ("error", "built_in"),
    [(UsageError, ValueError), (InputError, ValueError), (UndefinedScoreError, ZeroDivisionError)],
)
def test_each_error_is_ours_and_the_built_in_it_is(error: type[MdevalError], built_in: type[Exception]) -> None:
    with pytest.raises(MdevalError, match="^what$"):
        raise error("what")
    with pytest.raises(built_in, match="^what$"):
        raise error("what")


def test_an_error_may_have_md_evals_words() -> None:
    assert InputError("ours", "theirs").nist == "theirs"
    assert InputError("ours").nist == ""
    assert str(InputError("ours", "theirs")) == "ours"


def test_the_package_tells_its_version() -> None:
    assert mdeval.__version__.split(".")[0] == "1"
