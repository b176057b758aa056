"""Golden files of speechio: what ``check`` lists and what ``dump`` gives or refuses."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from golden.report import Finding, Report, execute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from golden.report import Output

LATER = {
    "ctm": "speechio has no CTM yet",
    "stm": "speechio has no STM yet",
    "textgrid": "speechio has no TextGrid yet",
}
Place = tuple[str, int, str]  # file name (of a directory's problem), line (0: whole file), code


def judge(case: dict[str, Any], command: Sequence[str], folder: Path) -> Finding:
    """Run ``check`` and, for single files, ``dump`` on one case."""
    path = case["file"]
    group = path.partition("/")[0]
    if group in LATER:
        return Finding(group, path, later=LATER[group])
    is_dir = case["format"] == "kaldi-dir"
    listed = execute([*command, "check", "--format", case["format"], "--json", path], folder)
    faults = check_faults(case, listed, is_dir=is_dir)
    if not is_dir:
        dumped = execute([*command, "dump", "--format", case["format"], "--json", path], folder)
        faults += dump_faults(case, dumped)
    return Finding(group, path, tuple(faults))


def check_faults(case: dict[str, Any], said: Output, *, is_dir: bool) -> list[str]:
    """Compare what ``check --json`` lists: exactly the wanted problems, with the wanted words."""
    problems = parse(said.stdout)
    if not isinstance(problems, dict) or "problems" not in problems:
        return [f"check printed no JSON: {said.text.strip()[-200:]}"]

    def place(problem: dict[str, Any]) -> Place:
        name = PurePosixPath(problem.get("file") or "").name if is_dir else ""
        return name, problem["line"] or 0, problem["code"]

    errors = case.get("errors", [])
    faults = []
    for severity, wanted in (("error", errors), ("warning", case["warnings"])):
        got = [p for p in problems["problems"] if p["severity"] == severity]
        if sorted(map(place, got)) != sorted(map(place, wanted)):
            faults.append(f"{severity}s {sorted(map(place, got))}, wanted {sorted(map(place, wanted))}")
    for error in errors:
        message = " ".join(p["message"] for p in problems["problems"] if place(p) == place(error))
        lacking = [word for word in error["mentions"] if word not in message]
        if lacking:
            faults.append(f"{error['code']} at line {error['line']} lacks {lacking}: {message[:200]}")
    if said.status != bool(errors):
        faults.append(f"check has status {said.status}, wanted {int(bool(errors))}")
    return faults


def dump_faults(case: dict[str, Any], said: Output) -> list[str]:
    """Compare what ``dump --json`` gives for a good file, or how it refuses a bad one."""
    if case["want"] == "ok":
        records = parse(said.stdout)
        if said.status != 0 or records is None:
            return [f"dump has status {said.status}: {said.text.strip()[-200:]}"]
        return [] if records == case["records"] else [f"dump gives {records}, wanted {case['records']}"]
    first = min((error["line"] or 0 for error in case["errors"]), default=0)
    start = f"{case['file']}:{first}:" if first else f"{case['file']}:"
    faults = []
    if said.status != 2 or start not in said.stderr:
        faults.append(f"dump has status {said.status}, wanted 2 and {start!r} in: {said.text.strip()[:200]}")
    if "Traceback (most recent call last)" in said.text:
        faults.append("dump shows a traceback")
    return faults


def parse(text: str) -> Any:  # noqa: ANN401 - JSON is anything
    """Read JSON; nothing if it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def check(root: Path, command: Sequence[str], *, jobs: int) -> Report:
    """Judge every case of the manifest."""
    manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
    with ThreadPoolExecutor(jobs) as pool:
        findings = pool.map(partial(judge, command=command, folder=root / "files"), manifest["cases"])
        return Report("formats", list(findings))
