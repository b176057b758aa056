"""The phoneme discovery benchmark: discrete units and gold phones in, PNMI, phone error rate, boundary F1 and R-value out."""

from __future__ import annotations

from discophon.__about__ import __version__

__all__ = ["__version__"]
