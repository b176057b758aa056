"""The conformance runner itself: it must count rightly and fail on what differs, or green means nothing."""

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

RUNNER = Path(__file__).resolve().parents[2] / "tools" / "conformance.py"
HEADING = "\n*** Performance analysis for Speaker Diarization for ALL ***\n\n"
BLOCK = HEADING + "    EVAL TIME =      8.00 secs\n"
PARAMETERS = "\nTime-based metadata alignment\n"
ECHO = """
import json, pathlib, sys
said = json.loads(pathlib.Path(__file__).with_name("said.json").read_text())
words = sys.argv[1:]
key = next((k for k in said if all(w in words for w in k.split())), None)
answer = said.get(key, {})
sys.stdout.write(answer.get("stdout", ""))
sys.stderr.write(answer.get("stderr", ""))
sys.exit(answer.get("status", 0))
"""
Answers = Mapping[str, Mapping[str, object]]


class Golden:
    """A folder of golden data and a command that answers as told."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cases: list[dict[str, object]] = []

    def add(self, name: str, arguments: str, stdout: str, *, status: int = 0, stderr: str = "") -> None:
        """Add a golden run in a case of its own."""
        folder = self.root / "mdeval" / "tiny" / name
        folder.mkdir(parents=True)
        (folder / "ref.rttm").write_text("")
        (folder / "run.stdout").write_text(stdout)
        (folder / "run.stderr").write_text(stderr)
        run = {"name": "run", "args": arguments, "status": status}
        self.cases.append({"dir": f"tiny/{name}", "files": ["ref.rttm"], "runs": [run]})
        (self.root / "mdeval" / "manifest.json").write_text(json.dumps({"cases": self.cases}))

    def check(self, answers: Answers, *options: str) -> tuple[int, str]:
        """Run the runner; the command gives the first answer whose key's words its arguments have."""
        (self.root / "echo.py").write_text(ECHO)
        (self.root / "said.json").write_text(json.dumps(answers))
        command = shlex.join([sys.executable, str(self.root / "echo.py")])
        both = ["--mdeval", command, "--speechio", command]
        done = subprocess.run(
            [sys.executable, str(RUNNER), str(self.root), *both, *options],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def golden(tmp_path: Path) -> Golden:
    return Golden(tmp_path)


def test_the_same_text_is_wanted(golden: Golden) -> None:
    golden.add("a", "-r ref.rttm", PARAMETERS + BLOCK)
    same = {"-r": {"stdout": "first line with a date\n" + PARAMETERS + BLOCK}}
    other = {"-r": {"stdout": "first line with a date\n" + BLOCK}}
    assert golden.check(same, "--only", "mdeval")[0] == 0
    status, text = golden.check(other, "--only", "mdeval")
    assert status == 1
    assert "whole text differs" in text


METADATA = "\n*** Performance analysis for SUs ***  overall error SCORE = 0.00%\n"


def test_of_a_run_with_metadata_sections_the_diarization_blocks_are_compared(golden: Golden) -> None:
    golden.add("a", "-r ref.rttm", METADATA + BLOCK)
    said = {"-r": {"stdout": "first line with a date\n" + BLOCK}}
    status, text = golden.check(said, "--only", "mdeval")
    assert status == 0
    assert "mdeval: 1 of 1 agree" in text
    assert "left out: 1 x whole text of a run with metadata sections" in text
    assert golden.check(said, "--only", "mdeval", "--whole")[0] == 1


def test_another_figure_fails_and_is_shown(golden: Golden) -> None:
    golden.add("a", "-r ref.rttm", BLOCK)
    golden.add("b", "-s ref.rttm", BLOCK)
    said = {"-r": {"stdout": "date\n" + BLOCK}, "-s": {"stdout": "date\n" + BLOCK.replace("8.00", "8.01")}}
    status, text = golden.check(said, "--only", "mdeval")
    assert status == 1
    assert "FAIL tiny/b/run" in text
    assert "8.00 secs', got '    EVAL TIME =      8.01 secs'" in text
    assert "mdeval: 1 of 2 agree" in text


@pytest.mark.parametrize("stdout", ["date\n", "date\n" + BLOCK + BLOCK])
def test_a_missing_or_additional_block_fails(golden: Golden, stdout: str) -> None:
    golden.add("a", "-r ref.rttm", BLOCK)
    status, text = golden.check({"-r": {"stdout": stdout}}, "--only", "mdeval")
    assert status == 1
    assert "wanted 1" in text


@pytest.mark.parametrize(("wanted", "got", "agrees"), [(255, 2, True), (255, 0, False), (0, 2, False)])
def test_status_is_zero_exactly_where_md_eval_has_zero(golden: Golden, wanted: int, got: int, *, agrees: bool) -> None:
    golden.add("a", "-r ref.rttm", "", status=wanted)
    status, _ = golden.check({"-r": {"status": got}}, "--only", "mdeval")
    assert (status == 0) is agrees


def test_what_is_for_later_is_listed_with_the_reason(golden: Golden) -> None:
    golden.add("words", "-1w -r ref.rttm", BLOCK)
    golden.add("dies", "-W -r ref.rttm", "", status=255, stderr="FATAL ERROR:  no reference words for file 'f'")
    golden.add("sections", "-e -r ref.rttm", BLOCK)
    said: Answers = {"-e": {"stdout": "date\nother sections\n" + BLOCK}, "-W": {"status": 2}}
    status, text = golden.check(said, "--only", "mdeval")
    assert status == 0
    assert "mdeval: 2 of 2 agree" in text
    assert "later: 1 x -w aligns words" in text
    assert "left out: 1 x whole text of a run with metadata sections" in text


def test_a_letter_inside_a_value_is_no_option(golden: Golden) -> None:
    golden.add("a", "-M -w -aw -rwords.rttm -- -w", BLOCK)
    status, text = golden.check({"-M": {"stdout": "date\n" + BLOCK}}, "--only", "mdeval")
    assert status == 0
    assert "mdeval: 1 of 1 agree" in text


def test_a_folder_without_judged_runs_is_no_success(golden: Golden) -> None:
    golden.add("words", "-w -r ref.rttm", BLOCK)
    assert golden.check({}, "--only", "mdeval")[0] == 1


def test_a_missing_folder_is_status_2(golden: Golden) -> None:
    status, text = golden.check({}, "--only", "formats")
    assert status == 2
    assert "has no folder formats" in text


def write_format_case(root: Path, **fields: object) -> None:
    case = {"file": "uem/a.uem", "format": "uem", "want": "ok", "records": [], "warnings": [], **fields}
    (root / "formats" / "files").mkdir(parents=True, exist_ok=True)
    (root / "formats" / "manifest.json").write_text(json.dumps({"cases": [case]}))


@pytest.mark.parametrize(
    ("problems", "records", "agrees"),
    [
        ([], [], True),
        ([], [1], False),
        ([{"line": 1, "code": "U107", "severity": "warning", "message": "", "file": "a"}], [], False),
    ],
)
def test_a_good_file_wants_its_records_and_no_more_problems(
    golden: Golden, problems: list[object], records: list[object], *, agrees: bool
) -> None:
    write_format_case(golden.root)
    said = {
        "check": {"stdout": json.dumps({"problems": problems})},
        "dump": {"stdout": json.dumps(records)},
    }
    status, text = golden.check(said, "--only", "formats")
    assert (status == 0) is agrees, text


@pytest.mark.parametrize(
    ("message", "stderr", "agrees"),
    [("10 is wrong", "uem/a.uem:1: no", True), ("wrong", "uem/a.uem:1: no", False), ("10", "a: no", False)],
)
def test_a_bad_file_wants_its_error_the_words_and_the_place(
    golden: Golden, message: str, stderr: str, *, agrees: bool
) -> None:
    errors = [{"line": 1, "code": "U004", "mentions": ["10"]}]
    write_format_case(golden.root, want="errors", errors=errors)
    problem = {"line": 1, "code": "U004", "severity": "error", "message": message, "file": "a"}
    said = {
        "check": {"stdout": json.dumps({"problems": [problem]}), "status": 1},
        "dump": {"stderr": stderr, "status": 2},
    }
    status, text = golden.check(said, "--only", "formats")
    assert (status == 0) is agrees, text


def write_case(root: Path, **expected: object) -> None:
    folder = root / "cases" / "md-example"
    folder.mkdir(parents=True)
    case = {"id": "md-example", "package": "mdeval", "command": "mdeval -r r -s s", "expected": expected}
    (folder / "case.json").write_text(json.dumps(case))


@pytest.mark.parametrize(("der", "agrees"), [(0.2, True), (0.2002, False), (None, False)])
def test_a_case_wants_its_values_and_words(golden: Golden, der: float | None, *, agrees: bool) -> None:
    write_case(golden.root, values={"der_percent": 20.0}, stderr_must_mention=["UEM"])
    document = {"overall": {"der": der}, "warnings": ["UEM"], "recordings": []}
    said = {"--json": {"stdout": json.dumps(document)}, "-r": {"stderr": "warning: UEM"}}
    status, text = golden.check(said, "--only", "cases")
    assert (status == 0) is agrees, text


def test_a_case_may_accept_alternatives(golden: Golden) -> None:
    write_case(golden.root, accept=[{"values": {"der_percent": 20.0}}, {"values": {"der_percent": 50.0}}])
    said = {"--json": {"stdout": json.dumps({"overall": {"der": 0.5}, "warnings": []})}}
    assert golden.check(said, "--only", "cases")[0] == 0


def test_a_case_without_a_checker_fails(golden: Golden) -> None:
    folder = golden.root / "cases" / "io-new"
    folder.mkdir(parents=True)
    (folder / "case.json").write_text(json.dumps({"id": "io-new", "package": "speechio", "expected": {}}))
    status, text = golden.check({}, "--only", "cases")
    assert status == 1
    assert "no checker is written for this case" in text


def test_a_relative_folder_is_one_wherever_a_command_runs(tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path[0] = {str(RUNNER.parent)!r}; import conformance as c; print(c.parse(['data']).folder)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str((tmp_path / "data").resolve())
