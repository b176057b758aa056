"""What a conformance run found: cases that agree, cases that do not and why, and cases that are for later."""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TIME_LIMIT = 120.0  # seconds for one run of a command


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one case."""

    group: str
    name: str
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # what was left out of a case that was judged, and why
    later: str = ""  # why the case was not judged at all
    remarks: frozenset[str] = frozenset()  # names of looser counts that this case fulfils

    @property
    def judged(self) -> bool:
        """Whether the case counts."""
        return not self.later

    @property
    def agrees(self) -> bool:
        """Whether a judged case is as wanted."""
        return self.judged and not self.faults


@dataclass(slots=True)
class Report:
    """The findings of one folder."""

    folder: str
    findings: list[Finding] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        """Whether every judged case is as wanted, and there was at least one."""
        judged = [f for f in self.findings if f.judged]
        return bool(judged) and all(f.agrees for f in judged)

    def lines(self) -> list[str]:
        """Write the report: failures, what is for later, a count per group, the count of the folder."""
        text = [f"## {self.folder}"]
        for finding in self.findings:
            if finding.judged and not finding.agrees:
                text.append(f"FAIL {finding.name}")
                text += [f"     - {fault}" for fault in finding.faults]
        text += self._explain("later", Counter(f.later for f in self.findings if f.later))
        text += self._explain("left out", Counter(note for f in self.findings for note in f.notes))
        groups = list(dict.fromkeys(f.group for f in self.findings if f.judged))
        if len(groups) > 1:
            text += [f"{self.folder}/{group}: {self._count(group)}" for group in groups]
        remarks = sorted({remark for f in self.findings for remark in f.remarks})
        for remark in remarks:
            text.append(f"{self.folder}, {remark}: {self._count(remark=remark)} (for information)")
        text.append(f"{self.folder}: {self._count()} agree")
        return text

    def _explain(self, heading: str, reasons: Counter[str]) -> list[str]:
        text = []
        for reason, count in sorted(reasons.items()):
            text.append(f"{heading}: {count} x {reason}")
            chosen = [f.name for f in self.findings if reason == f.later or reason in f.notes]
            text.append(f"     {', '.join(chosen)}")
        return text

    def _count(self, group: str | None = None, remark: str | None = None) -> str:
        judged = [f for f in self.findings if f.judged and group in (None, f.group)]
        good = [f for f in judged if (remark in f.remarks if remark else f.agrees)]
        return f"{len(good)} of {len(judged)}"


@dataclass(frozen=True, slots=True)
class Output:
    """What a command said."""

    status: int
    stdout: str
    stderr: str

    @property
    def text(self) -> str:
        """Both streams."""
        return self.stdout + self.stderr


def execute(command: Sequence[str], folder: Path) -> Output:
    """Run a command in a folder, without input; bytes that are not UTF-8 survive as surrogates."""
    try:
        done = subprocess.run(
            [*command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        return Output(-1, "", f"no end after {TIME_LIMIT:.0f} s")
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    return Output(done.returncode, out, err)
