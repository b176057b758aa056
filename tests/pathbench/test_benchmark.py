"""Whole runs over a small dataset, against a run of the upstream code (origin in data/README.md)."""

from __future__ import annotations

import json
import logging
import math
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
import soundfile

from pathbench.audio import Recording
from pathbench.benchmark import Choices, Run, compute, dataset_name, prepare
from pathbench.engine import Engine
from pathbench.errors import InputError, UsageError
from pathbench.evaluator import LookupEvaluator, ReferenceFreeEvaluator
from pathbench.outcome import Outcome, outcome, refuse_unusable
from pathbench.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pathbench.audio import FloatArray
    from pathbench.plan import Level
    from pathbench.selection import Choice

DATA = Path(__file__).parent / "data"
MINI = DATA / "minidata" / "mini" / "pathological" / "word" / "balanced"
GOLDEN: dict[str, Any] = json.loads((DATA / "minidata.json").read_text(encoding="utf-8"))[
    "minidata/datasets/mini/pathological/word/balanced"
]
TOLERANCE: dict[str, dict[str, Any]] = {
    "cpp": {"rel": 1e-6},
    "std_pitch": {"rel": 1e-4},
    "praat_speech_rate": {"rel": 1e-4},
    "wada_snr": {"abs": 2e-3},
    "p_estoi_control": {"abs": 1e-6},
    "p_estoi_all": {"abs": 1e-6},
    "vsa": {"rel": 1e-2},
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "scores.sqlite")) as opened:
        yield opened


def go(
    store: Store,
    path: Path,
    evaluators: list[Choice] | None,
    jobs: int = 1,
    level: Level = "speaker",
    **choices: Any,
) -> Run:
    run = prepare(str(path), "d", Choices(evaluators, **choices), level)
    compute(run, store, Engine(jobs))
    return run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, Store]]:
    with Store(str(tmp_path_factory.mktemp("run") / "scores.sqlite")) as opened:
        yield go(opened, MINI, None), opened


def test_scores_are_those_of_the_upstream_run(whole: tuple[Run, Store]) -> None:
    run, store = whole
    scores = {(one.metric, one.unit): one.detail.value for one in store.results("d")}
    n_compared = 0
    for table in ("utterance", "reference"):
        for utt, metrics in GOLDEN[table].items():
            for metric, stored in metrics.items():
                if metric in TOLERANCE:
                    wanted = None if stored is None or isinstance(stored, dict) else float(stored)
                    found = scores[metric, utt]
                    if wanted is None:
                        assert found is None
                    else:
                        assert found == pytest.approx(wanted, **TOLERANCE[metric]), (metric, utt)
                    n_compared += 1
    assert n_compared == 4 * 20 + 2 * 18
    assert {utt: scores["vsa", utt] for utt in run.speakers} == pytest.approx(GOLDEN["speaker"]["vsa"], rel=1e-2)


def test_correlations_are_those_of_the_upstream_run(whole: tuple[Run, Store]) -> None:
    found = outcome(*whole)
    assert found.common == ("P01", "P02", "P03", "P04", "P05")
    assert (found.n_utterances, found.n_speakers, found.n_rated) == (20, 6, 5)
    wanted = {metric: GOLDEN["pcc"][f"pcc_{metric}"] for metric in TOLERANCE}
    assert {one.name: one.correlation.pcc for one in found.metrics} == pytest.approx(wanted, abs=1e-3)


def test_what_could_not_be_scored_has_a_reason(whole: tuple[Run, Store]) -> None:
    by_unit: dict[str, set[str | None]] = {}
    for score in outcome(*whole).faults:
        by_unit.setdefault(score.unit, set()).add(score.detail.reason)
    assert by_unit["P03_lost"] == {"load_error", "no_reference"} or by_unit["P03_lost"] == {"load_error"}
    assert by_unit["P02_orange"] == {"no_reference"}
    assert by_unit["P03"] == {"load_error"}  # whose vowels are those of the other recordings
    assert set(by_unit) == {"P03_lost", "P02_orange", "P03"}


def test_a_second_run_computes_nothing_and_processes_change_nothing(whole: tuple[Run, Store], tmp_path: Path) -> None:
    _, store = whole
    before = store.content()
    assert go(store, MINI, None).n_computed == 0
    assert store.content() == before
    with Store(str(tmp_path / "other.sqlite")) as other:
        go(other, MINI, None, jobs=2)
        there = other.content()
    assert [row[:10] for row in there] == [row[:10] for row in before]
    ours, theirs = ([math.nan if row[10] is None else float(str(row[10])) for row in rows] for rows in (before, there))
    # linear algebra with another number of threads adds in another order
    assert theirs == pytest.approx(ours, rel=1e-11, abs=1e-12, nan_ok=True)


class Count(ReferenceFreeEvaluator):
    """Count the samples, and how often it was asked."""

    name: ClassVar[str] = "count"
    calls: ClassVar[list[int]] = []

    def _score_audio(self, audio: FloatArray, fs: int) -> float:
        assert fs == 16000
        assert audio.dtype == np.float32
        self.calls.append(len(audio))
        return float(len(audio))


class Picky(ReferenceFreeEvaluator):
    """Fail on some recordings."""

    def _score_audio(self, audio: FloatArray, fs: int) -> float | None:
        del fs
        if len(audio) % 2:
            raise ZeroDivisionError("odd")
        return None if len(audio) % 4 else float(len(audio))


class Letters(LookupEvaluator):
    """Score the name of an utterance."""

    def score(self, utterance_id: str) -> float | None:
        return float(len(utterance_id)) if utterance_id != "u3" else None


def tone(path: Path, seconds: float, rate: int = 16000) -> None:
    time = np.arange(round(seconds * rate)) / rate
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * 150 * time), rate, subtype="PCM_16")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a dataset of four utterances, of speakers A, B and of nobody."""
    folder = tmp_path / "set" / "pathological"
    folder.mkdir(parents=True)
    for i in range(1, 5):
        tone(folder / f"{i}.wav", i / 10 + i / 16000)
    (folder / "wav.scp").write_text("".join(f"u{i} {i}.wav\n" for i in range(1, 5)), encoding="utf-8")
    (folder / "utt2spk").write_text("u1 A\nu2 A\nu3 B\n", encoding="utf-8")
    (folder / "spk2score").write_text("A 1\nB 2\n", encoding="utf-8")
    (folder / "utt2score").write_text("u1 1\nu2 3\nu3 2\nu4 4\n", encoding="utf-8")
    (folder / "text").write_text("".join(f"u{i} word\n" for i in range(1, 5)), encoding="utf-8")
    (folder / "language").write_text("nl\n", encoding="utf-8")
    return folder


def test_only_what_changed_is_scored_again(store: Store, small: Path) -> None:
    Count.calls.clear()
    run = go(store, small, [Count()])
    assert Count.calls == [1601, 3202, 4803]  # u4 has no speaker
    assert run.n_computed == 3
    tone(small / "2.wav", 0.5)
    assert go(store, small, [Count()]).n_computed == 1
    (small / "text").write_text("u1 word\nu2 word\nu3 sentence\n", encoding="utf-8")
    assert go(store, small, [Count(), "wpm"]).n_computed == 3
    (small / "text").write_text("u1 word\nu2 word\nu3 two words\n", encoding="utf-8")
    assert go(store, small, [Count(), "wpm"]).n_computed == 1  # texts matter to what reads them only
    assert Count.calls == [1601, 3202, 4803, 8000]


def test_parameters_are_part_of_what_is_kept(store: Store, small: Path) -> None:
    assert go(store, small, ["cpp"]).n_computed == 3
    assert go(store, small, ["cpp"], undefined="none").n_computed == 3
    assert go(store, small, ["cpp"]).n_computed == 0


def test_an_exception_is_recorded_and_the_run_goes_on(store: Store, small: Path) -> None:
    run = go(store, small, [Picky()])
    found = {one.unit: one.detail for one in store.results("d")}
    assert found["u1"].reason == "evaluator_error"
    assert found["u1"].extras["message"] == "ZeroDivisionError: odd"
    assert found["u2"].reason == "unstated"
    assert found["u3"].reason == "evaluator_error"
    assert outcome(run, store).reasons == {"evaluator_error": 2, "unstated": 1}


def test_infinite_scores_are_errors(store: Store, small: Path) -> None:
    class Infinite(ReferenceFreeEvaluator):
        def _score_audio(self, audio: FloatArray, fs: int) -> float:
            del fs
            return math.inf if len(audio) > 2000 else math.nan

    go(store, small, [Infinite()])
    found = {one.unit: one.detail for one in store.results("d")}
    assert found["u2"].reason == "evaluator_error"
    assert found["u1"].value is not None
    assert math.isnan(found["u1"].value)
    assert found["u1"].reason == "not_a_number"


def test_lookups_take_the_first_value(store: Store, small: Path) -> None:
    run = go(store, small, [Letters(), "cpp"])
    values = {one.name: one.values for one in outcome(run, store).metrics}
    assert values["letters"] == {"A": 2.0}
    assert set(values["cpp"]) == {"A", "B"}


def test_segments_are_scored_like_files_of_their_own(store: Store, small: Path, tmp_path: Path) -> None:
    pieces = [soundfile.read(small / f"{i}.wav", dtype="int16")[0] for i in (1, 2, 3)]
    joined = tmp_path / "joined"
    shutil.copytree(small, joined)
    soundfile.write(joined / "all.wav", np.concatenate(pieces), 16000)
    (joined / "wav.scp").write_text("r all.wav\n", encoding="utf-8")
    ends = np.cumsum([0, *map(len, pieces)]) / 16000
    lines = (f"u{i} r {ends[i - 1]:.7f} {ends[i]:.7f}\n" for i in (1, 2, 3))
    (joined / "segments").write_text("".join(lines), encoding="utf-8")
    go(store, small, ["cpp", "wpm"])
    apart = [(one.metric, one.unit, one.detail.value) for one in store.results("d")]
    with Store(str(tmp_path / "joined.sqlite")) as other:
        go(other, joined, ["cpp", "wpm"])
        together = [(one.metric, one.unit, one.detail.value) for one in other.results("d")]
    assert [row[:2] for row in together] == [row[:2] for row in apart]
    assert [row[2] for row in together] == pytest.approx([row[2] for row in apart], rel=1e-3)


def test_without_a_control_set_there_are_no_metrics_with_references(
    store: Store, small: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, ["cpp", "p_estoi"])
    assert [metric.name for metric in run.metrics] == ["cpp"]
    assert "there are no metrics with references" in caplog.text
    control = tmp_path / "set" / "control"
    control.mkdir()
    with caplog.at_level(logging.WARNING, "pathbench"):
        assert [metric.name for metric in go(store, small, ["cpp", "p_estoi"]).metrics] == ["cpp"]
    assert f"{control}: there is no wav.scp, so there are no metrics with references" in caplog.text
    youtube = tmp_path / "youtube"
    shutil.copytree(small, youtube)
    assert [metric.name for metric in go(store, youtube, ["p_estoi", "cpp"]).metrics] == ["cpp"]
    # upstream takes such a set for its own reference
    names = [metric.name for metric in go(store, youtube, ["p_estoi"], compat="upstream").metrics]
    assert names == ["p_estoi_control", "p_estoi_all"]


def test_a_language_without_vowels_skips_the_metric(
    store: Store, small: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (small / "language").write_text("fi\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, ["cpp", "vsa"])
    assert [metric.name for metric in run.metrics] == ["cpp"]
    assert "vsa is left out" in caplog.text


def test_utterance_level(store: Store, small: Path) -> None:
    run = go(store, small, [Count(), Picky(), "cpp"], level="utterance")
    found: Outcome = outcome(run, store)
    assert {one.name: one.correlation.n for one in found.metrics} == {"count": 0, "picky": 0, "cpp": 0}
    own = outcome(run, store, complete="per-metric")
    assert {one.name: one.correlation.n for one in own.metrics} == {"count": 3, "picky": 0, "cpp": 3}
    ratings, lengths = [1.0, 3.0, 2.0], [1601.0, 3202.0, 4803.0]
    assert own.metrics[0].correlation.pcc == pytest.approx(np.corrcoef(ratings, lengths)[0, 1], abs=1e-14)


def unusable(path: Path, level: Level = "speaker") -> str:
    with pytest.raises(InputError) as caught:
        refuse_unusable(prepare(str(path), "d", Choices(["cpp"]), level))
    return str(caught.value)


def test_unrated_sets_are_refused(small: Path) -> None:
    refuse_unusable(prepare(str(small), "d", Choices(["cpp"])))
    (small / "spk2score").unlink()
    assert "there is no spk2score" in unusable(small)
    refuse_unusable(prepare(str(small), "d", Choices(["cpp"]), "utterance"))
    (small / "utt2score").unlink()
    assert "there is no utt2score" in unusable(small, "utterance")


def test_sets_without_recordings_are_refused(small: Path) -> None:
    (small / "utt2spk").write_text("v1 A\nv2 B\n", encoding="utf-8")
    assert "no recording is of an utterance in utt2spk" in unusable(small)
    (small / "wav.scp").write_text("", encoding="utf-8")
    assert "wav.scp is empty, so there is nothing to score" in unusable(small)
    (small / "wav.scp").unlink()
    (small / "segments").write_text("u1 r1 0 0.1\n", encoding="utf-8")
    assert "there is no wav.scp, so there is nothing to score" in unusable(small)


def test_ratings_that_say_nothing_are_refused(small: Path) -> None:
    (small / "spk2score").write_text("A N/A\nB N/A\n", encoding="utf-8")
    (small / "utt2score").write_text("u1 N/A\nu2 N/A\n", encoding="utf-8")
    assert "every rating in spk2score is N/A" in unusable(small)
    assert "every rating in utt2score is N/A" in unusable(small, "utterance")
    (small / "spk2score").write_text("A N/A\nC 1\n", encoding="utf-8")
    (small / "utt2score").write_text("u9 1\n", encoding="utf-8")
    assert "no speaker that is rated has a recording" in unusable(small)
    assert "no utterance that is rated has a recording" in unusable(small, "utterance")
    (small / "spk2score").write_text("", encoding="utf-8")
    assert "spk2score is empty, so there is nothing to compare with" in unusable(small)
    (small / "utt2spk").write_text("", encoding="utf-8")
    assert "utt2spk is empty" in unusable(small)


def test_the_rated_that_have_no_recording_are_missing(
    store: Store, small: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # the name of the first is that of an utterance of somebody else
    (small / "spk2score").write_text("A 1\nB 2\nu1 3\nZZ 4\nYY N/A\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, [Count(), "f0_range", "cpp"])
        found = outcome(run, store)
    assert found.reasons == {"load_error": 6}
    assert [(one.metric, one.unit) for one in found.faults] == [
        (metric, unit) for metric in ("count", "cpp", "f0_range") for unit in ("ZZ", "u1")
    ]
    assert {one.name: set(one.values) for one in found.metrics}["count"] == {"A", "B"}
    assert found.metrics[0].values["A"] == (1601 + 3202) / 2
    assert caplog.text.count("ZZ: the speaker is rated and has no recording") == 1
    (small / "utt2score").write_text("u1 1\nu2 3\nu4 4\nu9 5\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, [Count()], level="utterance")
        found = outcome(run, store)
    assert [(one.unit, one.detail.reason, one.detail.extras["message"]) for one in found.faults] == [
        ("u4", "no_entry", "the utterance is rated and has no speaker in utt2spk"),
        ("u9", "load_error", "the utterance is rated and has no recording"),
    ]
    assert found.reasons == {"no_entry": 1, "load_error": 1}
    assert "u9: the utterance is rated and has no recording" in caplog.text


def test_an_unknown_age_is_no_fault(store: Store, small: Path, caplog: pytest.LogCaptureFixture) -> None:
    (small / "spk2age").write_text("A N/A\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, ["spk2age", "cpp"])
        found = outcome(run, store)
    assert found.reasons == {}
    assert found.faults == ()
    assert [record.getMessage().removeprefix(str(small)) for record in caplog.records] == [
        "/spk2age: 1 of 1 values are N/A: A",
        ": 1 utterances have no speaker and are left out: u4",
    ]
    assert {one.name: one.correlation.n for one in found.metrics} == {"spk2age": 0, "cpp": 2}


def test_utterances_need_no_scores_of_speakers(store: Store, small: Path, caplog: pytest.LogCaptureFixture) -> None:
    (small / "utt2score").write_text("u1 1\nu2 3\nu3 2\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, ["vsa", "cpp", Letters()], level="utterance")
        found = outcome(run, store)
    assert run.n_computed == 3
    assert {one.metric for one in store.results("d")} == {"cpp"}
    assert found.reasons == {}
    assert "letters, vsa: no scores of utterances" in caplog.text


def test_utterances_need_no_speakers(store: Store, small: Path) -> None:
    (small / "utt2spk").unlink()
    [found] = outcome(go(store, small, [Count()], level="utterance"), store).metrics
    assert found.correlation.ids == ("u1", "u2", "u3", "u4")
    assert "there is no utt2spk" in unusable(small)


def test_names_of_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert dataset_name("a/b/") == "a/b"
    assert dataset_name(".") == tmp_path.name
    assert dataset_name("../elsewhere") == str(tmp_path.parent / "elsewhere").lstrip("/")
    assert dataset_name("/x/y/z", "/x") == "y/z"
    with pytest.raises(InputError, match="is not below"):
        dataset_name("/y/z", "/x")


def test_two_metrics_of_one_name_are_refused(small: Path) -> None:
    with pytest.raises(UsageError, match="two evaluators are called count"):
        prepare(str(small), "d", Choices([Count(), Count()]))


class Scale(Count):
    """Count otherwise, by a choice."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def _score_audio(self, audio: FloatArray, fs: int) -> float:
        del fs
        return self.factor * len(audio)


def test_two_runs_into_one_store_do_not_mix(store: Store, small: Path) -> None:
    run = go(store, small, [Scale(1.0)])
    with Store(store.path) as other:
        second = go(other, small, [Scale(2.0)])
        assert outcome(second, other).metrics[0].values == {"A": 4803.0, "B": 9606.0}
    [found] = outcome(run, store).metrics
    assert found.values == {"A": 2401.5, "B": 4803.0}
    assert "|factor:1|" in found.signature


class Moody(ReferenceFreeEvaluator):
    """Fail, or not, by the weather."""

    name: ClassVar[str] = "moody"
    fails: ClassVar[bool] = True

    def _score_audio(self, audio: FloatArray, fs: int) -> float:
        del audio, fs
        if self.fails:
            raise OSError("no weather")
        return 1.0


def test_what_failed_is_tried_again(store: Store, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go(store, small, [Moody()])
    assert {one.detail.reason for one in store.results("d")} == {"evaluator_error"}
    monkeypatch.setattr(Moody, "fails", False)
    assert go(store, small, [Moody()]).n_computed == 3
    assert {one.detail.value for one in store.results("d")} == {1.0}
    assert go(store, small, [Moody()]).n_computed == 0


def test_a_file_that_could_not_be_read_is_read_again(
    store: Store, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(store, small, ["cpp"])  # so that the hashes are known
    with monkeypatch.context() as patch:
        patch.setattr("pathbench.work.read_audio", lambda *_: Recording(None, 0, "load_error", "no permission"))
        go(store, small, ["wada_snr"])
        assert {one.detail.reason for one in store.results("d", ["wada_snr"])} == {"load_error"}
    assert go(store, small, ["wada_snr"]).n_computed == 3
    assert {one.detail.reason for one in store.results("d")} == {None}
    # what is not there needs no second try, until it is there
    (small / "3.wav").rename(small / "away.wav")
    assert go(store, small, ["cpp"]).n_computed == 1
    assert go(store, small, ["cpp"]).n_computed == 0
    (small / "away.wav").rename(small / "3.wav")
    go(store, small, ["cpp"])
    assert {one.detail.reason for one in store.results("d", ["cpp"])} == {None}


class Replacing(ReferenceFreeEvaluator):
    """Give the number of samples; the first time it is asked, all files become longer."""

    name: ClassVar[str] = "replacing"
    folder: ClassVar[Path]
    n_asked: ClassVar[list[int]] = []
    most: ClassVar[int] = 1

    def _score_audio(self, audio: FloatArray, fs: int) -> float:
        del fs
        self.n_asked.append(len(audio))
        if len(self.n_asked) <= self.most:
            for i in (1, 2, 3):
                tone(self.folder / f"{i}.wav", i + len(self.n_asked))
        return float(len(audio))


@pytest.mark.parametrize("window", [1, 64])
def test_files_that_are_replaced_during_a_run(
    window: int, store: Store, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "window", window)
    monkeypatch.setattr(Replacing, "folder", small, raising=False)
    Replacing.n_asked.clear()
    go(store, small, [Replacing()])
    wanted = {"u1": 32000.0, "u2": 48000.0, "u3": 64000.0}
    assert {one.unit: one.detail.value for one in store.results("d")} == wanted
    assert go(store, small, [Replacing()]).n_computed == 0
    # one that never stays the same has no score
    monkeypatch.setattr(Replacing, "most", 1000)
    tone(small / "1.wav", 0.7)
    go(store, small, [Replacing()])
    detail = {one.unit: one.detail for one in store.results("d")}["u1"]
    assert (detail.value, detail.reason) == (None, "load_error")
    assert "changes while it is read" in str(detail.extras["message"])


def test_segments_without_a_recording_are_missing_scores(
    store: Store, small: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = "u1 r1 0 0.1\nu2 r9 0 0.1\nu3 r9 0.1 0.2\n"
    (small / "segments").write_text(lines, encoding="utf-8")
    (small / "wav.scp").write_text("r1 1.wav\n", encoding="utf-8")
    (small / "utt2spk").write_text("u1 A\nu2 A\nu3 B\nu8 B\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pathbench"):
        run = go(store, small, ["cpp", "f0_range", Letters()])
        found = outcome(run, store)
    assert found.reasons["load_error"] == 4  # two utterances, and both speakers
    assert "u2: its recording r9 is not in wav.scp" in caplog.text
    assert "A: 1 recordings of the speaker cannot be read: u2 has no recording in wav.scp" in caplog.text
    assert "1 utterances have a speaker but are not in segments, and are left out: u8" in caplog.text
    assert {one.name: set(one.values) for one in found.metrics}["letters"] == {"A"}
    again = go(store, small, ["cpp"])
    assert again.n_computed == 0
    (small / "wav.scp").write_text("r1 1.wav\nr9 3.wav\n", encoding="utf-8")
    assert outcome(go(store, small, ["cpp"]), store).reasons == {}


@pytest.mark.parametrize("where", ["..", ".", "../..", "word"])
def test_the_control_set_is_found_from_anywhere(
    where: str, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = tmp_path / "pathological-study" / "set" / "pathological" / "word"
    word.parent.mkdir(parents=True)
    shutil.copytree(small, word)
    shutil.copytree(small, tmp_path / "pathological-study" / "set" / "control" / "word")
    monkeypatch.chdir(word.parent / where)
    run = prepare(os.path.relpath(word), "d", Choices(["p_estoi"]))
    assert [metric.name for metric in run.metrics] == ["p_estoi_control", "p_estoi_all"]


def test_what_was_asked_for_and_cannot_be_had_is_told(
    small: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    youtube = tmp_path / "youtube"
    shutil.copytree(small, youtube)
    with caplog.at_level(logging.WARNING, "pathbench"):
        prepare(str(youtube), "d", Choices(["spk2age", "p_estoi", "cpp"]))
    assert "spk2age is left out: there is no spk2age" in caplog.text
    assert "p_estoi is left out: the path of the dataset does not say pathological" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING, "pathbench"):
        prepare(str(youtube), "d", Choices())
    assert "spk2age" not in caplog.text


def test_languages_in_capitals(small: Path) -> None:
    (small / "language").write_text("NL\n", encoding="utf-8")
    run = prepare(str(small), "d", Choices(["vsa"]))
    assert [metric.name for metric in run.metrics] == ["vsa"]
    assert run.dataset.language == "nl"


class Counter(ReferenceFreeEvaluator):
    """Count its own calls in public."""

    name: ClassVar[str] = "counter"

    def __init__(self) -> None:
        self.n = 0

    def _score_audio(self, audio: FloatArray, fs: int) -> float:
        del fs
        self.n += 1
        return float(len(audio))


def test_a_signature_is_that_of_the_beginning(store: Store, small: Path) -> None:
    found = outcome(go(store, small, [Counter()]), store).metrics[0].signature
    assert "|n:0|" in found


def test_classes_within_functions_serve(store: Store, small: Path) -> None:
    class Local(ReferenceFreeEvaluator):
        def _score_audio(self, audio: FloatArray, fs: int) -> float:
            del fs
            return float(len(audio))

    for jobs in (1, 2):
        (small / "1.wav").touch()
        run = go(store, small, [Local], jobs=jobs)
        assert [metric.name for metric in run.metrics] == ["local"]


def test_an_empty_name_is_no_dataset() -> None:
    with pytest.raises(UsageError, match="the name of a dataset is empty"):
        prepare("", "d", Choices(["cpp"]))


def test_what_is_told_of_a_file_is_what_is_wrong_now(store: Store, small: Path) -> None:
    def told() -> object:
        go(store, small, ["cpp"])
        return {one.unit: one.detail.extras.get("message") for one in store.results("d")}["u3"]

    (small / "3.wav").unlink()
    assert told() == "no such file"
    (small / "3.wav").mkdir()
    assert told() == "is a directory; a file is wanted"
    (small / "3.wav").rmdir()
    (small / "3.wav").write_bytes(b"")
    assert told() == "has 0 bytes"
    tone(small / "3.wav", 0.3)
    assert told() is None
