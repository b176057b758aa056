"""Metric classes for a measure stage: lists of RTTM paths in, figures out."""

from __future__ import annotations

import inspect
import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import mdeval
from mdeval.errors import InputError, UsageError
from mdeval.measure import DER, JER
from mdeval_metrics import EXAMPLE_REF, EXAMPLE_SYS, Turns
from mdeval_support import run_mdeval, speaker, write
from speechio.errors import SpeechioError

DER_KEYS = ["der", "missed", "false_alarm", "confusion", "scored"]  # measure.md section 4


def rttm(turns: Turns, file: str) -> str:
    return "".join(speaker(on, off - on, name, file) for on, off, name in turns)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the RTTM files of two recordings, each side of each in a file of its own, and a UEM."""
    for file in ("one", "two"):
        write(
            tmp_path,
            **{f"{file}.ref.rttm": rttm(EXAMPLE_REF, file), f"{file}.hyp.rttm": rttm(EXAMPLE_SYS, file)},
        )
    write(tmp_path, uem="one 1 0 32\ntwo 1 0 16\n")
    return tmp_path


def lists(folder: Path | str, *files: str, **more: list[str]) -> dict[str, list[str]]:
    return {
        "utt_id": list(files),
        "ref": [f"{folder}/{file}.ref.rttm" for file in files],
        "hyp": [f"{folder}/{file}.hyp.rttm" for file in files],
        **more,
    }


def test_the_error_rate_of_a_recording(folder: Path) -> None:
    found = DER()(lists(folder, "one", uem=[str(folder / "all.uem")]), "test", folder)
    assert list(found) == DER_KEYS
    assert found == pytest.approx({"der": 7 / 30, "missed": 3, "false_alarm": 1, "confusion": 3, "scored": 30})


def test_several_recordings_are_pooled(folder: Path) -> None:
    found = DER()(lists(folder, "one", "two"), "test", folder)
    wanted = mdeval.score(
        [folder / "one.ref.rttm", folder / "two.ref.rttm"], [folder / "one.hyp.rttm", folder / "two.hyp.rttm"]
    )
    assert found["der"] == wanted.der
    assert found["scored"] == 60


def test_the_same_file_on_every_line_is_read_once(folder: Path) -> None:
    for side in ("ref", "hyp"):
        both = "".join((folder / f"{file}.{side}.rttm").read_text(encoding="utf-8") for file in ("one", "two"))
        (folder / f"all.{side}.rttm").write_text(both, encoding="utf-8")
    data = {
        "utt_id": ["one", "two"],
        "ref": [str(folder / "all.ref.rttm")] * 2,
        "hyp": [str(folder / "all.hyp.rttm")] * 2,
    }
    for metric in (DER(), JER()):
        assert metric(data, "test", folder) == metric(lists(folder, "one", "two"), "test", folder)


@pytest.mark.parametrize("place", ["cwd", "output_dir", "test"])
def test_relative_paths_are_looked_up_in_three_folders(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    root = folder / "infer"
    (root / "test").mkdir(parents=True)
    where = {"cwd": folder, "output_dir": root, "test": root / "test"}[place]
    for path in folder.glob("*.rttm"):
        path.rename(where / path.name)
    monkeypatch.chdir(folder)
    data = lists(".", "one")
    for output_dir in (root, str(root), Path("infer")):
        assert DER()(data, "test", output_dir)["scored"] == 30
    if place != "cwd":
        with pytest.raises(InputError, match="there is no such file"):
            DER()(data, "other", folder)


def test_the_nearest_folder_wins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder / "infer"
    root.mkdir()
    write(root, **{"one.ref.rttm": rttm([(0, 1, "A")], "one")})
    monkeypatch.chdir(folder)
    assert DER()(lists(".", "one"), "test", root)["scored"] == 30


def test_regions_come_from_an_input_or_from_the_constructor(folder: Path) -> None:
    uem = str(folder / "all.uem")
    by_input = DER()(lists(folder, "one", "two", uem=[uem, uem]), "test", folder)
    by_argument = DER(uem=uem)(lists(folder, "one", "two"), "test", folder)
    assert by_input == by_argument
    assert by_input["scored"] == 48  # 30, and 10 + 8 of the first 16 s
    write(folder, **{"short.uem": "one 1 0 1\ntwo 1 0 1\n"})
    short = str(folder / "short.uem")
    assert DER(uem=uem)(lists(folder, "one", "two", uem=[short, short]), "test", folder)["scored"] == 2


def test_one_file_of_regions(folder: Path) -> None:
    write(folder, **{"other.uem": "two 1 0 1\n"})
    data = lists(folder, "one", "two", uem=[str(folder / "all.uem"), str(folder / "other.uem")])
    with pytest.raises(UsageError, match="test: 2 UEM files; put all regions into one"):
        DER()(data, "test", folder)


def test_the_choices_of_scoring(folder: Path) -> None:
    data = lists(folder, "one")
    found = DER(0.25, ignore_overlap=True)(data, "test", folder)
    wanted = mdeval.score(folder / "one.ref.rttm", folder / "one.hyp.rttm", None, 0.25, True)
    assert found["der"] == wanted.der
    assert found["scored"] == wanted.components.scored_speaker_time


def test_the_inputs_may_have_other_names(folder: Path) -> None:
    data = lists(folder, "one")
    renamed = {"utt_id": data["utt_id"], "gold": data["ref"], "system": data["hyp"]}
    assert DER(ref_key="gold", hyp_key="system")(renamed, "test", folder) == DER()(data, "test", folder)
    assert JER(ref_key="gold", hyp_key="system")(renamed, "test", folder) == JER()(data, "test", folder)


def test_an_undefined_rate_is_none(folder: Path) -> None:
    found = DER(collar=50.0)(lists(folder, "one"), "test", folder)
    assert (found["der"], found["scored"]) == (None, 0)


def test_results_can_be_written_as_json(folder: Path) -> None:
    for metric in (DER(), JER(), DER(collar=50.0), JER(collar=50.0)):
        found = metric(lists(folder, "one", "two"), "test", folder)
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_jaccard_error_rate(folder: Path) -> None:
    found = JER()(lists(folder, "one", uem=[str(folder / "all.uem")]), "test", folder)
    assert found == {"jer": pytest.approx(0.3205128, abs=1e-7)}  # diarization-metrics.md section 3
    collared = JER(collar=0.25)(lists(folder, "one", uem=[str(folder / "all.uem")]), "test", folder)
    assert collared == {"jer": pytest.approx(0.2973995, abs=1e-7)}


def test_the_jaccard_error_rate_is_that_of_the_command(folder: Path) -> None:
    refs, hyps = (
        "".join((folder / f"{file}.{side}.rttm").read_text(encoding="utf-8") for file in ("one", "two"))
        for side in ("ref", "hyp")
    )
    write(folder, ref=refs, sys=hyps)
    done = run_mdeval("-r", "ref.rttm", "-s", "sys.rttm", "--metrics", "jer", "--json", "-c", "0.1", cwd=folder)
    document = json.loads(done.stdout)
    metric = JER(0.1)
    assert metric(lists(folder, "one", "two"), "test", folder) == {"jer": document["metrics"]["overall"]["jer"]}
    assert metric.signature == document["signature"]


def test_the_jaccard_error_rate_without_speakers_is_none(folder: Path) -> None:
    write(folder, **{"one.ref.rttm": b"", "one.hyp.rttm": b""})
    assert JER()(lists(folder, "one"), "test", folder) == {"jer": None}
    assert DER()(lists(folder, "one"), "test", folder)["der"] is None


def test_the_signature_says_how_it_was_scored(folder: Path) -> None:
    for metric in (DER(0.25, ignore_overlap=True), JER(0.25, ignore_overlap=True)):
        assert metric.signature == ""
        metric(lists(folder, "one"), "test", folder)
        name = type(metric).__name__.lower()
        assert f"|metric:{name}|collar:0.25|overlap:excluded|uem:inferred|" in metric.signature


def test_an_instance_keeps_nothing_from_one_test_set_to_the_next(folder: Path) -> None:
    for metric in (DER(), JER()):
        first = metric(lists(folder, "one", uem=[str(folder / "all.uem")]), "a", folder)
        metric(lists(folder, "two"), "b", folder)
        assert metric(lists(folder, "one", uem=[str(folder / "all.uem")]), "a", folder) == first


# The contract of measure.md


@pytest.mark.parametrize("metric", [DER, JER])
def test_the_interface_is_that_of_lists(metric: type[DER]) -> None:
    assert metric.measure_interface == "lists"
    assert (metric().ref_key, metric().hyp_key) == ("ref", "hyp")
    assert list(inspect.signature(metric.__call__).parameters) == ["self", "data", "test_name", "output_dir"]


@pytest.mark.parametrize(("name", "wanted"), [("mdeval.der", DER), ("mdeval.jer", JER)])
def test_the_classes_are_registered(name: str, wanted: type[DER]) -> None:
    [found] = entry_points(group="measure_core.metrics", name=name)
    assert found.load() is wanted
    assert found.dist is not None
    assert found.dist.name == "mdeval"


def test_a_configuration_gives_its_arguments_by_name(folder: Path) -> None:
    arguments: dict[str, Any] = {"collar": 0.25, "ignore_overlap": False}
    assert DER(**arguments)(lists(folder, "one"), "test", folder)["scored"] is not None
    with pytest.raises(TypeError, match="colar"):
        DER(colar=0.25)  # type: ignore[call-arg]


# What is wrong


@pytest.mark.parametrize("metric", [DER, JER])
def test_a_missing_input_is_named_with_those_there_are(folder: Path, metric: type[DER]) -> None:
    data = lists(folder, "one")
    with pytest.raises(UsageError, match="there is no input 'gold'; there is 'utt_id', 'ref', 'hyp'"):
        metric(ref_key="gold")(data, "test", folder)
    with pytest.raises(UsageError, match="there is no input 'hyp'; there is 'utt_id', 'ref'"):
        metric()({"utt_id": data["utt_id"], "ref": data["ref"]}, "test", folder)


@pytest.mark.parametrize("metric", [DER, JER])
@pytest.mark.parametrize("key", ["ref", "hyp", "uem"])
def test_a_missing_file_is_named_with_its_input(folder: Path, metric: type[DER], key: str) -> None:
    data = lists(folder, "one")
    data[key] = ["nowhere.rttm"]
    with pytest.raises(InputError, match=rf"nowhere\.rttm: there is no such file \(input '{key}'\)"):
        metric()(data, "test", folder)


def test_a_folder_is_no_file(folder: Path) -> None:
    data = lists(folder, "one")
    data["hyp"] = [str(folder)]
    with pytest.raises(InputError, match="there is no such file"):
        DER()(data, "test", folder)


def test_a_value_that_is_no_path_is_an_empty_one(folder: Path) -> None:
    data = lists(folder, "one")
    data["hyp"] = [""]
    with pytest.raises(InputError, match="there is no such file"):
        DER()(data, "test", folder)


@pytest.mark.parametrize("metric", [DER, JER])
def test_a_broken_file_is_refused(folder: Path, metric: type[DER]) -> None:
    write(folder, **{"one.hyp.rttm": speaker(0, 1, "A", "one") + "SPEAKER one\n"})
    with pytest.raises(SpeechioError, match=r"one\.hyp\.rttm:2"):
        metric()(lists(folder, "one"), "test", folder)


@pytest.mark.parametrize("metric", [DER, JER])
@pytest.mark.parametrize("collar", [-0.25, float("nan"), float("inf")])
def test_impossible_collars_are_refused(folder: Path, metric: type[DER], collar: float) -> None:
    with pytest.raises(UsageError, match="collar is"):
        metric(collar)(lists(folder, "one"), "test", folder)
