"""Correction of p-values for their number.

Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from measure_core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["holm"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, after Holm.

    Parameters
    ----------
    p_values : sequence of float
        Raw p-values.

    Returns
    -------
    list of float
        Corrected ones, in the same order: reject where they are below the level wanted for all together.

    Raises
    ------
    ConfigError
        If one is not between 0 and 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    raw = np.asarray(p_values, np.float64)
    if not np.all((raw >= 0) & (raw <= 1)):
        raise ConfigError(f"p-values are {list(p_values)}; each must lie between 0 and 1")
    order = np.argsort(raw, kind="stable")
    scaled = np.minimum(1.0, raw[order] * np.arange(len(raw), 0, -1))
    corrected = np.empty(len(raw))
    corrected[order] = np.maximum.accumulate(scaled)
    return [float(p) for p in corrected]
