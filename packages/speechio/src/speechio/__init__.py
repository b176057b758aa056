"""Readers, writers and a lint for the file formats of speech research."""

from speechio.__about__ import __version__

__all__ = ["__version__"]
