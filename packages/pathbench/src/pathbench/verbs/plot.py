"""``pathbench plot``: pictures of a run's results, and of a speaker's vowels."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from pathbench.correlation import Correlation
from pathbench.errors import InputError, UsageError, import_extra
from pathbench.plot import check_path, heatmap, save, scatter
from pathbench.render import refuse_overwriting
from speechio.errors import Report
from speechio.text import read_lines

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]


class _Metric(NamedTuple):
    """What a run found for a metric, and its values."""

    found: Correlation
    values: dict[str, float]


class _Dataset(NamedTuple):
    """What is drawn of a dataset: its name, ratings and metrics by name."""

    name: str
    ratings: dict[str, float]
    metrics: dict[str, _Metric]


def run(given: argparse.Namespace) -> int:
    """Draw a picture.

    Parameters
    ----------
    given : argparse.Namespace
        Options.

    Returns
    -------
    int
        0.
    """
    _refuse_others(given)
    check_path(given.output)
    import_extra("matplotlib", "plot", "a picture")
    figure = {"scatter": _scatter, "heatmap": _heatmap, "vowels": _vowels}[given.picture](given)
    save(figure, given.output)
    return 0


def _refuse_others(given: argparse.Namespace) -> None:
    """Refuse options of another picture."""
    own = {"scatter": ("dataset", "metric"), "vowels": ("speaker", "data_root"), "heatmap": ()}
    for name in ("dataset", "metric", "speaker", "data_root"):
        if getattr(given, name) is not None and name not in own[given.picture]:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} says nothing about a {given.picture} picture; fix: leave it out")


def _results(given: argparse.Namespace) -> tuple[str, dict[str, _Dataset]]:
    """Read a run's ``results.json``: what the points are, and the datasets by name."""
    path = os.path.join(given.source, "results.json") if os.path.isdir(given.source) else given.source
    refuse_overwriting(given.output, [path])
    text = "\n".join(line for _, line in read_lines(path, Report(path)))
    try:
        results = json.loads(text)
        unit = {"speaker": "speakers", "utterance": "utterances"}[results["choices"]["level"]]
        return unit, {one.name: one for one in map(_dataset, results["datasets"])}
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: no results of a run; fix: name the folder that pathbench run wrote") from error


def _dataset(given: dict[str, Any]) -> _Dataset:
    metrics = [_metric(metric) for metric in given["metrics"]]
    ratings = _numbers(given["ratings"])
    for metric in metrics:
        if not (metric.values.keys() & ratings.keys()).issuperset(metric.found.ids):
            raise ValueError(metric.found.metric)
    return _Dataset(_text(given["name"]), ratings, {metric.found.metric: metric for metric in metrics})


def _metric(given: dict[str, Any]) -> _Metric:
    pcc, spearman, low, high = (_number(given[key]) for key in ("pcc", "spearman", "low", "high"))
    reason = "" if given["reason"] is None else _text(given["reason"])
    ids = tuple(map(_text, given["ids"]))
    found = Correlation(_text(given["metric"]), pcc, spearman, len(ids), low, high, reason, ids)
    if math.isnan(pcc) != bool(reason):
        raise ValueError(reason)
    return _Metric(found, _numbers(given["values"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: object) -> float:
    """Take a number; null is NaN."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError(value)
    return float(value)


def _numbers(values: dict[str, Any]) -> dict[str, float]:
    """Take the numbers of a table; what is null is in no correlation."""
    return {key: _number(value) for key, value in values.items() if value is not None}


def _one(options: dict[str, Any], wanted: str | None, option: str) -> Any:  # noqa: ANN401 (whatever is chosen from)
    """Choose what was asked for, or the only one there is."""
    names = ", ".join(options)
    if not options:
        raise InputError("there are no correlations to draw; fix: name the results of a run that computed some")
    if wanted is None and len(options) == 1:
        return next(iter(options.values()))
    if wanted is None:
        raise UsageError(f"there are several: {names}; fix: choose one with {option}")
    if wanted not in options:
        raise UsageError(f"{option} {wanted}: there is no such one; fix: choose one of {names}")
    return options[wanted]


def _scatter(given: argparse.Namespace) -> Any:  # noqa: ANN401 (a matplotlib Figure)
    unit, datasets = _results(given)
    dataset: _Dataset = _one(datasets, given.dataset, "--dataset")
    metric: _Metric = _one(dataset.metrics, given.metric, "--metric")
    return scatter(metric.found, dataset.ratings, metric.values, dataset.name, unit)


def _heatmap(given: argparse.Namespace) -> Any:  # noqa: ANN401
    from pathbench.table import build_table

    _, datasets = _results(given)
    results = {
        name: {of: metric.found.pcc for of, metric in dataset.metrics.items()} for name, dataset in datasets.items()
    }
    return heatmap(build_table(results), list(results))


def _vowels(given: argparse.Namespace) -> Any:  # noqa: ANN401
    from pathbench.dataset import Dataset, parse_data_root
    from pathbench.reasons import tell
    from pathbench.vsa import VSAEvaluator
    from pathbench.work import Audios

    dataset = Dataset(given.source, data_root=None if given.data_root is None else parse_data_root(given.data_root))
    speakers: dict[str, list[str]] = {}
    for utt in dataset.get_utterances():
        speakers.setdefault(dataset.utt2spk.get(utt, utt), []).append(utt)
    if not speakers:
        raise InputError(f"{given.source}: there are no recordings; fix: name a folder with wav.scp")
    utts = _one(speakers, given.speaker, "--speaker")
    places = [place for utt in utts if (place := dataset.place(utt)) is not None]
    speaker = given.speaker or next(iter(speakers))
    detail = VSAEvaluator(visualize=True).detail_audio_list(Audios(places), dataset.language)
    if "figure" not in detail.extras:
        raise InputError(f"{tell(speaker, detail)}; fix: choose a speaker with more voiced speech")
    figure: Any = detail.extras["figure"]
    axes = figure.axes[0]
    axes.set_title(f"{speaker}\n{axes.get_title(loc='left')}", fontsize=10, loc="left", parse_math=False)
    return figure
