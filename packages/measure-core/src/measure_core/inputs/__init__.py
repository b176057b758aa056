"""From SCP files to aligned columns and to streams of rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from measure_core.inputs.align import OnMismatch

__all__ = ["load_inputs"]


def load_inputs(
    infer_dir: os.PathLike[str] | str,
    test_name: str,
    inputs: Mapping[str, str] | Sequence[str],
    *,
    on_mismatch: OnMismatch = "error",
) -> dict[str, list[str]]:
    """Load the SCP files of a test set as lists aligned by ID.

    Parameters
    ----------
    infer_dir : path-like or str
        Root of the inference results.
    test_name : str
        Name of the test set: a folder of the root.
    inputs : mapping of str to str, or sequence of str
        For each alias its file, without ``.scp``; or files that are their own aliases.
    on_mismatch : {"error", "intersect", "empty"}, default "error"
        What to do when the files do not have the same IDs.

    Returns
    -------
    dict of str to list of str
        ``utt_id``, sorted by code point, and every alias.

    Raises
    ------
    ConfigError
        If a name makes no sense as an input.
    InputError
        If a file is missing or wrong, or the IDs differ.
    """
    from measure_core.inputs.align import align_columns
    from measure_core.inputs.columns import read_column
    from measure_core.inputs.names import bound, resolve

    where = f"test set {test_name}"
    paths = resolve(Path(infer_dir), test_name, bound(inputs, where), where)
    read = {path: read_column(path) for path in dict.fromkeys(paths.values())}
    return align_columns({alias: read[path] for alias, path in paths.items()}, where, on_mismatch).lists()
