"""Lets ``python -m speechmeasure`` run the command line."""

import sys

from speechmeasure.cli import main

if __name__ == "__main__":
    sys.exit(main())
