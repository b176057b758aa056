#!/usr/bin/env python3
"""Measure phoneme discovery inside one process, with whichever package named discophon the interpreter has.

    PYTHON tools/bench/peer_discophon.py UNITS PHONES KIND N_UNITS LANGUAGE

Prints one JSON object: CPU seconds of the import, of reading both files, of the first and of a later call (the least of
five), and the scores.
"""

from __future__ import annotations

import json
import os
import sys
from time import process_time


def main() -> None:
    sys.path.remove(os.path.dirname(os.path.realpath(__file__)))
    units_path, phones_path, kind, n_units, language = sys.argv[1:]
    taken = {}
    start = process_time()
    from discophon.data import read_gold_annotations, read_submitted_units
    from discophon.evaluate import phoneme_discovery

    taken["import"] = process_time() - start
    start = process_time()
    units, phones = read_submitted_units(units_path), read_gold_annotations(phones_path)
    taken["read"] = process_time() - start
    later = []
    for number in range(6):
        start = process_time()
        scores = phoneme_discovery(units, phones, kind=kind, n_units=int(n_units), language=language)  # type: ignore[arg-type]
        later.append(process_time() - start)
        if number == 0:
            taken["first"] = later.pop()
    taken["later"] = min(later)
    print(json.dumps({"taken": taken, "scores": dict(scores)}))


if __name__ == "__main__":
    main()
