"""``python -m pathbench``."""

import sys

from pathbench.cli import main

sys.exit(main())
