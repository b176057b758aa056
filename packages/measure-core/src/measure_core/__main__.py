"""Lets ``python -m measure_core`` run the command line."""

import sys

from measure_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
