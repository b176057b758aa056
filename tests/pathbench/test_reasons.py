"""Scores and their reasons."""

from __future__ import annotations

import pytest

from pathbench.reasons import REASONS, Detail, fault, scored, tell

PUBLISHED = (
    "load_error empty_audio too_short silent no_voiced_frames empty_reference no_reference few_references no_phones "
    "align_failed no_lm unsupported_language evaluator_error"
).split()


def test_every_reason_has_words() -> None:
    assert set(PUBLISHED) <= set(REASONS)
    assert all(REASONS.values())


def test_a_detail_unpacks_into_value_reason_extras() -> None:
    value, reason, extras = scored(1, n=2)
    assert (value, reason, extras) == (1.0, None, {"n": 2})
    assert fault("silent", value=0.0) == Detail(0.0, "silent", {"message": "digital silence"})
    with pytest.raises(KeyError):
        fault("tired")


@pytest.mark.parametrize(
    ("detail", "line"),
    [
        (fault("too_short", duration=0.02), "x.wav: 0.02 s, too short"),
        (fault("load_error", "has 0 bytes"), "x.wav: has 0 bytes"),
        (Detail(None, "silent", {}), "x.wav: digital silence"),
        (fault("too_short", "too short: 2 s are needed", duration=1.0), "x.wav: 1.00 s, too short: 2 s are needed"),
    ],
)
def test_warnings_name_file_and_duration(detail: Detail, line: str) -> None:
    assert tell("x.wav", detail) == line
