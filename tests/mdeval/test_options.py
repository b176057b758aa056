"""The arguments, read as Perl's Getopt::Std reads them, and our long options."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdeval.errors import UsageError
from mdeval.options import FLAGS, VALUES, parse
from mdeval_twin import FLAGS as TWIN_FLAGS
from mdeval_twin import VALUED, parse_options


@pytest.mark.parametrize(
    ("arguments", "letters"),
    [
        (["-r", "R", "-s", "S"], {"r": "R", "s": "S"}),
        (["-rR", "-1mvc0.25"], {"r": "R", "1": "1", "m": "1", "v": "1", "c": "0.25"}),
        (["-c", "-1"], {"c": "-1"}),  # a value option takes the next argument whatever it looks like
        (["-c", "1", "-c", "2"], {"c": "2"}),
        (["-c"], {}),  # at the very end without a value: not given
        (["-c", "1", "-c"], {}),
        (["-a", ""], {"a": ""}),
        (["-1", "--", "-m"], {"1": "1"}),
        (["-1-"], {"1": "1"}),
        ([], {}),
    ],
)
def test_letters(arguments: list[str], letters: dict[str, str]) -> None:
    assert parse(arguments).letters == letters


def test_what_follows_the_first_argument_that_is_no_option_is_ignored() -> None:
    options = parse(["-r", "R", "-s", "S", "file", "-1", "--json"])
    assert options.ignored == ["file", "-1", "--json"]
    assert "1" not in options
    assert "json" not in options


def test_a_lone_dash_ends_the_options() -> None:
    assert parse(["-1", "-", "-m"]).ignored == ["-", "-m"]


def test_unknown_letters_are_noted_and_passed_over() -> None:
    options = parse(["-1qm", "-k"])
    assert options.unknown == ["q", "k"]
    assert options.letters == {"1": "1", "m": "1"}


@given(
    st.lists(
        st.sampled_from(
            ["-1", "-m", "-mv", "-c", "-c1", "-q1", "x", "-", "--", "-1c", "0.5", "-a", "cf", "-rA", "-ncx"]
        ),
        max_size=7,
    )
)
def test_letters_are_read_as_in_the_twin(arguments: list[str]) -> None:
    assert parse(arguments).letters == parse_options(arguments)


def test_the_letters_are_those_of_md_eval() -> None:
    assert set(FLAGS) == set(TWIN_FLAGS)
    assert set(VALUES) == set(VALUED)


def test_long_options_may_have_their_value_attached_or_next() -> None:
    for arguments in (["--missing", "skip", "--json"], ["--missing=skip", "--json"]):
        options = parse(arguments)
        assert options.long == {"missing": "skip", "json": "1"}
        assert options.get("missing") == "skip"
        assert "json" in options
        assert "csv" not in options
        assert options.get("csv") == ""
        assert options.get("output", "-") == "-"


def test_long_names_of_the_python_port_are_letters() -> None:
    options = parse(["--ref=R", "--sys", "S", "--uem", "U", "--collar=0.25", "--single-speaker"])
    assert options.letters == {"r": "R", "s": "S", "u": "U", "c": "0.25", "1": "1"}
    assert options.get("c") == "0.25"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jsn"], r"unknown option --jsn \(did you mean --json\?\); mdeval --help lists them all"),
        (["--colar", "1"], r"unknown option --colar \(did you mean --collar\?\)"),
        (["--xyzzy"], "unknown option --xyzzy; mdeval --help lists them all"),
        (["--json=1"], "--json takes no value"),
        (["--single-speaker=1"], "--single-speaker takes no value"),
        (["--missing"], "--missing needs a value: --missing VALUE or --missing=VALUE"),
        (["--ref"], "--ref needs a value"),
    ],
)
def test_long_options_that_cannot_be_read(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(arguments)


def test_abbreviations_are_not_options() -> None:
    with pytest.raises(UsageError, match="unknown option --js "):
        parse(["--js"])
