"""NIST md-eval 22 in Python."""

from mdeval.__about__ import __version__

__all__ = ["__version__"]
