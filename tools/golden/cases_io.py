"""Checkers of the ``io-*`` cases: what ``speechio dump`` gives or refuses, what ``speechio check`` lists."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golden.report import execute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from golden.report import Output

REFUSED = 2
FOUND_ERRORS = 1
KINDS = {"command": "pipe", "archive offset": "ark"}  # the case's word: speechio's; the others are the same
Expected = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Files:
    """The command ``speechio`` in the folder of a case."""

    command: Sequence[str]
    folder: Path

    def run(self, *arguments: str) -> Output:
        """Run a verb."""
        return execute([*self.command, *arguments], self.folder)

    def dump(self, *arguments: str) -> Any:  # noqa: ANN401 - JSON is anything
        """Read a file's records."""
        said = self.run("dump", "--json", *arguments)
        if said.status != 0:
            msg = f"dump has status {said.status}: {said.stderr.strip()[:200]}"
            raise ValueError(msg)
        return json.loads(said.stdout)

    def problems(self, *arguments: str) -> list[dict[str, Any]]:
        """List a file's problems."""
        listed: list[dict[str, Any]] = json.loads(self.run("check", "--json", *arguments).stdout)["problems"]
        return listed


def lacks(wanted: Sequence[str], said: str, what: str) -> Iterator[str]:
    """Look for words in a message."""
    missing = [word for word in wanted if word not in said]
    if missing:
        yield f"{what} lacks {missing}: {said.strip()[:300]!r}"


def lists(wanted: Sequence[dict[str, Any]], problems: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Look for problems by line and, where given, severity and code point; each found one counts once."""
    left = list(problems)
    for one in wanted:
        code_points = re.findall(r"U\+[0-9A-F]{4}", one.get("what", ""))
        for problem in left:
            same_place = problem["line"] == one["line"]
            same_weight = one.get("severity", problem["severity"]) == problem["severity"]
            if same_place and same_weight and all(point in problem["message"] for point in code_points):
                left.remove(problem)
                break
        else:
            yield f"check does not list {one}, but {left}"


def refused(expected: Expected, files: Files, path: str, *options: str) -> Iterator[str]:
    """Want reading to stop with status 2 and a message, and the check to find the same."""
    words = expected["message_must_mention"]
    said = files.run("dump", *options, path)
    if (said.status, said.stdout) != (REFUSED, ""):
        yield f"dump has status {said.status}, wanted {REFUSED}, stdout {said.stdout[:100]!r}"
    if "Traceback" in said.stderr:
        yield "dump shows a traceback"
    first = words[0] if re.search(r":\d+$", words[0]) else path
    yield from lacks(words, said.stderr, "the message of dump")
    listed = files.run("check", *options, path)
    if listed.status != FOUND_ERRORS:
        yield f"check has status {listed.status}, wanted {FOUND_ERRORS}"
    yield from lacks([first], listed.text, "the text of check")


def file_id_with_space(expected: Expected, files: Files) -> Iterator[str]:
    """Want reader and writer to refuse an id with a blank, with the same advice."""
    yield from refused(expected, files, "bad.rttm")
    program = (
        "import dataclasses, speechio\n"
        "record = next(iter(speechio.iter_rttm('bad.rttm')))\n"
        "broken = dataclasses.replace(record, file='evening tape')\n"
        "try:\n    speechio.write_rttm('out.rttm', [broken])\n"
        "except speechio.SpeechioError as fault:\n    print(fault)\n"
    )
    said = execute([sys.executable, "-c", program], files.folder)
    yield from lacks(["evening tape", "space"], said.stdout, "the refusal of the writer")


def hidden_characters(expected: Expected, files: Files) -> Iterator[str]:
    """Want the name to keep its odd blank, and the check to give code point and line."""
    records = files.dump("hidden.rttm")
    yield from parts(expected["parsed"], records)
    said = files.run("check", "hidden.rttm")
    if said.status != 0:
        yield f"check has status {said.status}, wanted 0"
    yield from lacks(expected["message_must_mention"], said.text, "the text of check")


def parts(wanted: Sequence[dict[str, Any]], records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Compare the wanted fields of every record; a field that is absent is null."""
    got = [{name: record.get(name) for name in one} for one, record in zip(wanted, records, strict=False)]
    if len(wanted) != len(records) or got != list(wanted):
        yield f"dump gives {records}, wanted {list(wanted)}"


def field_counts(expected: Expected, files: Files) -> Iterator[str]:
    """Want eight fields refused, or padded when asked for."""
    yield from refused(expected["strict"], files, "short.rttm")
    lenient = expected["lenient"]
    records = files.dump("--pad", "short.rttm")
    if len(records) != lenient["n_segments"] or [r["speaker"] for r in records] != lenient["speakers"]:
        yield f"dump --pad gives {records}"
    if any(r["confidence"] is not None or r["slat"] is not None for r in records):
        yield "a missing field is not null"


def durations(expected: Expected, files: Files) -> Iterator[str]:
    """Want a negative duration as an error and a zero one as a warning, in one check."""
    yield from refused(expected, files, "neg.rttm")
    yield from lists(expected["check_lists"], files.problems("neg.rttm"))


def sample_counts(expected: Expected, files: Files) -> Iterator[str]:
    """Want sample counts pointed out, and turned into seconds by a sample rate."""
    yield from refused(expected, files, "sim.rttm")
    yield from lists(expected["check_lists"], files.problems("sim.rttm"))
    lines = (files.folder / "sim.rttm").read_text(encoding="utf-8").splitlines(keepends=True)
    (files.folder / "turns.rttm").write_text("".join(lines[:2]), encoding="utf-8")
    records = files.dump("--sample-rate", "16000", "turns.rttm")
    got = [(r["onset"], round(r["onset"] + r["duration"], 9)) for r in records]
    if got != [(0.0, 3.01), (2.5, 6.0)]:
        yield f"with --sample-rate 16000 the turns are {got}"


def record_types(expected: Expected, files: Files) -> Iterator[str]:
    """Want every record, of whatever type."""
    records = files.dump("mixed.rttm")
    counts = dict(Counter(r["type"] for r in records))
    if counts != expected["counts"]:
        yield f"types {counts}, wanted {expected['counts']}"
    gender = {r["speaker"]: r["subtype"] for r in records if r["type"] == "SPKR-INFO"}
    if gender != expected["speaker_gender"]:
        yield f"genders {gender}, wanted {expected['speaker_gender']}"
    seconds = sum(r["duration"] for r in records if r["type"] == "SPEAKER")
    if abs(seconds - expected["total_speaker_seconds"]) > 1e-9:
        yield f"{seconds} s of speech, wanted {expected['total_speaker_seconds']}"


def table(expected: Expected, files: Files) -> Iterator[str]:
    """Compare a table of id and value, and what the check says about it."""
    pairs = [tuple(pair) for pair in files.dump("--format", "text", "text")]
    if pairs != list(expected["parsed"].items()):
        yield f"dump gives {pairs}, wanted {expected['parsed']}"
    if "check_lists" in expected:
        problems = files.problems("--format", "text", "text")
        yield from lists(expected["check_lists"], problems)


def sorting(expected: Expected, files: Files) -> Iterator[str]:
    """Want a warning about an order that depends on the locale, with the ids that show it."""
    said = files.run("check", "data-dir")
    if said.status != 0:
        yield f"check has status {said.status}, wanted 0"
    yield from lacks(expected["message_must_mention"], said.text, "the text of check")
    listed = [p for p in files.problems("data-dir") if (p["file"] or "").endswith("utt2spk")]
    yield from lists([{"line": 3, "severity": "warning"}], listed)
    pairs = files.dump("--format", "utt2spk", "data-dir/utt2spk")
    if [pair[0] for pair in pairs] != expected["order_by_speaker_column"]:
        yield f"reading changes the order: {pairs}"


def segments(expected: Expected, files: Files) -> Iterator[str]:
    """Want an open end and a channel read, a reversed segment refused, one too long pointed out."""
    whole = (files.folder / "segments").read_text(encoding="utf-8").splitlines(keepends=True)
    first_bad = min(one["line"] for one in expected["check_lists"] if one["severity"] == "error")
    (files.folder / "good").write_text("".join(whole[: first_bad - 1]), encoding="utf-8")
    yield from parts(expected["parsed"], files.dump("--format", "segments", "good"))
    message = {"message_must_mention": [f"segments:{first_bad}"]}
    yield from refused(message, files, "segments", "--format", "segments")
    problems = files.problems("--format", "segments", "--durations", "reco2dur", "segments")
    yield from lists(expected["check_lists"], problems)


def wav_scp(expected: Expected, files: Files) -> Iterator[str]:
    """Want commands, archives and standard input told apart from paths; nothing is run or opened."""
    records = {r["id"]: r for r in files.dump("--format", "wav.scp", "wav.scp")}
    wanted = {name: KINDS.get(kind, kind) for name, kind in expected["kinds"].items()}
    got = {name: record["kind"] for name, record in records.items()}
    if got != wanted:
        yield f"kinds {got}, wanted {wanted}"
    if (records["utt4"]["path"], records["utt4"]["offset"]) != ("raw.ark", 1337):
        yield f"utt4 is {records['utt4']}"
    if records["utt5"]["path"] != "audio/with space.wav":
        yield f"utt5 is {records['utt5']}"
    said = files.run("check", "wav.scp")
    if said.status != 0:
        yield f"check has status {said.status}, wanted 0"
    yield from lacks(expected["message_must_mention"], said.text, "the text of check")


CHECKERS: dict[str, Callable[[Expected, Files], Iterator[str]]] = {
    "io-rttm-file-id-with-space": file_id_with_space,
    "io-rttm-hidden-characters": hidden_characters,
    "io-rttm-eight-nine-ten-fields": field_counts,
    "io-rttm-negative-and-zero-duration": durations,
    "io-rttm-sample-count-dialect": sample_counts,
    "io-rttm-several-record-types": record_types,
    "io-kaldi-text-tab-separator": table,
    "io-kaldi-text-crlf-bom-odd-blanks": table,
    "io-kaldi-sorting-c-locale": sorting,
    "io-kaldi-segments-open-end-and-channel": segments,
    "io-wav-scp-pipes-are-not-paths": wav_scp,
}
