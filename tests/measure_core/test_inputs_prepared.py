"""Reading and aligning everything of a plan, each file once."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from measure_core.builtin import WER
from measure_core.config.entries import Entry
from measure_core.config.options import Options
from measure_core.config.plan import Plan
from measure_core.errors import InputError
from measure_core.inputs import prepared as module
from measure_core.inputs.columns import Column, read_column
from measure_core.inputs.prepared import digest, prepare
from measure_scp import write

if TYPE_CHECKING:
    from pathlib import Path


def plan_of(root: Path, inputs: dict[str, dict[str, str]], test_sets: list[str], **options: Any) -> Plan:
    """Make a plan: inputs by key of the metric."""
    entries = [Entry(i, f"metrics[{i}]", key, {}, None, "lists", one) for i, (key, one) in enumerate(inputs.items())]
    return Plan(
        root, root / "measures.json", test_sets, are_discovered=False, entries=entries, options=Options(**options)
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("s", "t"):
        (tmp_path / name).mkdir()
        write(tmp_path / name / "ref.scp", f"b {name}2\na {name}1\nc {name}3\n".encode())
        write(tmp_path / name / "hyp.scp", b"a x\nb y\nc z\n")
        write(tmp_path / name / "short.scp", b"a x\nb y\n")
    return tmp_path


def test_every_pair_is_aligned_and_every_file_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def reading(path: Path) -> Column:
        read.append(path)
        return read_column(path)

    monkeypatch.setattr(module, "read_column", reading)
    inputs = {"m": {"ref": "ref", "hyp": "hyp"}, "n": {"truth": "ref", "guess": "hyp"}, "o": {"only": "hyp"}}
    found, faults = prepare(plan_of(root, inputs, ["t", "s"]))
    assert not faults
    assert list(found) == [(key, name) for name in ("t", "s") for key in inputs]
    assert found["m", "t"].lists() == {"utt_id": ["a", "b", "c"], "ref": ["t1", "t2", "t3"], "hyp": ["x", "y", "z"]}
    assert found["n", "s"].lists() == {"utt_id": ["a", "b", "c"], "truth": ["s1", "s2", "s3"], "guess": ["x", "y", "z"]}
    assert found["o", "s"].lists() == {"utt_id": ["a", "b", "c"], "only": ["x", "y", "z"]}
    assert sorted(read) == sorted(root / s / f"{n}.scp" for s in ("s", "t") for n in ("ref", "hyp"))


def test_two_aliases_of_one_file(root: Path) -> None:
    inputs = {"m": {"a": "ref", "b": "ref"}, "n": {"b": "ref", "c": "ref"}}
    found, faults = prepare(plan_of(root, inputs, ["t"]))
    assert not faults
    assert found["m", "t"].lists() == {"utt_id": ["a", "b", "c"], "a": ["t1", "t2", "t3"], "b": ["t1", "t2", "t3"]}
    assert list(found["n", "t"].lists()) == ["utt_id", "b", "c"]


def test_a_fault_is_told_once_and_the_rest_is_read(root: Path) -> None:
    write(root / "t" / "bad.scp", b"a 1\na 2\n")
    inputs = {
        "m": {"ref": "ref", "hyp": "bad"},
        "n": {"ref": "bad", "hyp": "ref"},
        "o": {"ref": "ref", "hyp": "absent"},
        "p": {"ref": "ref", "hyp": "short"},
        "q": {"truth": "ref", "guess": "short"},
        "r": {"ref": "ref", "hyp": "hyp"},
    }
    found, faults = prepare(plan_of(root, inputs, ["t"]))
    assert list(found) == [("r", "t")]
    texts = [str(fault) for fault in faults]
    assert len(texts) == 3
    assert "bad.scp:2: S002" in texts[0]
    assert "metric o on t" in texts[1]
    assert "absent.scp is missing" in texts[1]
    assert "metric p on t: utterance IDs differ" in texts[2]


def test_options(root: Path) -> None:
    inputs = {"m": {"ref": "ref", "hyp": "short"}}
    found, _ = prepare(plan_of(root, inputs, ["t"], on_mismatch="intersect"))
    assert found["m", "t"].utterances() == ["a", "b"]
    assert found["m", "t"].n_left_out == 1
    found, _ = prepare(plan_of(root, inputs, ["t"], on_mismatch="empty"))
    assert found["m", "t"].lists()["hyp"] == ["x", "y", ""]
    assert found["m", "t"].n_filled == 1
    found, _ = prepare(plan_of(root, {"m": {"ref": "ref"}}, ["t"], limit=2))
    assert found["m", "t"].lists() == {"utt_id": ["a", "b"], "ref": ["t1", "t2"]}


@pytest.mark.parametrize(
    ("statistics", "words"),
    [
        ({"by": "speaker"}, ["3 of 3 utterance IDs have no speaker before '-'"]),
        ({"by": "speaker", "separator": "-", "utt2spk": "absent"}, ["absent: no such file"]),
        ({"by": "speaker", "utt2spk": "some"}, ["1 of 3 utterances are not in it"]),
        ({"by": "speaker", "utt2spk": "bad"}, ["bad:1"]),
        ({"by": "speaker", "utt2spk": "."}, [". is no regular file"]),
        ({"by": "speaker", "utt2spk": "/dev/null"}, ["/dev/null is no regular file"]),
        ({"by": "speaker", "utt2spk": "all"}, []),
        ({"by": "utterance", "utt2spk": "absent"}, []),
        ({"bootstrap": 10}, []),
    ],
)
def test_speakers_are_looked_for_before_any_metric_runs(
    root: Path, monkeypatch: pytest.MonkeyPatch, statistics: dict[str, Any], words: list[str]
) -> None:
    monkeypatch.chdir(root)
    for name, text in (("all", "a s\nb s\nc t\n"), ("some", "a s\nb s\n"), ("bad", "a\n")):
        (root / name).write_text(text, encoding="utf-8")
    plan = plan_of(root, {"m": {"ref": "ref", "hyp": "hyp"}, "n": {"ref": "hyp", "hyp": "ref"}}, ["s", "t"])
    plan = replace(plan, statistics=statistics)
    assert prepare(plan)[1] == []  # these metrics do not count
    plan = replace(plan, entries=[replace(entry, metric=WER()) for entry in plan.entries])
    faults = [str(fault) for fault in prepare(plan)[1]]
    assert len(faults) == len(words)
    assert all(word in fault for word, fault in zip(words, faults, strict=True))


def test_digest(tmp_path: Path) -> None:
    data = b"a 1\n" * 100_000
    assert digest(write(tmp_path / "x.scp", data)) == hashlib.sha256(data).hexdigest()
    with pytest.raises(InputError, match="cannot be read: No such file"):
        digest(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        digest(tmp_path)
