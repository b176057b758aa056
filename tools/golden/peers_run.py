"""Run the peers on one input and print their figures as JSON; started by `peers_mdeval.py` in their environment.

Needs nothing of this workspace, since it is not installed there. Names of figures are the columns of `mdeval.metrics`.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Figures = dict[str, float]
Recordings = dict[str, list[tuple[float, float, str]]]
Segments = list[dict[str, Any]]

PYANNOTE = {
    "der": "diarization.DiarizationErrorRate",
    "ier": "identification.IdentificationErrorRate",
    "identification_precision": "identification.IdentificationPrecision",
    "identification_recall": "identification.IdentificationRecall",
    "purity": "diarization.DiarizationPurity",
    "coverage": "diarization.DiarizationCoverage",
    "homogeneity": "diarization.DiarizationHomogeneity",
    "completeness": "diarization.DiarizationCompleteness",
    "detection_error_rate": "detection.DetectionErrorRate",
    "detection_accuracy": "detection.DetectionAccuracy",
    "detection_precision": "detection.DetectionPrecision",
    "detection_recall": "detection.DetectionRecall",
    "detection_cost": "detection.DetectionCostFunction",
    "boundary_precision": "segmentation.SegmentationPrecision",
    "boundary_recall": "segmentation.SegmentationRecall",
    "segmentation_purity": "segmentation.SegmentationPurity",
    "segmentation_coverage": "segmentation.SegmentationCoverage",
    "speaker_count_error": "diarization.DiarizationSpeakerCountError",
    "speaker_count_accuracy": "diarization.DiarizationSpeakerCountAccuracy",
}
ONCE = {"der", "ier", "homogeneity", "completeness", "identification_precision", "identification_recall"}
"""Here a speaker whose turns overlap would count twice: they become one turn first."""
TOLERANCES = {"boundary_precision": 0.25, "boundary_recall": 0.25}


def read_turns(path: Path) -> Recordings:
    """Read SPEAKER lines: for each file (onset, offset, speaker)."""
    turns: Recordings = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if fields and fields[0] == "SPEAKER" and float(fields[4]) > 0:
            turns[fields[1]].append((float(fields[3]), float(fields[3]) + float(fields[4]), fields[7]))
    return turns


def read_regions(folder: Path) -> dict[str, list[tuple[float, float]]]:
    """Read a UEM, if there is one."""
    regions: dict[str, list[tuple[float, float]]] = defaultdict(list)
    if (folder / "all.uem").exists():
        for line in (folder / "all.uem").read_text(encoding="utf-8").splitlines():
            fields = line.split()
            regions[fields[0]].append((float(fields[2]), float(fields[3])))
    return regions


def pyannote(folder: Path) -> Figures:
    """Compute what pyannote.metrics offers; without a UEM it scores the extent of both sides."""
    core = import_module("pyannote.core")
    ref, system = read_turns(folder / "ref.rttm"), read_turns(folder / "sys.rttm")
    regions = read_regions(folder)
    metrics = {}
    for name, path in PYANNOTE.items():
        module, _, kind = path.partition(".")
        options = {"tolerance": TOLERANCES[name]} if name in TOLERANCES else {}
        metrics[name] = getattr(import_module(f"pyannote.metrics.{module}"), kind)(**options)
    for file in sorted(ref):
        sides = []
        for turns in (ref[file], system.get(file, [])):
            side = core.Annotation()
            for number, (onset, offset, name) in enumerate(turns):
                side[core.Segment(onset, offset), number] = name
            sides.append(side)
        joined = [side.support() for side in sides]
        uem = core.Timeline([core.Segment(*span) for span in regions[file]]) if file in regions else None
        for name, metric in metrics.items():
            metric(*(joined if name in ONCE else sides), uem=uem)
    return {name: float(abs(metric)) for name, metric in metrics.items()}


def simpleder(folder: Path) -> Figures:
    """Compute DER and JER with simpleder, which scores all of time."""
    peer = import_module("simpleder")
    ref, system = read_turns(folder / "ref.rttm"), read_turns(folder / "sys.rttm")
    sides = [{f: [(name, on, off) for on, off, name in side.get(f, [])] for f in ref} for side in (ref, system)]
    return {"jer": peer.corpus_jer(*sides), "der": peer.corpus_der(*sides)}


def read_words(folder: Path) -> tuple[Segments, Segments]:
    """Read the words of `words.rttm` and `words.seglst.json` as SegLST."""
    ref: Segments = []
    for line in (folder / "words.rttm").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        onset, duration = float(fields[3]), float(fields[4])
        times = {"start_time": onset, "end_time": onset + duration}
        ref.append({"session_id": fields[1], "speaker": fields[7], "words": fields[5], **times})
    system: Segments = json.loads((folder / "words.seglst.json").read_text(encoding="utf-8"))
    for segment in system:  # meeteval wants all times of one type
        segment.update({key: float(segment[key]) for key in ("start_time", "end_time")})
    return ref, system


def meeteval(folder: Path) -> Figures:
    """Compute cpWER with meeteval."""
    seglst = import_module("meeteval.io").SegLST
    (rate,) = import_module("meeteval.wer").cpwer(*map(seglst, read_words(folder))).values()
    return {"cpwer": rate.error_rate}


def simpleder_words(folder: Path) -> Figures:
    """Compute WDER with simpleder."""
    sides = ([(s["speaker"], s["words"]) for s in sorted(side, key=_start)] for side in read_words(folder))
    return {"wder": import_module("simpleder").WDER(*sides)}


def _start(segment: dict[str, Any]) -> float:
    start: float = segment["start_time"]
    return start


def main(name: str, folder: Path) -> int:
    """Run what is installed."""
    warnings.simplefilter("ignore")
    peers: dict[str, Callable[[Path], Figures]] = {"pyannote.metrics": pyannote, "simpleder": simpleder}
    if name == "words":
        peers = {"meeteval": meeteval, "simpleder": simpleder_words}
    found = {}
    for peer, compute in peers.items():
        try:
            found[peer] = compute(folder)
        except ModuleNotFoundError as error:
            print(f"{peer} is not installed: {error}", file=sys.stderr)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
