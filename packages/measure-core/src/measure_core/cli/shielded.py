"""Standard output is for results: whatever classes of the user print goes to standard error."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["results_only"]


@contextmanager
def results_only() -> Iterator[None]:
    """Send what this process and its children write to standard output to standard error for a while.

    Yields
    ------
    None
        Nothing reaches standard output.
    """
    try:
        sys.stdout.flush()
        kept = os.dup(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or no file
        yield
        return
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, sys.stdout.fileno())
        os.close(kept)
