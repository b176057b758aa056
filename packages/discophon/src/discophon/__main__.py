"""``python -m discophon``: the command."""

from __future__ import annotations

import sys

from discophon.cli import main

if __name__ == "__main__":
    sys.exit(main())
