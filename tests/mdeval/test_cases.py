"""Inputs people trip over: the figures, and that they are told."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from mdeval_support import DATA, run_mdeval

if TYPE_CHECKING:
    from pathlib import Path

CASES = {folder.name: folder for folder in sorted((DATA / "cases").iterdir()) if folder.is_dir()}
SECONDS, PER_CENT = 0.005, 0.01


@dataclass(frozen=True)
class Case:
    """A case in a folder of its own."""

    folder: Path
    expected: dict[str, Any]

    @property
    def inputs(self) -> list[str]:
        return ["-r", "ref.rttm", "-s", "sys.rttm"]

    def run(self, *arguments: str) -> tuple[dict[str, Any], str, str]:
        """Give the JSON document, md-eval's text and its standard error."""
        parsed = run_mdeval(*self.inputs, *arguments, "--json", cwd=self.folder)
        assert parsed.status == 0, parsed.stderr
        text = run_mdeval(*self.inputs, *arguments, cwd=self.folder)
        assert text.status == 0, text.stderr
        document: dict[str, Any] = json.loads(parsed.stdout)
        for warning in document["warnings"]:
            assert f"warning: {warning}\n" in text.stderr
        return document, text.text, text.stderr


def opened(name: str, folder: Path) -> Case:
    for path in CASES[name].iterdir():
        shutil.copyfile(path, folder / path.name)
    return Case(folder, json.loads((folder / "case.json").read_text(encoding="utf-8"))["expected"])


def assert_values(values: dict[str, float | None], counts: dict[str, Any]) -> None:
    for name, wanted in values.items():
        got = counts["der"] if name in ("der", "der_percent") else counts[name]
        if wanted is None:
            assert got is None
        elif name == "der_percent":
            assert 100 * got == pytest.approx(wanted, abs=PER_CENT)
        else:
            assert got == pytest.approx(wanted, abs=SECONDS), name


def assert_mentions(expected: dict[str, Any], stderr: str) -> None:
    assert [word for word in expected["stderr_must_mention"] if word not in stderr] == []


def test_every_case_of_the_set_is_here() -> None:
    assert len(CASES) == 10
    for folder in CASES.values():
        files = json.loads((folder / "case.json").read_text(encoding="utf-8"))["files"]
        assert sorted(path.name for path in folder.iterdir()) == sorted([*files, "case.json"])


@pytest.mark.parametrize(
    "name", ["md-channel-0-against-channel-1", "md-no-file-id-in-common", "md-same-speaker-overlap"]
)
def test_the_value_comes_with_a_warning(name: str, tmp_path: Path) -> None:
    case = opened(name, tmp_path)
    document, _, stderr = case.run()
    assert_values(case.expected["values"], document["overall"])
    assert_mentions(case.expected, stderr)


def test_channels_can_be_ignored(tmp_path: Path) -> None:
    document, _, _ = opened("md-channel-0-against-channel-1", tmp_path).run("--ignore-channels")
    assert document["overall"]["der"] == 0.0
    assert document["warnings"] == []


@pytest.mark.parametrize("name", ["md-uem-channel-NA", "md-uem-id-with-dots"])
def test_a_uem_that_matches_nothing_is_named(name: str, tmp_path: Path) -> None:
    case = opened(name, tmp_path)
    document, _, stderr = case.run("-u", "all.uem")
    [parity, _] = case.expected["accept"]
    assert "NIST parity" in parity["rule"]
    assert_values(parity["values"], document["overall"])
    assert_mentions(case.expected, stderr)


def test_a_collar_that_eats_a_whole_file_stops_nothing(tmp_path: Path) -> None:
    case = opened("md-collar-eats-a-whole-file", tmp_path)
    document, text, stderr = case.run("-c", "0.25", "-af")
    assert_values(case.expected["values_ALL"], document["overall"])
    by_file = {recording["file"]: recording for recording in document["recordings"]}
    for file, values in case.expected["per_file"].items():
        assert_values(values, by_file[file])
    assert_mentions(case.expected, stderr)
    assert "ERROR = NA percent of scored speaker time  `(f=X)\n" in text
    assert "ERROR = 7.89 percent of scored speaker time  `(f=Y)\n" in text
    assert "ERROR = 7.89 percent of scored speaker time  `(ALL)\n" in text


def test_md_eval_itself_stops_where_the_collar_eats_a_file(tmp_path: Path) -> None:
    case = opened("md-collar-eats-a-whole-file", tmp_path)
    done = run_mdeval(*case.inputs, "-c", "0.25", "-af", "--nist", cwd=tmp_path)
    assert done.status == 3
    assert "f=X" in done.text
    assert "f=Y" not in done.text
    assert "ALL" not in done.text


def test_a_collar_is_a_half_width(tmp_path: Path) -> None:
    case = opened("md-collar-is-one-sided", tmp_path)
    for run in case.expected["runs"]:
        document, _, _ = case.run("-u", "all.uem", *run["args"].split())
        assert_values(run["values"], document["overall"])
    text = run_mdeval("--help", cwd=tmp_path).text
    assert "on EACH side of every reference boundary" in text
    assert "2 x SECONDS" in text


def test_system_speech_before_the_reference(tmp_path: Path) -> None:
    case = opened("md-false-alarm-before-first-reference", tmp_path)
    without, with_uem = case.expected["runs"]
    document, _, stderr = case.run()
    assert_values(without["values"], document["overall"])
    assert_mentions(without, stderr)
    document, _, stderr = case.run("-u", "all.uem")
    assert_values(with_uem["values"], document["overall"])
    assert "warning" not in stderr


def test_the_overall_error_is_weighted_by_time(tmp_path: Path) -> None:
    case = opened("md-overall-is-time-weighted", tmp_path)
    document, text, _ = case.run("-af")
    assert 100 * document["overall"]["der"] == pytest.approx(case.expected["values"]["ALL_der_percent"], abs=PER_CENT)
    by_file = {recording["file"]: recording["der"] for recording in document["recordings"]}
    wanted = {name.removesuffix("_der_percent"): v for name, v in case.expected["values"].items() if "ALL" not in name}
    assert {file: 100 * der for file, der in by_file.items()} == pytest.approx(wanted, abs=PER_CENT)
    errors = [line.split("=")[1].split()[0] for line in text.splitlines() if line.startswith(" OVERALL")]
    assert errors == ["0.00", "50.00", "1.00"]


def test_overlap_is_scored_by_default_and_the_output_says_so(tmp_path: Path) -> None:
    case = opened("md-overlap-counted-by-default", tmp_path)
    for run, said in zip(case.expected["runs"], ("scored", "excluded"), strict=True):
        document, _, stderr = case.run(*run["args"].split())
        assert_values(run["values"], document["overall"])
        assert document["overlap"] == said
        assert f"|overlap:{said}|" in document["signature"]
        assert f"|overlap:{said}|" in stderr
