"""The metrics beside md-eval's own figures: a registry by name, from the cells or the words of one recording to sums.

::

    wanted = parse_metrics("jer,bcubed")
    total = add_up(compute(Cells(recording), wanted) for recording in recordings)
    row = {name: value for metric in wanted for name, value in METRICS[metric].columns(total[metric]).items()}

Each metric is a pure function that gives sums; sums add up across recordings with ``+``, and rates are their
properties. `docs` and the modules of this package say what each figure means and where its formula comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdeval.errors import UsageError
from mdeval.metrics import boundaries, clustering, detection, identification, jaccard, segmentation, speakers, words
from mdeval.metrics.boundaries import Boundary, Edges
from mdeval.metrics.clustering import Aggregate, Clustering, Norm
from mdeval.metrics.detection import Detection
from mdeval.metrics.identification import Der, Identification
from mdeval.metrics.jaccard import Jer, jaccard_map
from mdeval.metrics.segmentation import Segmentation
from mdeval.metrics.speakers import HomogeneityCompleteness, PurityCoverage, SpeakerCount
from mdeval.metrics.sums import Sums
from mdeval.metrics.word_files import read_rttm_words, read_seglst, read_words
from mdeval.metrics.words import Cpwer, Wder, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mdeval.cells import Cells

__all__ = [
    "METRICS",
    "Aggregate",
    "Boundary",
    "Clustering",
    "Cpwer",
    "Der",
    "Detection",
    "Edges",
    "HomogeneityCompleteness",
    "Identification",
    "Jer",
    "Metric",
    "Norm",
    "PurityCoverage",
    "Segmentation",
    "SpeakerCount",
    "Sums",
    "Wder",
    "Word",
    "add_up",
    "compute",
    "compute_words",
    "jaccard_map",
    "parse_metrics",
    "read_rttm_words",
    "read_seglst",
    "read_words",
]


@dataclass(frozen=True, slots=True)
class Metric:
    """An entry of the registry.

    Parameters
    ----------
    name : str
        What users call it.
    description : str
        What it says, in one line.
    function : callable
        From cells, or from the words of both sides, to sums. Metrics with one function share its sums.
    columns : callable
        From sums to figures by column name: rates as fractions, None where one does not exist. Those of
        `clustering` take ``aggregate="block"`` or ``"mean"``.
    needs_words : bool
        Whether it is computed from words, not from cells.
    options : tuple of str
        Keywords of `compute` that change its figures.
    """

    name: str
    description: str
    function: Callable[..., Sums]
    columns: Callable[..., Mapping[str, float | int | None]]
    needs_words: bool = False
    options: tuple[str, ...] = ()


_METRICS = (
    Metric(
        "der",
        "missed, false alarm and confused speaker time, by reference",
        identification.der,
        identification.der_columns,
        options=("mapping",),
    ),
    Metric(
        "jer",
        "Jaccard error, the mean over the reference speakers",
        jaccard.jer,
        jaccard.jer_columns,
        options=("min_duration",),
    ),
    Metric(
        "detection",
        "speech activity, whoever speaks: errors, precision, recall, cost",
        detection.detection,
        detection.detection_columns,
    ),
    Metric(
        "purity_coverage",
        "how pure system speakers are, how whole reference ones",
        speakers.purity_coverage,
        speakers.purity_columns,
    ),
    Metric(
        "bcubed",
        "precision and recall of who speaks with whom, moment by moment",
        clustering.clustering,
        clustering.bcubed_columns,
    ),
    Metric(
        "nmi",
        "mutual information of the labels, normalised by their entropies",
        clustering.clustering,
        clustering.nmi_columns,
    ),
    Metric(
        "mi",
        "mutual information of the labels and conditional entropies, in bits",
        clustering.clustering,
        clustering.mi_columns,
    ),
    Metric(
        "homogeneity_completeness",
        "entropy of one side explained by the other where both speak",
        speakers.homogeneity_completeness,
        speakers.homogeneity_columns,
    ),
    Metric("gk_tau", "Goodman-Kruskal tau of the labels, both ways", clustering.clustering, clustering.gk_tau_columns),
    Metric(
        "boundary",
        "ends of turns found, to a tolerance",
        boundaries.boundary,
        boundaries.boundary_columns,
        options=("tolerance", "edges"),
    ),
    Metric(
        "segmentation",
        "whether turns are cut as in the reference, whoever speaks",
        segmentation.segmentation,
        segmentation.segmentation_columns,
        options=("max_gap",),
    ),
    Metric(
        "ier",
        "identification error: the DER with names taken as they are",
        identification.identification,
        identification.identification_columns,
    ),
    Metric(
        "speaker_count",
        "whether the number of speakers is right",
        speakers.speaker_count,
        speakers.speaker_count_columns,
    ),
    Metric(
        "cpwer", "word errors under the best assignment of speakers", words.cpwer, words.cpwer_columns, needs_words=True
    ),
    Metric("wder", "words given to the wrong speaker", words.wder, words.wder_columns, needs_words=True),
)

METRICS: dict[str, Metric] = {metric.name: metric for metric in _METRICS}
"""All metrics by name, in the order in which they are listed."""


def parse_metrics(text: str) -> list[str]:
    """Read a list of metrics as users write it.

    Parameters
    ----------
    text : str
        Names by comma, or ``all``.

    Returns
    -------
    list of str
        Names, each once, in the order given; for ``all`` in that of `METRICS`, those that need words included.

    Raises
    ------
    UsageError
        If a name is not known, or there is none.

    Examples
    --------
    >>> parse_metrics("jer, der")
    ['jer', 'der']
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(f"no metric is named; choose from {', '.join(METRICS)}, or all")
    for name in names:
        if name not in METRICS and name != "all":
            raise UsageError(_unknown(name))
    return list(METRICS) if "all" in names else list(dict.fromkeys(names))


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower().replace("-", "_"), [*METRICS, "all"])
    hint = f"did you mean {' or '.join(close)}?" if close else f"choose from {', '.join(METRICS)}, or all"
    return f"unknown metric {name!r}; {hint}"


def compute(
    cells: Cells,
    names: Sequence[str],
    *,
    mapping: Mapping[str, str] | None = None,
    min_duration: float = 0.0,
    tolerance: float = 0.25,
    edges: Edges = "end",
    max_gap: float = 0.5,
) -> dict[str, Sums]:
    """Compute metrics of one recording.

    Parameters
    ----------
    cells : Cells
        The recording.
    names : sequence of str
        Metrics, none of which needs words.
    mapping : mapping of str to str, optional
        For ``der``: the map found before collars and the like, `RecordingScore.mapping`.
    min_duration : float, default 0.0
        For ``jer``: least activity of a reference speaker that counts, in seconds.
    tolerance : float, default 0.25
        For ``boundary``: largest distance of matched boundaries, in seconds.
    edges : {"end", "both"}, default "end"
        For ``boundary``: which times are boundaries.
    max_gap : float, default 0.5
        For ``segmentation``: gaps shorter than this are filled, in seconds.

    Returns
    -------
    dict of str to Sums
        By metric, in the order of `names`.

    Raises
    ------
    UsageError
        If a name is not known or needs words, or an option cannot be used.
    """
    options = {
        "mapping": mapping,
        "min_duration": min_duration,
        "tolerance": tolerance,
        "edges": edges,
        "max_gap": max_gap,
    }
    done: dict[Callable[..., Sums], Sums] = {}
    for metric in _chosen(names, needs_words=False):
        if metric.function not in done:
            done[metric.function] = metric.function(cells, **{key: options[key] for key in metric.options})
    return {name: done[METRICS[name].function] for name in names}


def compute_words(reference: Sequence[Word], system: Sequence[Word], names: Sequence[str]) -> dict[str, Sums]:
    """Compute metrics of the words of one recording.

    Parameters
    ----------
    reference, system : sequence of (float, str, str)
        Words of either side: onset in seconds, speaker, word.
    names : sequence of str
        Metrics, all of which need words.

    Returns
    -------
    dict of str to Sums
        By metric, in the order of `names`.

    Raises
    ------
    UsageError
        If a name is not known or does not need words.
    """
    return {metric.name: metric.function(reference, system) for metric in _chosen(names, needs_words=True)}


def _chosen(names: Sequence[str], *, needs_words: bool) -> list[Metric]:
    for name in names:
        if name not in METRICS:
            raise UsageError(_unknown(name))
        if METRICS[name].needs_words != needs_words:
            raise UsageError(f"metric {name} is computed from {'turns' if needs_words else 'words'}")
    return [METRICS[name] for name in names]


def add_up(results: Iterable[Mapping[str, Sums]]) -> dict[str, Sums]:
    """Add up what `compute` or `compute_words` gave for several recordings.

    Parameters
    ----------
    results : iterable of mapping of str to Sums
        Of each recording.

    Returns
    -------
    dict of str to Sums
        The totals; empty over no recordings. A metric that some recordings lack is added over those that have it.
    """
    total: dict[str, Sums] = {}
    for result in results:
        for name, sums in result.items():
            total[name] = total[name] + sums if name in total else sums
    return total
