"""Speech evaluation whose numbers can be trusted: all packages of the family, imported lazily."""

from speechmeasure.__about__ import __version__

__all__ = ["__version__"]
