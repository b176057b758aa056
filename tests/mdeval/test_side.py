"""What one side holds; how files get into it is in `test_pool`."""

from __future__ import annotations

from mdeval.recording import record
from mdeval.side import ANY_CHANNEL, Side


def test_records_of_a_file_are_merged_into_those_before() -> None:
    one = Side()
    one.add(("f", "1"), record(0.0, 1.0, "SPEAKER", "A"))
    one.merge({("f", "1"): [record(1.0, 1.0, "SPEAKER", "B")], ("g", "1"): []})
    assert [r[4] for r in one.records["f", "1"]] == ["A", "B"]
    assert one.records["g", "1"] == []


def test_a_speaker_has_one_type() -> None:
    one = Side()
    assert one.add_type(("f", "1"), "A", "child")
    assert not one.add_type(("f", "1"), "A", "unknown")
    assert one.add_type(("f", "2"), "A", "unknown")


def test_speakers_without_a_type_are_unknown_after_a_file() -> None:
    one = Side()
    one.add(("f", "1"), record(0.0, 1.0, "SPEAKER", "A"))
    one.add(("f", "1"), record(0.0, 1.0, "SPEAKER", "B"))
    one.add(("f", "1"), record(0.0, 1.0, "NOSCORE", "C"))
    one.add_type(("f", "1"), "A", "child")
    one.end_of_file()
    assert one.types == {("f", "1"): {"A": "child", "B": "unknown"}}
    assert not one.add_type(("f", "1"), "B", "child")


def test_recordings_with_turns_are_in_byte_order() -> None:
    one = Side()
    for key, kind in (
        (("g", "1"), "SPEAKER"),
        (("f", "2"), "SPEAKER"),
        (("f", "1"), "SEGMENT"),
        (("F", "1"), "SPEAKER"),
    ):
        one.add(key, record(0.0, 1.0, kind, "A"))
    assert one.keys_with_turns() == [("F", "1"), ("f", "2"), ("g", "1")]


def test_channels_can_be_forgotten() -> None:
    one = Side()
    one.add(("f", "1"), record(0.0, 1.0, "SPEAKER", "A"))
    one.add(("f", "2"), record(1.0, 1.0, "SPEAKER", "A"))
    one.forget_channels()
    assert [r[1] for r in one.records["f", ANY_CHANNEL]] == [0.0, 1.0]
