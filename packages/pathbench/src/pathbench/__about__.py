"""Where the version of this distribution is written, once; the build reads it here."""

__version__ = "1.0.0"
