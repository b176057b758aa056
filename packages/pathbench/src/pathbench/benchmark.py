"""Run evaluators over datasets: every score into the store as it is made, what is there already is not made again.

The order of work is that of the results: every utterance with a speaker, first what needs no reference, then with
the references of control speakers of the same gender, then with those of all others; at last whole speakers. The
recording of an utterance is read once for all evaluators.
"""

from __future__ import annotations

import copy
import logging
import os
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pathbench.dataset import Dataset
from pathbench.errors import InputError, UsageError
from pathbench.plan import Plan, Run
from pathbench.reasons import fault
from pathbench.selection import REFERENCES, choose, expand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pathbench.base import Compat, Undefined
    from pathbench.engine import Engine
    from pathbench.plan import Level
    from pathbench.roots import DataRoot
    from pathbench.selection import Choice, References
    from pathbench.store import Store

__all__ = ["Choices", "Run", "compute", "dataset_name", "prepare"]

log = logging.getLogger(__name__)

_NO_REFERENCES = "so there are no metrics with references"
_MOST_TRIES = 3  # for files that change while they are scored


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run is asked for.

    Attributes
    ----------
    evaluators : sequence of Choice, or None
        Names, classes or instances; None for the usual ones.
    skip : sequence of str
        Names to leave out.
    undefined : {"zero", "none"}
        What an analysis that failed scores.
    compat : {"upstream"} or None
        Give the values of the upstream project where ours differ.
    data_root : str, mapping or None
        Where recordings are; see `pathbench.dataset.Dataset`.
    """

    evaluators: Sequence[Choice] | None = None
    skip: Sequence[str] = ()
    undefined: Undefined = "zero"
    compat: Compat | None = None
    data_root: DataRoot | None = None


def dataset_name(path: str, datasets_root: str | None = None) -> str:
    """Name a dataset after its folder.

    Parameters
    ----------
    path : str
        The folder.
    datasets_root : str, optional
        Folder that names begin below; by default the current one, for datasets in it.

    Returns
    -------
    str
        The path below the root, with ``/``; the whole path without its first ``/`` if it is elsewhere.

    Raises
    ------
    InputError
        If a root is given and the dataset is not below it.

    Examples
    --------
    >>> dataset_name("/data/sets/copas/pathological/word/all", "/data/sets")
    'copas/pathological/word/all'
    """
    whole = os.path.abspath(path)
    relative = os.path.relpath(whole, os.path.abspath(datasets_root or os.curdir)).replace(os.sep, "/")
    if relative == os.curdir:
        return os.path.basename(whole)
    if relative.split("/")[0] != os.pardir:
        return relative
    if datasets_root is not None:
        raise InputError(f"{path}: is not below {datasets_root}; fix: give the folder of all datasets as root")
    return os.path.splitdrive(whole)[1].replace(os.sep, "/").lstrip("/")


def prepare(path: str, name: str, choices: Choices, level: Level = "speaker") -> Run:
    """Read a dataset and choose what to compute on it; nothing is computed yet.

    Parameters
    ----------
    path : str
        Folder of the dataset, that of the pathological speakers.
    name : str
        Its name in the store.
    choices : Choices
        What to compute.
    level : {"speaker", "utterance"}, default "speaker"
        What is to be correlated with ratings; single utterances have no scores of whole speakers.

    Returns
    -------
    Run
        What `compute` takes.

    Raises
    ------
    PathbenchError, speechio.SpeechioError
        If the dataset or a choice cannot be used.
    """
    dataset, by_kind, alone = _with_references(path, choices)
    metrics = choose(
        expand(choices.evaluators, choices.skip),
        dataset,
        [kind for kind in REFERENCES if kind in by_kind],
        undefined=choices.undefined,
        compat=choices.compat,
        asked=choices.evaluators is not None,
        alone=alone,
    )
    shown = [metric for metric in metrics if level == "speaker" or not metric.first]
    hidden = ", ".join(metric.name for metric in metrics if metric not in shown)
    if hidden and choices.evaluators is not None:
        log.warning("%s: %s: no scores of utterances, so nothing to correlate with --level utterance", path, hidden)
    return Run(name, dataset, by_kind, shown, level, _speakers(dataset))


def compute(run: Run, store: Store, engine: Engine, progress: Callable[[int, int], None] | None = None) -> None:
    """Compute the scores of a dataset that are not in the store yet, and store each unit's as soon as they are there.

    Parameters
    ----------
    run : Run
        Of `prepare`.
    store : Store
        Where scores are kept.
    engine : Engine
        What computes.
    progress : callable, optional
        Hears how many units of how many are done.

    Raises
    ------
    PathbenchError
        If an evaluator cannot work at all, or the store cannot be written.
    """
    n_units = len(run.units) * any(not metric.by_speaker for metric in run.metrics)
    n_units += len(run.speakers) * any(metric.by_speaker for metric in run.metrics)
    n_done = 0
    plan = Plan(run, store)
    tasks = plan.tasks()
    evaluators = {metric.name: metric.evaluator for metric in run.metrics if metric.kind != "lookup"}
    with engine.ready(evaluators) as perform:
        # tasks are planned a window at a time, in this thread: the store has one owner
        while window := list(islice(tasks, engine.window)):
            for n_left in reversed(range(_MOST_TRIES)):
                keys_of = {(task.level, task.unit): keys for task, keys in window}
                n_done += sum(not task.jobs for task, _ in window)
                changed = []
                for task, scores in perform([task for task, _ in window if task.jobs]):
                    if (is_another := plan.has_changed(task)) and n_left:
                        changed.append(task)
                        continue
                    keys = keys_of[task.level, task.unit]
                    kept = [(metric, *keys[metric], _UNSTEADY if is_another else detail) for metric, detail in scores]
                    store.add(run.name, kept)
                    run.n_computed += len(scores)
                    n_done += 1
                    if progress is not None:
                        progress(n_done, n_units)
                if progress is not None:
                    progress(n_done, n_units)
                window = [plan.again(task) for task in changed]


_UNSTEADY = fault("load_error", "a file changes while it is read")


def _speakers(dataset: Dataset) -> dict[str, str]:
    """Give the speaker of every utterance that has one; say which have none, and which have no recording at all.

    Without ``utt2spk`` every utterance is a speaker of its own: utterances can be correlated all the same.
    """
    utts = dataset.get_utterances()
    if not dataset.utt2spk:
        return {utt: utt for utt in utts}
    _warn_of(dataset, [utt for utt in utts if utt not in dataset.utt2spk], "have no speaker and are left out")
    known = set(utts)
    table = "segments" if dataset.segments else "wav.scp"
    lost = [utt for utt in dataset.utt2spk if utt not in known]
    _warn_of(dataset, lost, f"have a speaker but are not in {table}, and are left out")
    return {utt: dataset.utt2spk[utt] for utt in utts if utt in dataset.utt2spk}


def _warn_of(dataset: Dataset, utts: Sequence[str], what: str) -> None:
    if utts:
        names = ", ".join(utts[:5]) + (", …" if len(utts) > 5 else "")
        log.warning("%s: %d utterances %s: %s", dataset.path, len(utts), what, names)


def _with_references(path: str, choices: Choices) -> tuple[Dataset, dict[References, Dataset], str]:
    """Read a dataset, and once more its tables for either kind of references if there is a control set.

    At last comes why there is none.
    """
    if not path:
        raise UsageError("the name of a dataset is empty; fix: name a folder, or . for the current one")
    path = os.path.normpath(path)
    control, alone = _control(path, choices.compat)
    if not control:
        return Dataset(path, data_root=choices.data_root), {}, alone
    dataset = Dataset(path, True, control, "control", data_root=choices.data_root)
    assert dataset.reference is not None
    if not dataset.reference.wav_scp:
        return dataset, {}, f"{control}: {dataset.reference.lacking('wav.scp')}, {_NO_REFERENCES}"
    everybody = copy.copy(dataset)
    everybody.reference_type = "all"
    return dataset, {"control": dataset, "all": everybody}, ""


def _control(path: str, compat: Compat | None) -> tuple[str, str]:
    """Find the folder of the control speakers, wherever it is called from; or say why there is none.

    Every "pathological" of the path is replaced; where that names no folder, fewer, the last ones, since a folder far
    above may be called so for reasons of its own.
    """
    whole = os.path.abspath(path)
    parts = whole.split("pathological")
    if len(parts) == 1:
        # upstream takes such a set for its own control set
        alone = "the path of the dataset does not say pathological, so no folder of control speakers is known"
        return (whole, "") if compat == "upstream" and os.path.isdir(whole) else ("", alone)
    for i in range(1, len(parts)):
        control = "control".join(["pathological".join(parts[:i]), *parts[i:]])
        if os.path.isdir(control):
            return control, ""
    wanted = "control".join(parts)
    return "", f"{wanted}: there is no such folder, {_NO_REFERENCES}"
