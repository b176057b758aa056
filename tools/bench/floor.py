"""Read, parse and sort RTTM files with mdeval's array reader and do nothing else: the floor under a score.

    python floor.py RTTM...

Prints the number of turns. A whole run also finds regions, maps speakers and adds up.
"""

from __future__ import annotations

import sys

import numpy as np

from mdeval.pool import read_side


def main() -> int:
    turns = 0
    for path in sys.argv[1:]:
        builder = read_side([path], strict=False, large=True).builder
        assert builder is not None
        table = builder.build()
        order = np.lexsort((table.onset, table.recording))
        sorted_columns = [column[order] for column in (table.onset, table.offset, table.speaker, table.recording)]
        turns += len(sorted_columns[0])
    print(turns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
