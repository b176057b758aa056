"""``python -m mdeval``."""

import sys

from mdeval.cli import main

sys.exit(main())
