"""Metric classes for a measure stage: name them in a ``measure.yaml`` as ``mdeval.der`` or by their class path.

The interface is structural (lists of strings, aligned by utterance id); nothing of the stage is imported. Every value
of the inputs is the path of an RTTM file: one per recording, or the same one on every line.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from mdeval.errors import InputError, UsageError
from mdeval.inputs import sides_from, uem_from_any
from mdeval.metric_run import Choices, run_metrics
from mdeval.pool import pair
from mdeval.result import score, score_sides_as_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["DER", "JER"]


class DER:
    """Diarization error rate, as NIST md-eval 22 gives it.

    Parameters
    ----------
    collar : float, default 0.0
        Half-width, in seconds, of the zone around each reference boundary that is not scored.
    ignore_overlap : bool, default False
        Score only where at most one reference turn is open.
    ref_key, hyp_key : str, default "ref" and "hyp"
        Names of the inputs that hold the reference and the system RTTM paths.
    uem : str, optional
        A UEM file for all test sets. An input called ``uem`` takes its place.

    Notes
    -----
    The result has ``der``, a fraction, and in seconds ``missed``, ``false_alarm``, ``confusion`` and ``scored``:
    ``der = (missed + false_alarm + confusion) / scored``.
    """

    measure_interface: ClassVar[str] = "lists"
    rate_keys: ClassVar[tuple[str, ...]] = ("der",)
    """Keys of the result that are fractions, for tables."""

    def __init__(
        self,
        collar: float = 0.0,
        *,
        ignore_overlap: bool = False,
        ref_key: str = "ref",
        hyp_key: str = "hyp",
        uem: str | None = None,
    ) -> None:
        self.collar = collar
        self.ignore_overlap = ignore_overlap
        self.ref_key = ref_key
        self.hyp_key = hyp_key
        self.uem = uem
        self.signature = ""

    def __call__(
        self, data: Mapping[str, Sequence[str]], test_name: str, output_dir: Path | str
    ) -> dict[str, float | None]:
        """Score one test set.

        Parameters
        ----------
        data : mapping of str to sequence of str
            Lists aligned by ``utt_id``: RTTM paths of the reference and of the system output, perhaps UEM paths.
        test_name : str
            Name of the test set.
        output_dir : path-like
            Root of the inference results; relative paths are looked up in the current folder, there, and in its
            folder of the test set.

        Returns
        -------
        dict of str to float or None
            The error rate and its parts; ``der`` is None if no speaker time is scored.

        Raises
        ------
        InputError, UsageError, speechio.SpeechioError
            If an input or a file is missing or wrong.
        """
        reference, system, uem = self._inputs(data, test_name, Path(output_dir))
        result = score(reference, system, uem, self.collar, self.ignore_overlap)
        self.signature = result.signature
        counts = result.components
        return {
            "der": counts.der,
            "missed": counts.missed_speaker_time,
            "false_alarm": counts.falarm_speaker_time,
            "confusion": counts.speaker_error_time,
            "scored": counts.scored_speaker_time,
        }

    def _inputs(
        self, data: Mapping[str, Sequence[str]], test_name: str, output_dir: Path
    ) -> tuple[list[str], list[str], str | None]:
        """Find the files of a test set."""
        folders = (Path(), output_dir, output_dir / test_name)
        uem = self.uem
        if "uem" in data:
            uems = _files(data, "uem", folders)
            if len(uems) > 1:
                raise UsageError(f"{test_name}: {len(uems)} UEM files; put all regions into one")
            uem = uems[0]
        return _files(data, self.ref_key, folders), _files(data, self.hyp_key, folders), uem


class JER(DER):
    """Jaccard error rate: the mean over the reference speakers of one minus the overlap with their partners.

    The parameters are those of `DER`. The result has ``jer``, a fraction, or None without any speaker.

    Notes
    -----
    Source: N. Ryant et al., "The Second DIHARD Diarization Challenge", Interspeech 2019.
    """

    rate_keys: ClassVar[tuple[str, ...]] = ("jer",)

    def __call__(
        self, data: Mapping[str, Sequence[str]], test_name: str, output_dir: Path | str
    ) -> dict[str, float | None]:
        """Score one test set; see `DER`."""
        reference, system, uem = self._inputs(data, test_name, Path(output_dir))
        sides = sides_from(reference, system)
        regions = uem_from_any(uem)
        result = score_sides_as_result(*sides, regions, self.collar, ignore_overlap=self.ignore_overlap)
        keys = [(s.file_id, s.channel) for s in result.recordings]
        choices = Choices(("jer",))
        figures = run_metrics(
            pair(keys, *sides, regions or {}),
            result.recordings,
            choices,
            collar=self.collar,
            ignore_overlap=self.ignore_overlap,
        )
        self.signature = result.signature.replace("|metric:der|", "|metric:jer|") + choices.signature()
        jer = figures.overall.get("jer")
        return {"jer": None if jer is None else float(jer)}


def _files(data: Mapping[str, Sequence[str]], key: str, folders: Sequence[Path]) -> list[str]:
    """Give the different files of an input, in order."""
    if key not in data:
        raise UsageError(f"there is no input {key!r}; there is {', '.join(map(repr, data))}")
    files = []
    for value in dict.fromkeys(data[key]):
        found = [folder / value for folder in folders if (folder / value).is_file()]
        if not found:
            raise InputError(f"{value}: there is no such file (input {key!r}); give paths of RTTM files")
        files.append(str(found[0]))
    return files
