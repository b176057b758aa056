"""Golden scores of pathbench: of recordings, of speakers, with references; cleaned texts; numbers of references.

Every golden value is a case. What the upstream project raises, or gives where there is no score, stands in `OURS`
with what is given here instead.
"""

from __future__ import annotations

import json
import logging
import math
from functools import cache
from typing import TYPE_CHECKING, Any

from golden.report import Finding, Report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pathbench.base import AnyEvaluator

RATE = 16000
PARTS = ("whole_file", "segment", "array_16k")
EXACT = 1e-12
RELATIVE = {
    "cpp": 1e-6, "cpp_mean": 1e-6, "cpp_nonorm": 1e-6, "cpp_double_log": 1e-6, "cpp_praat": 1e-4, "std_pitch": 1e-4,
    "f0_range": 1e-4, "praat_speech_rate": 1e-4, "vsa": 1e-2, "wpm": EXACT,
}  # fmt: skip
ABSOLUTE = {"wada_snr": 2e-3, "p_stoi": 1e-6, "p_estoi": 1e-6}
LOOSE = {
    # digital silence becomes rounding noise, which no two transforms share
    "reference/padded/p_estoi[zero_mean,frame_deletion=True]": 1e-2,
    "reference/padded/p_estoi[zero_mean,frame_deletion=False]": 1e-2,
    # the same, of a few frames with samples on their very edge alone
    "signal/whole_file/en_clean/cpp_double_log": 2e-4,
    "signal/array_16k/en_clean/cpp_double_log": 2e-4,
    "signal/whole_file/nl_padded/cpp_double_log": 1e-3,
    "signal/array_16k/nl_padded/cpp_double_log": 1e-3,
    # nothing but rounding noise
    **{f"signal/{part}/zero/{m}": 1.0 for part in PARTS for m in ("cpp", "cpp_mean", "cpp_nonorm")},
}
OURS: dict[tuple[str, str], tuple[float | None, str]] = {
    # case, metric: value, reason
    ("one_ref", "*"): (None, "few_references"),
    ("no_ref", "*"): (None, "no_reference"),
    ("silent_test", "*"): (0.0, "silent"),
    ("silent_ref", "*"): (None, "few_references"),
    ("short_test", "*"): (None, "too_short"),
    ("empty_test", "*"): (None, "empty_audio"),
    ("missing_test", "*"): (None, "load_error"),
    ("zero", "wada_snr"): (None, "silent"),
    ("zero", "cpp_double_log"): (0.0, "silent"),
}
LATER = ("nad",)  # metrics that need models
SLOW = "takes a minute or more; asked for with --whole"
SHORT_ENOUGH = 0.3  # s of sound, for Praat's slow fit


@cache
def evaluators() -> dict[str, AnyEvaluator]:
    """Make the evaluators by the names that the golden files have."""
    from pathbench import (
        CPPDoubleLogEvaluator,
        CPPEvaluator,
        PraatCPPEvaluator,
        PraatSpeechRateEvaluator,
        StdPitchEvaluator,
        WadaSnrEvaluator,
    )

    return {
        "cpp": CPPEvaluator(),
        "cpp_mean": CPPEvaluator("mean"),
        "cpp_nonorm": CPPEvaluator("none"),
        "cpp_double_log": CPPDoubleLogEvaluator(),
        "cpp_praat": PraatCPPEvaluator(),
        "std_pitch": StdPitchEvaluator(),
        "wada_snr": WadaSnrEvaluator(),
        "praat_speech_rate": PraatSpeechRateEvaluator(),
    }


class Golden:
    """A folder of golden data of pathbench."""

    def __init__(self, root: Path, *, whole: bool) -> None:
        self.root = root
        self.whole = whole

    def read(self, name: str) -> Any:  # noqa: ANN401 - JSON is anything
        """Read a JSON file."""
        return json.loads((self.root / f"{name}.json").read_text(encoding="utf-8"))

    def audio(self, name: str) -> str:
        """Find a recording, which may be missing on purpose."""
        return str(self.root / "audio" / f"{name}.wav")

    def signal(self) -> Iterator[Finding]:
        """Compare scores of recordings, of their parts and of their samples."""
        golden, texts = self.read("expected/signal"), self.read("texts")
        for part in PARTS:
            for case, scores in golden[part].items():
                place = (self.audio(case), scores.get("start", 0.0), scores.get("end", -1.0))
                text = texts.get(case, {"text": "a"})["text"]
                for metric in [key for key in scores if key not in ("start", "end")]:
                    name = f"signal/{part}/{case}/{metric}"
                    if metric == "cpp_praat" and self._is_slow(place, scores[metric]):
                        yield Finding("signal", name, later=SLOW)
                        continue
                    found = of_recording(metric, place, text, is_array=part == "array_16k")
                    yield judged("signal", name, case, metric, found, scores[metric])
        yield self._trace(golden["cpp_trace_BLUE_japanese10"]["cpp"])

    def _is_slow(self, place: tuple[str, float, float], wanted: object) -> bool:
        from pathbench.audio import read_audio

        return not self.whole and wanted is not None and read_audio(*place).duration > SHORT_ENOUGH and wanted != 0.0

    def _trace(self, wanted: list[float]) -> Finding:
        from pathbench.audio import read_audio
        from pathbench.cpp import frame_cpp

        audio = read_audio(self.audio("BLUE_japanese10")).audio
        assert audio is not None
        found = frame_cpp(audio, RATE).tolist()
        same = len(found) == len(wanted) and all(map(math.isclose, found, wanted))
        return Finding("signal", "signal/cpp_trace", () if same else (f"{found}, wanted {wanted}",))

    def speaker(self) -> Iterator[Finding]:
        """Compare scores of groups of recordings."""
        from pathbench import F0RangeEvaluator, VSAEvaluator
        from pathbench.audio import load_audios

        for case, scores in self.read("expected/speaker").items():
            places = [(self.audio(name), 0.0, -1.0) for name in scores["files"]]
            audios = load_audios(places)
            for key in [key for key in scores if key != "files"]:
                if key == "f0_range_score":
                    found = F0RangeEvaluator().score_detail(places)
                elif key == "f0_range_list":
                    found = F0RangeEvaluator().detail_audio_list(audios)
                else:
                    _, language, *gender = key.split("_")
                    found = VSAEvaluator(gender[0] if gender else None).detail_audio_list(audios, language)
                metric = "f0_range" if key.startswith("f0") else "vsa"
                yield judged("speaker", f"speaker/{case}/{key}", case, metric, found, scores[key])

    def reference(self) -> Iterator[Finding]:
        """Compare scores with references."""
        for case, wanted in self.read("expected/reference").items():
            references = [(self.audio(name), 0.0, -1.0) for name in wanted["refs"]]
            for key in [key for key in wanted if key not in ("test", "refs", "start", "end")]:
                name = f"reference/{case}/{key}"
                if key.startswith(LATER):
                    yield Finding("reference", name, later="needs models, which pathbench has none of yet")
                    continue
                evaluator = of_reference(key)
                found = evaluator.score_detail(
                    "u", self.audio(wanted["test"]), references, wanted["start"], wanted["end"]
                )
                value = wanted[key]
                if case == "missing_ref":  # upstream raises; here the other references serve
                    value = evaluator.score("u", self.audio(wanted["test"]), references[1:])
                yield judged("reference", name, case, key, found, value)

    def text(self) -> Iterator[Finding]:
        """Compare cleaned texts."""
        from pathbench.text import clean_text

        for path in sorted((self.root / "expected").glob("models_*.json")):
            for text, wanted in self.read(f"expected/{path.stem}")["text"]["clean_text"].items():
                found = clean_text(text)
                faults = () if found == wanted else (f"{found!r}, wanted {wanted!r}",)
                yield Finding("text", f"text/{path.stem}/{text}", faults)

    def dataset(self) -> Iterator[Finding]:
        """Compare numbers of references in the two small data sets; the others must load."""
        from pathbench import Dataset

        (golden, *_) = (self.read(f"expected/{path.stem}") for path in (self.root / "expected").glob("minidata_*.json"))
        for path, expected in golden["datasets"].items():
            control = str(self.root / path.replace("pathological", "control"))
            kinds: tuple[Any, ...] = ("control", "all")
            for kind in kinds:
                items = Dataset(self.root / path, True, control, kind, data_root=self.root)
                for utt_id, _, _, references, _, _ in items:
                    wanted = expected["reference"].get(utt_id, {}).get(f"n_refs_{kind}", 0)
                    n_found = len(references or [])
                    faults = () if n_found == wanted else (f"{n_found} references, wanted {wanted}",)
                    yield Finding("dataset", f"dataset/{path}/{utt_id}/{kind}", faults)
        for file in sorted((self.root / "datasets").rglob("language")):
            dataset = Dataset(file.parent)
            is_empty = not (dataset.text and dataset.utt2spk and dataset.spk2score)
            name = str(file.parent.relative_to(self.root))
            yield Finding("dataset", f"dataset/{name}", ("its tables are empty",) if is_empty else ())


def of_recording(metric: str, place: tuple[str, float, float], text: str, *, is_array: bool) -> Any:  # noqa: ANN401
    """Score a recording as the golden file did."""
    import numpy as np

    from pathbench import F0RangeEvaluator, WpmEvaluator
    from pathbench.audio import read_audio

    if metric == "wpm":
        return WpmEvaluator().score_detail("u", place[0], text, "xx", *place[1:])
    if metric == "f0_range":
        return F0RangeEvaluator().score_detail([place])
    evaluator: Any = evaluators()[metric]
    if not is_array:
        return evaluator.score_detail("u", *place)
    audio = read_audio(*place).audio
    return evaluator.detail_audio(np.zeros(0, np.float32) if audio is None else audio, RATE)


def of_reference(key: str) -> Any:  # noqa: ANN401 - either class
    """Make the evaluator that a name such as ``p_stoi[RMS,frame_deletion=False]`` tells of."""
    from pathbench import ESTOIEvaluator, PSTOIEvaluator

    name, _, words = key.rstrip("]").partition("[")
    options: dict[str, Any] = {}
    for word in filter(None, words.split(",")):
        field, _, value = word.partition("=")
        if value:
            options[field] = int(value) if value.isdigit() else value == "True"
        else:
            options["normalization_method"] = field
    return {"p_stoi": PSTOIEvaluator, "p_estoi": ESTOIEvaluator}[name](**options)


def judged(group: str, name: str, case: str, metric: str, found: Any, wanted: Any) -> Finding:  # noqa: ANN401
    """Compare a score with a golden one, or with what is given instead of it."""
    instead = OURS.get((case, "*")) or OURS.get((case, metric))
    if instead is not None:
        faults = () if (found.value, found.reason) == instead else (f"{found[:2]}, wanted {instead}",)
        return Finding(group, name, faults, ("the upstream value is not given here, by intent",))
    loose = LOOSE.get(name)
    plain = metric.partition("[")[0]
    if found.value is None or wanted is None:
        same = found.value is wanted and (found.value is not None or found.reason is not None)
    else:
        absolute = ABSOLUTE.get(plain, 0.0)
        relative = RELATIVE.get(plain, 0.0)
        if loose is not None:
            absolute, relative = (loose, 0.0) if absolute else (0.0, loose)
        same = math.isclose(found.value, wanted, rel_tol=relative, abs_tol=absolute)
    notes = () if loose is None else ("compared loosely: rounding noise",)
    return Finding(group, name, () if same else (f"{found.value} ({found.reason}), wanted {wanted}",), notes)


def check(root: Path, *, whole: bool = False) -> Report:
    """Judge every golden value; slow ones only for the whole."""
    golden = Golden(root, whole=whole)
    logging.getLogger("pathbench").setLevel(logging.ERROR)
    report = Report("pathbench scores")
    for group in (golden.text, golden.dataset, golden.signal, golden.speaker, golden.reference):
        report.findings += group()
    return report
