"""The tree of errors."""

import pytest

import mdeval
from mdeval.errors import InputError, MdevalError, UndefinedScoreError, UsageError


@pytest.mark.parametrize(
    ("error", "built_in"),
    [(UsageError, ValueError), (InputError, ValueError), (UndefinedScoreError, ZeroDivisionError)],
)
def test_each_error_is_ours_and_the_built_in_it_is(error: type[MdevalError], built_in: type[Exception]) -> None:
    with pytest.raises(MdevalError, match=r"^what$"):
        raise error("what")
    with pytest.raises(built_in, match=r"^what$"):
        raise error("what")


def test_an_error_may_have_md_evals_words() -> None:
    assert InputError("ours", "theirs").nist == "theirs"
    assert InputError("ours").nist == ""
    assert str(InputError("ours", "theirs")) == "ours"


def test_the_package_tells_its_version() -> None:
    assert mdeval.__version__.split(".")[0] == "1"


def test_public_names_are_loaded_where_they_are_used() -> None:
    assert set(mdeval.__all__) <= set(dir(mdeval))
    assert all(getattr(mdeval, name) is not None for name in mdeval.__all__)
    with pytest.raises(AttributeError, match="module 'mdeval' has no attribute 'nothing'"):
        mdeval.nothing  # noqa: B018
