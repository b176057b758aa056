"""``python -m discophon.evaluate``: score the units of one language and split."""

from __future__ import annotations

import sys

from discophon.cli import main

if __name__ == "__main__":
    sys.exit(main(verb="evaluate"))
