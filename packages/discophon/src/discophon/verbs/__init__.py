"""The verbs of the command ``discophon``, one module each, loaded only when its verb is used.

A module here has

``add_arguments(parser)``
    which declares the arguments of its verb on an `argparse.ArgumentParser`, and
``run(arguments) -> int``
    which does the work and gives the exit status: 0 done, 1 judged and found wanting.

Errors are raised, not printed: `discophon.cli` tells them and chooses the status. Importing a verb loads no
numeric library; `run` imports what it needs.
"""

from __future__ import annotations
