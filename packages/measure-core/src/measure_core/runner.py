"""The measure stage: from a configuration to results on disk."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from measure_core.config.document import load_document
from measure_core.config.options import Options
from measure_core.config.plan import Plan, draft, plan
from measure_core.errors import MeasureError, combined
from measure_core.espnet3 import espnet3_names, import_path
from measure_core.identity import Identities
from measure_core.inputs.prepared import prepare
from measure_core.outputs import faults_of_outputs
from measure_core.stage import Run, Stage

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from omegaconf import DictConfig

    from measure_core.config.document import Document

__all__ = ["Run", "check", "measure", "run"]

logger = logging.getLogger(__name__)


def measure(
    config: os.PathLike[str] | str | Mapping[str, Any] | DictConfig,
    *,
    overrides: Sequence[str] = (),
    options: Options | None = None,
) -> dict[str, dict[str, Any]]:
    """Run the metrics of a configuration and write their results.

    Parameters
    ----------
    config : path-like, str, mapping or DictConfig
        A measure.yaml, or its content.
    overrides : sequence of str, optional
        ``key=value``, as ``--set`` takes them.
    options : Options, optional
        Everything else the command line has options for.

    Returns
    -------
    dict
        What was written: by key of the metric and name of the test set.

    Raises
    ------
    ConfigError, InputError
        If the configuration or an input is wrong; no metric was called.
    MetricError
        If a metric failed; what was finished is in ``measures.partial.json``.
    """
    done = run(config, overrides=overrides, options=options)
    if done.error is not None:
        raise done.error
    return done.results


def run(
    config: os.PathLike[str] | str | Mapping[str, Any] | DictConfig,
    *,
    overrides: Sequence[str] = (),
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Run the metrics of a configuration; a metric that fails is told in what is returned.

    Parameters
    ----------
    config : path-like, str, mapping or DictConfig
        A measure.yaml, or its content.
    overrides : sequence of str, optional
        ``key=value``.
    options : Options, optional
        How to run it.
    progress : callable, optional
        Told how many of how many pieces of work are done.

    Returns
    -------
    Run
        Results and what is known about them.

    Raises
    ------
    ConfigError, InputError
        If the configuration or an input is wrong; no metric was called.
    """
    options = options or Options()
    document = load_document(config, overrides)
    with _imports(document, options):
        planned = plan(document, options)
        if planned.are_discovered:
            logger.info("test sets found in %s: %s", planned.root, " ".join(planned.test_sets))
        identities = Identities(planned, document.folder)
        aligned, faults = prepare(planned)
        faults += faults_of_outputs(planned)
        if faults:
            raise combined(faults)
        for target in options.allow_targets:
            logger.warning("the target %s may be built whatever it is (--allow-target)", target)
        return Stage(planned, aligned, identities, progress).run()


def check(
    config: os.PathLike[str] | str | Mapping[str, Any] | DictConfig,
    *,
    overrides: Sequence[str] = (),
    options: Options | None = None,
) -> tuple[Plan | None, list[MeasureError]]:
    """Find everything that is wrong with a run before running it.

    Parameters
    ----------
    config : path-like, str, mapping or DictConfig
        A measure.yaml, or its content.
    overrides : sequence of str, optional
        ``key=value``.
    options : Options, optional
        How it would be run.

    Returns
    -------
    planned : Plan or None
        What would be done; None if not even that is clear.
    faults : list of MeasureError
        What is wrong: configuration, targets, inputs, IDs, and where results could not be written.
    """
    options = options or Options()
    try:
        document = load_document(config, overrides)
    except MeasureError as fault:
        return None, [fault]
    with _imports(document, options):
        planned, faults = draft(document, options)
        if planned is not None:
            faults += prepare(planned, every=True)[1] + faults_of_outputs(planned)
    return planned, [part for fault in faults for part in fault.each()]


def _imports(document: Document, options: Options) -> ExitStack:
    """Make the classes of a configuration importable."""
    stack = ExitStack()
    stack.enter_context(espnet3_names(are_wanted=options.espnet3_names))
    stack.enter_context(import_path(document.folder))
    return stack
