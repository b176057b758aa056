"""Metric classes for a measure stage: name them in a ``measure.yaml`` as ``pathbench.cpp`` or by their class path.

The interface is structural (lists of strings, aligned by utterance id); nothing of the stage is imported. Values of
the inputs are paths of recordings, texts for `WPM`; references of other speakers come as inputs of their own. Scores
that do not exist are told of as Python warnings, which reach people whatever runs the metric.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, ClassVar, cast

from pathbench.audio import SHARED
from pathbench.errors import InputError, UsageError
from pathbench.reasons import REASONS
from pathbench.registry import find, load
from pathbench.text import language_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pathbench.base import AnyEvaluator, Compat, Undefined
    from pathbench.reasons import Detail

__all__ = ["CPP", "PESTOI", "PSTOI", "WPM", "CPPDoubleLog", "PraatCPP", "SpeechRate", "StdPitch", "WadaSNR"]

_TWO = (
    "give `inputs: {hyp: wav, ref1: speaker1, ref2: speaker2}` with `ref_keys: [ref1, ref2]`, SCP files of two speakers"
)


class _Metric:
    """Score every utterance with one evaluator.

    Parameters
    ----------
    hyp_key : str, default "hyp"
        Name of the input that holds the paths of the recordings.
    undefined : {"zero", "none"}, default "zero"
        What an analysis that failed scores.
    compat : {"upstream"}, optional
        Give the values of the upstream project where ours differ.

    Notes
    -----
    The result has ``mean``, over the utterances with a score, ``median``, ``n``, how many these are, and
    ``n_missing``, how many have none. Relative paths are looked up in the current folder, in the root of the
    inference results, and in its folder of the test set. The attribute ``input_keys`` names the inputs, so that what
    lacks is told before anything is computed.
    """

    measure_interface: ClassVar[str] = "lists"
    evaluator_name: ClassVar[str]

    def __init__(
        self, hyp_key: str = "hyp", *, undefined: Undefined = "zero", compat: Compat | None = None, **choices: object
    ) -> None:
        self.hyp_key = hyp_key
        self.input_keys: tuple[str, ...] = (hyp_key,)
        cls = cast("Any", load(find(self.evaluator_name)))
        self.evaluator: AnyEvaluator = cls(undefined=undefined, compat=compat, **choices)
        self.signature = f"{self.evaluator.signature(self.evaluator_name)}|mean:utterances"
        self.details: dict[str, Detail] = {}

    def __call__(
        self, data: Mapping[str, Sequence[str]], test_name: str, output_dir: Path | str
    ) -> dict[str, float | int | None]:
        """Score one test set.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Lists aligned by ``utt_id``.
        test_name : str
            Name of the test set.
        output_dir : path-like
            Root of the inference results.

        Returns
        -------
        dict of str to float, int or None
            Mean, median and counts; the mean and the median are None if no utterance has a score.

        Raises
        ------
        InputError, UsageError
            If an input is missing, or a file is not there.
        """
        folders = (Path(), Path(output_dir), Path(output_dir) / test_name)
        values = []
        self.details = {}
        SHARED.max_bytes = min(SHARED.max_bytes, 1 << 26)
        for utt_id, arguments in zip(data["utt_id"], self._arguments(data, folders), strict=True):
            evaluator = cast("Any", self.evaluator)
            detail: Detail = evaluator.score_detail(utt_id, *arguments)
            score = math.nan if detail.value is None else float(detail.value)
            if not math.isnan(score):
                values.append(score)
            if detail.reason is not None or math.isnan(score):
                self.details[utt_id] = detail
        self._tell(test_name, len(data["utt_id"]))
        return {
            "mean": fmean(values) if values else None,
            "median": median(values) if values else None,
            "n": len(values),
            "n_missing": len(data["utt_id"]) - len(values),
        }

    def _tell(self, test_name: str, n: int) -> None:
        """Warn of the scores that do not exist or are doubtful: how many, why, and the first in its own words."""
        if not self.details:
            return
        counts = Counter(detail.reason or "not_a_number" for detail in self.details.values())
        reasons = ", ".join(f"{reason} {count}" for reason, count in counts.most_common())
        first, detail = next(iter(self.details.items()))
        words = detail.extras.get("message") or REASONS.get(detail.reason or "", "not a number")
        what = f"{len(self.details)} of {n} utterances have no sound score ({reasons})"
        warnings.warn(
            f"pathbench.{self.evaluator_name} on {test_name}: {what}; the first is {first}: {words}", stacklevel=3
        )

    def _arguments(self, data: Mapping[str, Sequence[str]], folders: Sequence[Path]) -> Iterator[tuple[Any, ...]]:
        """Give what the evaluator takes after the utterance."""
        for value in _column(data, self.hyp_key):
            yield (_file(value, self.hyp_key, folders),)


class CPP(_Metric):
    """Cepstral peak prominence; see `pathbench.CPPEvaluator`."""

    evaluator_name: ClassVar[str] = "cpp"


class CPPDoubleLog(_Metric):
    """Cepstral peak prominence with a double logarithm; see `pathbench.CPPDoubleLogEvaluator`."""

    evaluator_name: ClassVar[str] = "cpp_double_log"


class PraatCPP(_Metric):
    """Praat's smoothed cepstral peak prominence; see `pathbench.PraatCPPEvaluator`."""

    evaluator_name: ClassVar[str] = "cpp_praat"


class StdPitch(_Metric):
    """Standard deviation of the pitch in semitones; see `pathbench.StdPitchEvaluator`."""

    evaluator_name: ClassVar[str] = "std_pitch"


class SpeechRate(_Metric):
    """Syllables per second; see `pathbench.PraatSpeechRateEvaluator`."""

    evaluator_name: ClassVar[str] = "praat_speech_rate"


class WadaSNR(_Metric):
    """Signal-to-noise ratio in dB, without a reference; see `pathbench.WadaSnrEvaluator`."""

    evaluator_name: ClassVar[str] = "wada_snr"


class WPM(_Metric):
    """Words per minute; see `pathbench.WpmEvaluator`.

    Parameters
    ----------
    hyp_key : str, default "hyp"
        Name of the input that holds the paths of the recordings.
    text_key : str, default "text"
        Name of the input that holds what was to be said.
    language : str, default "en"
        Its language.
    undefined, compat
        As in the other metrics.
    """

    evaluator_name: ClassVar[str] = "wpm"

    def __init__(
        self,
        hyp_key: str = "hyp",
        text_key: str = "text",
        language: str = "en",
        *,
        undefined: Undefined = "zero",
        compat: Compat | None = None,
    ) -> None:
        super().__init__(hyp_key, undefined=undefined, compat=compat)
        self.text_key = text_key
        self.input_keys = (hyp_key, text_key)
        self.language = language_code(language)

    def _arguments(self, data: Mapping[str, Sequence[str]], folders: Sequence[Path]) -> Iterator[tuple[Any, ...]]:
        """Give recording, text and language."""
        for value, text in zip(_column(data, self.hyp_key), _column(data, self.text_key), strict=True):
            yield _file(value, self.hyp_key, folders), text, self.language


class _WithReferences(_Metric):
    """Score every utterance against recordings of others who say the same.

    Parameters
    ----------
    hyp_key : str, default "hyp"
        Name of the input that holds the paths of the recordings.
    ref_keys : sequence of str, default ("ref1", "ref2")
        Names of the inputs that hold the paths of the references, one speaker each; the first is the one that the
        others are aligned to. Two at least, since what they have in common is what is compared with.
    include_centroid : bool, default False
        Let the first reference take part in the mean, so that one reference is enough. The value then is another one.
    undefined, compat
        As in the other metrics.

    Raises
    ------
    UsageError
        If there are too few references, or one is named twice.
    """

    def __init__(
        self,
        hyp_key: str = "hyp",
        ref_keys: Sequence[str] = ("ref1", "ref2"),
        *,
        include_centroid: bool = False,
        undefined: Undefined = "zero",
        compat: Compat | None = None,
    ) -> None:
        super().__init__(hyp_key, undefined=undefined, compat=compat, include_centroid=include_centroid)
        if isinstance(ref_keys, str) or not ref_keys:
            raise UsageError(f"ref_keys is {ref_keys!r}; fix: give a list of names of inputs")
        self.ref_keys = tuple(ref_keys)
        self.input_keys = (hyp_key, *self.ref_keys)
        self.signature += f"|references:{len(self.ref_keys)}"
        if len(set(self.ref_keys)) < len(self.ref_keys):
            raise UsageError(f"ref_keys names an input twice: {', '.join(self.ref_keys)}; fix: name each once")
        if len(self.ref_keys) == 1 and not include_centroid:
            what = f"{self.evaluator_name} needs two references at least, and ref_keys names {self.ref_keys[0]} only"
            raise UsageError(f"{what}; fix: {_TWO}, or choose include_centroid: true")

    def _arguments(self, data: Mapping[str, Sequence[str]], folders: Sequence[Path]) -> Iterator[tuple[Any, ...]]:
        """Give recording and references."""
        columns = [_column(data, key, f"; fix: {_TWO}") for key in self.ref_keys]
        for value, *references in zip(_column(data, self.hyp_key), *columns, strict=True):
            files = [
                (_file(name, key, folders), 0.0, -1.0)
                for key, name in zip(self.ref_keys, references, strict=True)
                if name
            ]
            yield _file(value, self.hyp_key, folders), files


class PSTOI(_WithReferences):
    """Intelligibility against references, P-STOI; see `pathbench.PSTOIEvaluator`."""

    evaluator_name: ClassVar[str] = "p_stoi"


class PESTOI(_WithReferences):
    """Intelligibility against references, P-ESTOI; see `pathbench.ESTOIEvaluator`."""

    evaluator_name: ClassVar[str] = "p_estoi"


def _column(data: Mapping[str, Sequence[str]], key: str, remedy: str = "; fix: add it to `inputs`") -> Sequence[str]:
    if key not in data:
        raise UsageError(f"there is no input {key!r}; there is {', '.join(map(repr, data))}{remedy}")
    return data[key]


def _file(value: str, key: str, folders: Sequence[Path]) -> str:
    """Find a recording."""
    try:
        found = next((folder / value for folder in folders if (folder / value).is_file()), None)
    except (OSError, ValueError):
        found = None
    if found is None:
        raise InputError(f"{value}: there is no such file (input {key!r}); fix: give paths of recordings")
    return str(found)
