"""``pathbench plot``: pictures of a run's results, and of a speaker's vowels."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from pathbench.correlation import Correlation
from pathbench.errors import InputError, UsageError, import_extra
from pathbench.plot import check_path, heatmap, save, scatter
from pathbench.render import refuse_overwriting
from speechio.errors import Report
from speechio.text import read_lines

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]


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


def _results(given: argparse.Namespace) -> dict[str, Any]:
    """Read a run's ``results.json``."""
    path = os.path.join(given.source, "results.json") if os.path.isdir(given.source) else given.source
    refuse_overwriting(given.output, [path])
    text = "\n".join(line for _, line in read_lines(path, Report(path)))
    try:
        results = json.loads(text)
        level = results["choices"]["level"]
        for dataset in results["datasets"]:
            for metric in dataset["metrics"]:
                [(dataset["ratings"][key], metric["values"][key]) for key in metric["ids"]]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: no results of a run; fix: name the folder that pathbench run wrote") from error
    return {"unit": "speakers" if level == "speaker" else "utterances", "datasets": list(results["datasets"])}


def _one(options: dict[str, Any], wanted: str | None, option: str) -> Any:  # noqa: ANN401 (whatever is chosen from)
    """Choose what was asked for, or the only one there is."""
    names = ", ".join(options)
    if wanted is None and len(options) == 1:
        return next(iter(options.values()))
    if wanted is None:
        raise UsageError(f"there are several: {names}; fix: choose one with {option}")
    if wanted not in options:
        raise UsageError(f"{option} {wanted}: there is no such one; fix: choose one of {names}")
    return options[wanted]


def _scatter(given: argparse.Namespace) -> Any:  # noqa: ANN401 (a matplotlib Figure)
    results = _results(given)
    dataset = _one({found["name"]: found for found in results["datasets"]}, given.dataset, "--dataset")
    metric = _one({found["metric"]: found for found in dataset["metrics"]}, given.metric, "--metric")
    found = Correlation(
        metric["metric"],
        _nan(metric["pcc"]),
        _nan(metric["spearman"]),
        metric["n"],
        _nan(metric["low"]),
        _nan(metric["high"]),
        metric["reason"] or "",
        tuple(metric["ids"]),
    )
    return scatter(found, dataset["ratings"], metric["values"], dataset["name"], results["unit"])


def _nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _heatmap(given: argparse.Namespace) -> Any:  # noqa: ANN401
    from pathbench.table import build_table

    results = {
        found["name"]: {metric["metric"]: _nan(metric["pcc"]) for metric in found["metrics"]}
        for found in _results(given)["datasets"]
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
