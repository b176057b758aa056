"""Run the command line: ``python -m speechio``."""

import sys

from speechio.cli import main

if __name__ == "__main__":
    sys.exit(main())
