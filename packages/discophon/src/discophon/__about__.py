"""Where the version of this distribution is written, once; the build reads it here."""

__version__ = "1.0.0"

SCHEMA_VERSION = "1.0"
"""Version of the JSON documents: the second number grows with additions, the first with breaks."""
