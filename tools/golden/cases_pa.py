"""Checkers of the ``pa-*`` cases: scores and warnings of ``pathbench score``, ``run`` and ``evaluate``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golden.report import execute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from golden.report import Output

STRICT_STATUS = 3
DIGITS = 1e-6
TEXT = "one two three"  # what is said, by the words of the cases
Expected = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """The command ``pathbench`` in the folder of a case."""

    command: Sequence[str]
    folder: Path

    def execute(self, *arguments: str) -> Output:
        """Run a verb."""
        return execute([*self.command, *arguments], self.folder)

    def document(self, *arguments: str) -> dict[str, Any]:
        """Run a verb and read its JSON."""
        said = self.execute(*arguments, "--json")
        if said.status != 0:
            raise ValueError(f"{arguments[0]} has status {said.status}: {said.stderr.strip()[-200:]}")
        found: dict[str, Any] = json.loads(said.stdout)
        return found

    def scores(self, file: str, names: str, *options: str) -> dict[str, dict[str, Any]]:
        """Score a recording: ``scores`` and ``reasons`` by name."""
        (found,) = self.document("score", file, "--evaluators", names, "--text", TEXT, *options)["files"]
        return dict(found)

    def of_speaker(self, file: str, name: str, *options: str) -> float | None:
        """Score a speaker who has one recording; a data set is made for it."""
        data = self.folder / "made"
        data.mkdir(exist_ok=True)
        tables = {
            "wav.scp": f"u ../{file}",
            "utt2spk": "u s",
            "spk2score": "s 1",
            "language": "en",
            "text": f"u {TEXT}",
        }
        for table, line in tables.items():
            (data / table).write_text(f"{line}\n", encoding="utf-8")
        said = self.document("run", "made", "--evaluators", name, "--out", "out", *options)
        (metric,) = said["datasets"][0]["metrics"]
        found: float | None = metric["values"].get("s")
        return found


def mentions(wanted: Sequence[str], message: str) -> Iterator[str]:
    """Look for words in a message."""
    lacking = [word for word in wanted if word not in message]
    if lacking:
        yield f"stderr lacks {lacking}: {message.strip()[:300]!r}"


def undefined(expected: Expected, file: str, bench: Bench) -> Iterator[str]:
    """Want the old value with a warning by default, and null with a reason by option; or null at once."""
    wanted, old = expected["values"], expected["upstream_values"]
    of_file = [name for name in wanted if name != "f0_range"]
    by_default = bench.scores(file, ",".join(of_file))
    by_option = bench.scores(file, ",".join(of_file), "--undefined", "none")
    for name in of_file:
        if wanted[name] is not None:
            if abs(by_default["scores"][name] - wanted[name]) > DIGITS:
                yield f"{name} is {by_default['scores'][name]}, wanted {wanted[name]}"
            continue
        if by_default["scores"][name] not in (None, old[name]) or name not in by_default["reasons"]:
            yield f"{name} is {by_default['scores'][name]} without a reason"
        if by_option["scores"][name] is not None or name not in by_option["reasons"]:
            yield f"{name} is {by_option['scores'][name]} with --undefined none"
    if bench.of_speaker(file, "f0_range") not in (None, old["f0_range"]):
        yield "f0_range of the speaker is not that of old"
    if bench.of_speaker(file, "f0_range", "--undefined", "none") is not None:
        yield "f0_range of the speaker is there with --undefined none"


def silence(expected: Expected, bench: Bench) -> Iterator[str]:
    """Want silence to be undefined."""
    yield from undefined(expected, "silence.wav", bench)


def twenty_milliseconds(expected: Expected, bench: Bench) -> Iterator[str]:
    """Want a sound that is too short to be undefined for one reason, and its warning to name it."""
    yield from undefined(expected, "tiny.wav", bench)
    reasons = set(bench.scores("tiny.wav", "std_pitch,cpp,praat_speech_rate")["reasons"].values())
    if reasons != {"too_short"}:
        yield f"the reasons are {sorted(reasons)}, wanted too_short alone"
    said = bench.execute("score", "tiny.wav", "--evaluators", "std_pitch")
    yield from mentions(expected["message_must_mention"], said.stderr)


def stereo(expected: Expected, bench: Bench) -> Iterator[str]:
    """Want channels averaged: duration and words per minute by the command, the pitch by the same analysis."""
    import numpy as np

    from pathbench.audio import read_audio
    from pathbench.praat import sound, voiced

    wanted = expected["values"]
    found = bench.scores("stereo.wav", "wpm")["scores"]["wpm"]
    if abs(found - wanted["wpm"]) > expected["tolerance"]["wpm"]:
        yield f"wpm is {found}, wanted {wanted['wpm']}"
    recording = read_audio(bench.folder / "stereo.wav", rate=None)
    assert recording.audio is not None
    if recording.duration != wanted["duration_s"]:
        yield f"the duration is {recording.duration}, wanted {wanted['duration_s']}"
    median = float(np.median(voiced(sound(recording.audio, recording.fs))[1]))
    if abs(median - wanted["median_f0_hz"]) > expected["tolerance"]["median_f0_hz"]:
        yield f"the median pitch is {median}, wanted {wanted['median_f0_hz']}"


def missing_scores(expected: Expected, bench: Bench) -> Iterator[str]:
    """Want the correlation over those who have both, and the others named."""
    arguments = ("evaluate", "measure.csv", "spk2score", "--on-mismatch", "intersect")
    (found,) = bench.document(*arguments)["datasets"]
    wanted = expected["values"]
    if found["n"] != wanted["n_speakers"]:
        yield f"n is {found['n']}, wanted {wanted['n_speakers']}"
    for name, key in (("pearson", "pcc"), ("spearman", "spearman")):
        if abs(found[key] - wanted[name]) > expected["tolerance"]:
            yield f"{name} is {found[key]}, wanted {wanted[name]}"
    yield from mentions(expected["message_must_mention"], bench.execute(*arguments).stderr)


def clean_up(expected: Expected, bench: Bench) -> Iterator[str]:
    """Want phones without flags, stress marks and gaps."""
    from pathbench.text import clean_phones

    lines = (bench.folder / "raw.txt").read_text(encoding="utf-8").splitlines()
    found = clean_phones(lines)
    if found != expected["phones"]:
        yield f"the phones are {found}"


def zero_bytes(expected: Expected, bench: Bench) -> Iterator[str]:
    """Want a run over a data set to go on, to name the recording and to count it; strictly, to fail."""
    # a run correlates with ratings, which the case has none of
    (bench.folder / "data" / "spk2score").write_text("s1 1\ns2 2\n", encoding="utf-8")
    arguments = ("run", "data", "--evaluators", "wpm")
    said = bench.execute(*arguments, "--out", "out", "--json")
    if said.status != expected["exit_status"]:
        yield f"status {said.status}, wanted {expected['exit_status']}"
    yield from mentions(expected["message_must_mention"], said.stderr)
    (data,) = json.loads(said.stdout)["datasets"]
    found = {speaker: data["metrics"][0]["values"].get(speaker) for speaker in expected["values"]["spk"]}
    if found != expected["values"]["spk"]:
        yield f"values {found}, wanted {expected['values']['spk']}"
    if (sum(data["missing"].values()), data["n_utterances"]) != (1, 2):
        yield f"the summary counts {data['missing']} of {data['n_utterances']}"
    strict = bench.execute(*arguments, "--out", "strict", "--strict")
    if strict.status != STRICT_STATUS:
        yield f"status {strict.status} with --strict, wanted {STRICT_STATUS}"


CHECKERS: dict[str, Callable[[Expected, Bench], Iterator[str]]] = {
    "pa-digital-silence": silence,
    "pa-twenty-milliseconds": twenty_milliseconds,
    "pa-stereo-44k": stereo,
    "pa-missing-scores-and-blank-lines": missing_scores,
    "pa-espeak-output-clean-up": clean_up,
    "pa-zero-byte-file-in-a-dataset": zero_bytes,
}
