"""``pathbench plot``: pictures of a run's results, and of a speaker's vowels."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

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
    check_path(given.output)
    import_extra("matplotlib", "plot", "a picture")
    figure = {"scatter": _scatter, "heatmap": _heatmap, "vowels": _vowels}[given.picture](given)
    save(figure, given.output)
    return 0


def _results(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Read the datasets of a run's ``results.json``."""
    path = os.path.join(given.source, "results.json") if os.path.isdir(given.source) else given.source
    refuse_overwriting(given.output, [path])
    text = "\n".join(line for _, line in read_lines(path, Report(path)))
    try:
        datasets = json.loads(text)["datasets"]
        for dataset in datasets:
            for part in (dataset["ratings"], *(metric["values"] for metric in dataset["metrics"])):
                part.items()
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: no results of a run; fix: name the folder that pathbench run wrote") from error
    return list(datasets)


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
    dataset = _one({found["name"]: found for found in _results(given)}, given.dataset, "--dataset")
    metric = _one({found["metric"]: found for found in dataset["metrics"]}, given.metric, "--metric")
    shared = dataset["common"] if given.metric not in ("wada_snr", "spk2age") else dataset["ratings"]
    values = {key: metric["values"][key] for key in shared if metric["values"].get(key) is not None}
    return scatter(dataset["ratings"], values, metric["metric"], dataset["name"])


def _heatmap(given: argparse.Namespace) -> Any:  # noqa: ANN401
    from pathbench.table import build_table

    results = {
        found["name"]: {
            metric["metric"]: float("nan") if metric["pcc"] is None else float(metric["pcc"])
            for metric in found["metrics"]
        }
        for found in _results(given)
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
