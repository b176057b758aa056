"""``python -m discophon.prepare`` is ``discophon prepare``."""

from __future__ import annotations

import sys

from discophon.cli import main

if __name__ == "__main__":
    sys.exit(main(verb="prepare"))
